import { groupBy } from '../model/group-by.js';
import { memoizeBy } from '../model/memoize.js';
import type { LiveIdentity } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import { hasRetiredName, nameBefore } from './retired-name.js';

/** Observed objects, indexed by name and by identity. */
export interface LiveIndex {
  all(kind: string): readonly Observed[];
  /** Returns all objects with a name, since names need not be unique. */
  named(kind: string, name: string): readonly Observed[];
  withIdentity(kind: string, identity: LiveIdentity | undefined): Observed | undefined;
  /** Returns the objects that replacements renamed away from a name. */
  retired(kind: string, name: string): readonly Observed[];
}

/** Indexes live objects, so that a look-up does not search all of them. */
export function liveIndex({ objects }: Pick<Observation, 'objects'>): LiveIndex {
  const all = (kind: string): readonly Observed[] => objects.get(kind) ?? [];
  const byName = memoizeBy((kind: string) => groupBy(all(kind), ({ name }) => name));
  const byIdentity = memoizeBy((kind: string) => new Map(all(kind).map((object) => [object.identity, object])));
  const retired = memoizeBy((kind: string) =>
    groupBy(
      all(kind).filter(({ name }) => hasRetiredName(name)),
      ({ name }) => nameBefore(name),
    ),
  );
  return {
    all,
    retired: (kind, name) => retired(kind).get(name) ?? [],
    named: (kind, name) => byName(kind).get(name) ?? [],
    withIdentity: (kind, identity) => (identity === undefined ? undefined : byIdentity(kind).get(identity)),
  };
}
