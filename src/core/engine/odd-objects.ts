import { shellWord } from '#base/shell-word.js';
import { type Address, addressOf } from '../model/address.js';
import type { JsonObject } from '../model/json.js';
import { lastIdentity, type ObjectFact } from '../model/object-fact.js';
import { lookupKey, NAMELESS, type Observation, type Observed, type OddName } from '../model/observation.js';
import type { Facts } from './find-live.js';
import { listReferences, type Reference } from './references.js';

/** An object that exists and cannot be read. */
export type OddObject = Observed & Required<Pick<Observed, 'odd'>>;

type Objects = Pick<Observation, 'objects'>;

/** Returns the odd objects of a kind. */
export const oddObjects = (kind: string, { objects }: Objects): OddObject[] =>
  (objects.get(kind) ?? []).filter((object): object is OddObject => object.odd !== undefined);

/** Returns odd objects that may be any of their kind: they lack a name or GUID, and the ledger does not know them. */
export function unclearObjects(kind: string, observation: Objects, facts: Facts): OddObject[] {
  const unclear = oddObjects(kind, observation).filter(({ odd }) => odd.unknown.length > 0);
  if (unclear.length === 0) return unclear;
  const listed = new Set(observation.objects.get(kind)?.map(({ identity }) => identity));
  const known = new Set([...facts.values()].map(({ identity }) => identity));
  return unclear.filter(({ name, identity }) => {
    const named = facts.get(addressOf(kind, name));
    const isOfName = named !== undefined && (named.identity === undefined || !listed.has(named.identity));
    return !known.has(identity) && !isOfName;
  });
}

/** Finds one that may be the missing object: an object with an identity may have any name by now. */
export const findPossibleMatch = (unclear: readonly OddObject[], fact: ObjectFact | undefined): OddObject | undefined =>
  unclear.find(({ odd }) => odd.unknown.includes(fact?.identity === undefined ? 'name' : 'guid'));

/** Says that an object seems to be missing but may be an odd entry. */
export function possibleMatchMessage(kind: string, { name, odd }: OddObject): string {
  const which = name === NAMELESS ? 'an entry' : `the entry "${name}"`;
  return `It seems to be missing, but ${which} of the workspace's ${kind} objects ${odd.why}, and may be it. Correct that entry in the workspace.`;
}

/** Says why the object of a fact may still exist although no list shows it. */
export function unprovedMessage(
  fact: ObjectFact | undefined,
  facts: Facts,
  { unproved }: Observation,
): string | undefined {
  const identity = fact && lastIdentity(fact);
  const why = identity === undefined ? undefined : unproved?.get(identity);
  if (why === undefined) return undefined;
  const [address] = [...facts].find(([, known]) => lastIdentity(known) === identity) as [Address, ObjectFact];
  return `The list does not show it, and ${why}. Nothing is created or forgotten in its place. If it was deleted, run the command again with \`--gone ${shellWord(address)}\`.`;
}

/** Says that something exists and cannot be read. */
export const oddMessage = (what: string, why: string): string =>
  `${what} is in the workspace, but its entry ${why}. It is left as it is; correct it there, or check the \`profile\` of this environment.`;

/** Finds the first reference of a spec that leads to nothing usable, and why. */
export function oddReference(
  schema: object,
  spec: JsonObject,
  observation: Observation,
): { readonly reference: Reference; readonly why: string } | undefined {
  for (const reference of listReferences(schema, spec)) {
    const why = explainOddity(reference, observation);
    if (why !== undefined) return { reference, why };
  }
  return undefined;
}

/** Says why a name leads to nothing usable: its entry is odd, or it has none and a nameless one may be it. */
export function explainOddity(
  { kind, partition, name }: Omit<Reference, 'pointer'>,
  observation: Observation,
): string | undefined {
  const key = lookupKey(kind, partition);
  const odd: readonly OddName[] = observation.oddNames?.get(key) ?? oddObjects(key, observation).map(asName);
  if (odd.length === 0 || isUsable(key, name, observation)) return undefined;
  return (odd.find(({ names }) => names.includes(name)) ?? odd.find(({ names }) => names.length === 0))?.why;
}

const asName = ({ name, odd: { why } }: OddObject): OddName => ({ names: name === NAMELESS ? [] : [name], why });

const isUsable = (key: string, name: string, { objects, lookups }: Observation): boolean =>
  [...(lookups.get(key) ?? [])].some((names) => names.includes(name)) ||
  [...(objects.get(key) ?? [])].some((one) => one.name === name && one.odd?.unknown.includes('guid') !== true);
