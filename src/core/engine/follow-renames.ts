import { type Address, splitAddress } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Step } from '../model/plan.js';
import { applyRenamesToFact } from './bind.js';
import type { Facts } from './find-live.js';

/**
 * Returns those of the referring facts that name a step's object as it was named before, with its new name: once the
 * ledger forgets the former one, nothing else shows that they refer to the same object.
 */
export function followRename(
  { address, fact, formerly }: Pick<Step, 'address' | 'fact' | 'formerly'>,
  facts: Facts,
  referring: Facts,
  schemaOf: (kind: string) => object,
): [Address, ObjectFact][] {
  const former = formerly === undefined ? undefined : facts.get(formerly)?.identity;
  if (formerly === undefined || former === undefined || former !== fact?.identity) return [];
  const renamed = new Map([[formerly, splitAddress(address).name]]);
  return [...referring].flatMap(([referrer, known]): [Address, ObjectFact][] => {
    const followed = applyRenamesToFact(known, schemaOf(splitAddress(referrer).kind), renamed);
    return sameJson(followed, known) ? [] : [[referrer, followed]];
  });
}
