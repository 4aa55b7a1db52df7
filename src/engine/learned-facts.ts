import type { Address } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { ObjectFact } from '../model/object-fact.js';
import { withBase } from './base.js';
import type { ObjectsToDecide } from './decide-object.js';
import { factOf } from './decision.js';
import type { Facts } from './find-live.js';
import { withoutIgnored } from './overlay.js';
import { standingOf } from './ownership.js';

/** What is looked at, beside the objects. */
export interface Learning extends ObjectsToDecide {
  readonly facts: Facts;
  /** Objects of which the plan or a person says something else. */
  readonly others: { has(address: Address): boolean };
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
}: Learning): [Address, ObjectFact][] {
  return bound.flatMap((one): [Address, ObjectFact][] => {
    const { manifest, live } = one;
    const { address, metadata } = manifest;
    if (!('raw' in live) || live.raw.odd !== undefined || others.has(address)) return [];
    const kind = kindNamed(manifest.kind);
    const standing = standingOf(one.fact, live.object, deciding.stack, kind);
    if (standing.is !== 'own') return [];
    const { spec } = live.object;
    const desired = withoutIgnored(kind.schema, one.desired, spec, metadata.ignore ?? []);
    const before = standing.fact;
    const now = factOf({ ...one, desired }, before.how, before.stack);
    const fact = withBase(kind, capabilityOf(kind), now, { before, seen: spec });
    return sameJson(fact, facts.get(address)) ? [] : [[address, fact]];
  });
}
