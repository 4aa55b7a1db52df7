import type { LiveIdentity } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { LiveIndex } from './live-index.js';

/** The live object or objects that a manifest may mean. */
export type Live =
  | { readonly match: 'none' }
  /** `renamed`: found under the name in `renamedFrom`. `moved`: found under a name that someone else gave it. */
  | {
      readonly match: 'name' | 'renamed' | 'moved';
      /** The object, with references under the names that their targets have after this plan. */
      readonly object: Observed;
      /** The object as it was read. */
      readonly raw: Observed;
      /** All live objects of its kind, including itself. */
      readonly among: readonly Observed[];
      /** Other objects with the same name; `object` is the one that the ledger knows. */
      readonly twins?: readonly Observed[];
    }
  | { readonly match: 'several'; readonly objects: readonly Observed[] }
  /** Both the name and the former name are taken. */
  | { readonly match: 'both'; readonly object: Observed; readonly former: Observed };

/** One live object, identified without doubt. */
export type Match = Extract<Live, { match: 'name' | 'renamed' | 'moved' }>;

/** Returns every live object that a manifest may mean. */
export function listCandidates(live: Live): readonly Observed[] {
  if (live.match === 'none') return [];
  if (live.match === 'several') return live.objects;
  return live.match === 'both' ? [live.object, live.former] : [live.object];
}

/** What has a name. */
export type LiveUnderName = Extract<Live, { match: 'none' | 'several' }> | Match;

/** Finds the live object with a name; of several, the one that the ledger knows by that name. */
export function liveUnder(
  kind: string,
  name: string,
  index: LiveIndex,
  known: LiveIdentity | undefined,
): LiveUnderName {
  const found = index.named(kind, name);
  const [object, ...others] = found;
  if (object === undefined) return { match: 'none' };
  const among = index.all(kind);
  if (others.length === 0) return { match: 'name', object, raw: object, among };
  const own = found.find(({ identity }) => identity === known);
  if (own === undefined) return { match: 'several', objects: found };
  return { match: 'name', object: own, raw: own, among, twins: found.filter((one) => one !== own) };
}
