import { addressOf } from '../model/address.js';
import type { ObjectFact } from '../model/object-fact.js';
import { lookupKey, NAMELESS, type Observation, type Observed } from '../model/observation.js';
import type { Facts } from './find-live.js';
import { type Reference, referencesOf } from './references.js';

/** Objects of a kind that are there and may be any: they lack a name or a GUID, and the ledger does not tell which they are. */
export function unclearObjects(kind: string, { objects }: Pick<Observation, 'objects'>, facts: Facts): Observed[] {
  const all = objects.get(kind) ?? [];
  const unclear = all.filter(({ odd }) => odd !== undefined && odd.unknown.length > 0);
  if (unclear.length === 0) return unclear;
  const listed = new Set(all.map(({ identity }) => identity));
  const known = new Set([...facts.values()].map(({ identity }) => identity));
  return unclear.filter(({ name, identity }) => {
    const named = facts.get(addressOf(kind, name));
    return (
      !known.has(identity) && (named === undefined || (named.identity !== undefined && listed.has(named.identity)))
    );
  });
}

/** The one of them that may be what seems to be missing: what has an identity may have any name. */
export const perhaps = (unclear: readonly Observed[], fact: ObjectFact | undefined): Observed | undefined =>
  unclear.find(({ odd }) => odd?.unknown.includes(fact?.identity === undefined ? 'name' : 'guid'));

/** What nobody can tell of an object that seems to be missing. */
export const perhapsMessage = (kind: string, { name, odd }: Observed): string =>
  `It seems to be missing, but ${name === NAMELESS ? 'an entry' : `the entry "${name}"`} of the workspace's ${kind} objects ${odd?.why}, and may be it. Correct that entry in the workspace.`;

/** What is there and cannot be read. */
export const oddMessage = (what: string, why: string | undefined): string =>
  `${what} is in the workspace, but its entry ${why}. It is left as it is; correct it there, or check the \`profile\` of this environment.`;

/** The reference of a spec that has no usable entry, and why. */
export function oddReference(
  schema: object,
  spec: Parameters<typeof referencesOf>[1],
  observation: Observation,
): { readonly reference: Reference; readonly why: string } | undefined {
  for (const reference of referencesOf(schema, spec)) {
    const why = oddityOf(reference, observation);
    if (why !== undefined) return { reference, why };
  }
  return undefined;
}

/** Why a name leads to nothing usable: its own entry is odd, or it has none and one without a name may be it. */
export function oddityOf(
  { kind, partition, name }: Omit<Reference, 'pointer'>,
  { objects, lookups, oddNames }: Observation,
): string | undefined {
  const key = lookupKey(kind, partition);
  const usable = [
    ...(lookups.get(key) ?? []),
    ...(objects.get(key) ?? []).flatMap((one) => (one.odd?.unknown.includes('guid') ? [] : [[one.name]])),
  ];
  if (usable.some((names) => names.includes(name))) return undefined;
  const odd = [
    ...(oddNames?.get(key) ?? []),
    ...(objects.get(key) ?? []).flatMap((one) =>
      one.odd === undefined ? [] : [{ names: one.name === NAMELESS ? [] : [one.name], why: one.odd.why }],
    ),
  ];
  return (odd.find(({ names }) => names.includes(name)) ?? odd.find(({ names }) => names.length === 0))?.why;
}
