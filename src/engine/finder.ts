import { addressOf } from '../model/address.js';
import type { Identity } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import type { Facts, Found, Live } from './live.js';

/** Looks for live objects by name and by identity, and for what the ledger says of them. */
export interface Finder {
  all(kind: string): readonly Observed[];
  under(kind: string, name: string): Found;
  known(kind: string, identity: Identity | undefined): Observed | undefined;
}

export function finderOf({ objects }: Observation, facts: Facts): Finder {
  const all = (kind: string): readonly Observed[] => objects.get(kind) ?? [];
  const named = tableBy(objects, ({ name }) => name);
  const identified = tableBy(objects, ({ identity }) => identity);
  const addresses = new Map(
    [...facts].flatMap(([address, { identity }]) => (identity === undefined ? [] : [[identity, address] as const])),
  );
  return {
    all,
    under(kind, name) {
      const fact = facts.get(addressOf(kind, name));
      const live = the(named(kind, name), fact?.identity, all(kind));
      if (!('raw' in live) || live.raw.identity === fact?.identity) return { live, fact };
      const knownAs = addresses.get(live.raw.identity);
      if (knownAs === undefined) return { live, fact };
      return { live, fact: facts.get(knownAs), knownAs };
    },
    known: (kind, identity) => (identity === undefined ? undefined : identified(kind, identity)[0]),
  };
}

const NOTHING: Live = { match: 'none' };

/** Of several, the one that the ledger knows. */
function the(found: readonly Observed[], known: Identity | undefined, among: readonly Observed[]): Live {
  const [object, ...others] = found;
  if (object === undefined) return NOTHING;
  if (others.length === 0) return { match: 'name', object, raw: object, among };
  const own = found.find(({ identity }) => identity === known);
  if (own === undefined) return { match: 'several', objects: found };
  return { match: 'name', object: own, raw: own, among, twins: found.filter((one) => one !== own) };
}

function tableBy(
  objects: Observation['objects'],
  keyOf: (object: Observed) => string,
): (kind: string, key: string) => readonly Observed[] {
  const tables = new Map<string, Map<string, Observed[]>>();
  for (const [kind, live] of objects) {
    const table = new Map<string, Observed[]>();
    for (const object of live) {
      const entries = table.get(keyOf(object));
      if (entries === undefined) table.set(keyOf(object), [object]);
      else entries.push(object);
    }
    tables.set(kind, table);
  }
  return (kind, key) => tables.get(kind)?.get(key) ?? [];
}
