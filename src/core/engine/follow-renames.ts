import { type Address, splitAddress } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observation } from '../model/observation.js';
import type { Step } from '../model/plan.js';
import { applyRenamesToFact, liveNames, recordedRenames } from './bind.js';
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

/** Returns a lookup of facts in whose references each object has the name that it has in the workspace now. */
export function factUnderLiveNames({
  facts,
  observation,
  kindNamed,
}: {
  readonly facts: Facts;
  readonly observation: Pick<Observation, 'objects'>;
  readonly kindNamed: (name: string) => Kind;
}): (address: Address) => ObjectFact | undefined {
  const renamed = recordedRenames(facts, new Map(liveNames(observation)));
  return (address) => {
    const fact = facts.get(address);
    return fact && applyRenamesToFact(fact, kindNamed(splitAddress(address).kind).schema, renamed);
  };
}
