import { entryNames, matchKey } from '../model/fields.js';
import type { Json } from '../model/json.js';

/** An observed entry of a keyed list, with its name among the others. */
interface NamedEntry<T> {
  readonly name: string;
  readonly entry: T;
}

/** The entries of two keyed lists, matched by their keys. */
interface PairedEntries<T> {
  readonly pairs: readonly { readonly desired: T; readonly observed: NamedEntry<T> | undefined }[];
  /** Observed entries that are not desired, further ones with one key among them. */
  readonly left: readonly NamedEntry<T>[];
}

/** Matches each desired entry of a keyed list with the first observed one of its key. */
export function pairEntries<T extends Json>(
  desired: readonly T[],
  observed: readonly T[],
  by: readonly string[],
): PairedEntries<T> {
  const names = entryNames(observed, by);
  const present = new Map<string, NamedEntry<T>>();
  const all = observed.map((entry, index): NamedEntry<T> => {
    const named = { name: String(names[index]), entry };
    const key = matchKey(entry, by);
    if (!present.has(key)) present.set(key, named);
    return named;
  });
  const pairs = desired.map((entry) => ({ desired: entry, observed: present.get(matchKey(entry, by)) }));
  const matched = new Set(pairs.map((pair) => pair.observed));
  return { pairs, left: all.filter((entry) => !matched.has(entry)) };
}
