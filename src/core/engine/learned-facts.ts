import type { Address } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import { withBase } from './base.js';
import type { ObjectsToDecide } from './decide-object.js';
import { factOf } from './decision.js';
import { withoutIgnored } from './overlay.js';
import { ownLive } from './ownership.js';

/** What is looked at, beside the objects. */
export interface Learning extends ObjectsToDecide {
  /** Objects of which the plan or a person says something else. */
  readonly others: { has(address: Address): boolean };
  /** Objects of which the ledger knows what they are read by; without it all. */
  readonly located?: { has(identity: LiveIdentity): boolean };
}

/**
 * What the ledger does not say yet of objects of the stack that are as their manifests ask: it is told wherever it is written
 * to anyway. What it has recorded of fields that no manifest names stays.
 */
export function learnedFacts({
  bound,
  deciding,
  kindNamed,
  capabilityOf,
  facts,
  others,
  located,
}: Learning): [Address, ObjectFact][] {
  return bound.flatMap((one): [Address, ObjectFact][] => {
    const { address, kind: name, metadata } = one.manifest;
    const kind = kindNamed(name);
    const own = others.has(address) ? undefined : ownLive(one, deciding.stack, kind);
    if (own === undefined) return [];
    const { object, fact: before } = own;
    const { spec } = object;
    const desired = withoutIgnored(kind.schema, one.desired, spec, metadata.ignore ?? []);
    const now = own.isMeant ? factOf({ ...one, desired }, before.how, before.stack) : before;
    const fact = withBase(kind, capabilityOf(kind), now, { before, seen: spec });
    return (located?.has(object.identity) ?? true) && sameJson(fact, facts.get(address)) ? [] : [[address, fact]];
  });
}
