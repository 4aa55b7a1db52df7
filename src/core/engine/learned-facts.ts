import type { Address } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import { applyRenamesToFact } from './bind.js';
import type { ObjectsToDecide } from './decide-object.js';
import { buildFact } from './decision.js';
import { withBase } from './field-base.js';
import { namesBeforeRename } from './follow-renames.js';
import { withoutIgnored } from './ignored-fields.js';
import { ownLive } from './ownership.js';

/** Inputs besides the objects. */
export interface LearnedFactsInput extends ObjectsToDecide {
  /** Objects about which the plan or a person records something else. */
  readonly others: { has(address: Address): boolean };
  /** Objects whose GUID the ledger has recorded; without it, all count as recorded. */
  readonly located?: { has(identity: LiveIdentity): boolean };
}

/**
 * Returns what the ledger lacks about own objects that are as their manifests ask; it is recorded on the next occasion.
 * Recorded values of fields that no manifest names are kept.
 */
export function learnedFacts({
  bound,
  deciding,
  kindNamed,
  capabilityOf,
  facts,
  others,
  located,
}: LearnedFactsInput): [Address, ObjectFact][] {
  const former = namesBeforeRename(bound);
  return bound.flatMap((one): [Address, ObjectFact][] => {
    const { address, kind: name, metadata } = one.manifest;
    const kind = kindNamed(name);
    const own = others.has(address) ? undefined : ownLive(one, deciding.stack, kind);
    if (own === undefined) return [];
    const { object, fact: before } = own;
    const { spec } = object;
    const desired = withoutIgnored(kind.schema, one.desired, spec, metadata.ignore ?? []);
    const now = own.isMeant ? buildFact({ ...one, desired }, before.how, before.stack) : before;
    const known = withBase(kind, capabilityOf(kind), now, { before, seen: spec });
    const fact = applyRenamesToFact(known, kind.schema, former);
    return (located?.has(object.identity) ?? true) && sameJson(fact, facts.get(address)) ? [] : [[address, fact]];
  });
}
