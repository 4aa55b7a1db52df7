import { type Address, splitAddress } from '../model/address.js';
import { sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import type { Step } from '../model/plan.js';
import {
  applyRenamesToFact,
  type Bound,
  namesAfterRename,
  namesByIdentity,
  recordedRenames,
  renameReferences,
} from './bind.js';
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

/**
 * Maps addresses that manifests give to objects to the names that these have before their rename, for facts to record:
 * if the rename fails and its manifest takes it back, nothing else shows what the new name meant.
 */
export const namesBeforeRename = (bound: readonly Bound[]): ReadonlyMap<Address, string> =>
  new Map(
    bound.flatMap(({ manifest: { address }, live, fact, knownAs }): [Address, string][] => {
      if (live.match !== 'renamed') return [];
      const known = fact?.identity === live.raw.identity ? (knownAs ?? address) : undefined;
      return known === address ? [] : [[address, known === undefined ? live.raw.name : splitAddress(known).name]];
    }),
  );

/** Gives references in facts and objects the names of their targets now: a rename does not change what refers to it. */
export function currentNames({
  bound,
  facts,
  observation,
}: {
  readonly bound: readonly Bound[];
  readonly facts: Facts;
  readonly observation: Pick<Observation, 'objects'>;
}) {
  const live = [...observation.objects.values()].flat().map(({ identity, name }) => [identity, name] as const);
  const renamed = namesAfterRename(bound);
  const recorded = recordedRenames(facts, new Map([...live, ...namesByIdentity(bound)]));
  return {
    ofFact: (fact: ObjectFact, { schema }: Kind): ObjectFact => applyRenamesToFact(fact, schema, recorded),
    ofObject: <T extends Pick<Observed, 'spec'>>(object: T, { schema }: Kind): T => ({
      ...object,
      spec: renameReferences(object.spec, schema, renamed),
    }),
  };
}
