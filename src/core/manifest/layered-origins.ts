import type { Origin } from '#base/diagnostics.js';
import type { Origins } from '../model/document.js';
import { type Pointer, pointerKeys, pointerTo } from '../model/pointer.js';

/** The place where a part of a merged value was written: a document, and a pointer into it. */
export interface Place {
  readonly origins: Origins;
  readonly pointer: Pointer;
}

/** Positions of a value merged from several documents: each part has that of the nearest known place above it. */
export function layeredOrigins(base: Origins, places: ReadonlyMap<Pointer, Place>): Origins {
  const find = (pointer: Pointer): Place => {
    const found = nearestAbove(places, pointer);
    if (found === undefined) return { origins: base, pointer };
    const { origins, pointer: own } = found.entry;
    return { origins, pointer: found.below.reduce<Pointer>(pointerTo, own) };
  };
  return {
    start: base.start,
    value(pointer) {
      const { origins, pointer: own } = find(pointer);
      return origins.value(own);
    },
    key(pointer) {
      const { origins, pointer: own } = find(pointer);
      return origins.key(own);
    },
    filledBy(pointer) {
      const { origins, pointer: own } = find(pointer);
      return origins.filledBy(own);
    },
  };
}

/** Positions of a document with filled-in values. These values, and those inside them, name their source. */
export function filledOrigins(origins: Origins, sources: ReadonlyMap<Pointer, string>): Origins {
  if (sources.size === 0) return origins;
  const filledBy = (pointer: Pointer): string | undefined =>
    nearestAbove(sources, pointer)?.entry ?? origins.filledBy(pointer);
  return {
    start: origins.start,
    key: (pointer) => origins.key(pointer),
    value(pointer) {
      const variable = filledBy(pointer);
      const own = origins.value(pointer);
      return variable === undefined ? own : { ...own, filledBy: variable };
    },
    filledBy,
  };
}

/** Positions that are only found when the first of them is needed. */
export function laterOrigins(start: Origin, find: () => Origins): Origins {
  let found: Origins | undefined;
  const origins = (): Origins => {
    found ??= find();
    return found;
  };
  return {
    start,
    value: (pointer) => origins().value(pointer),
    key: (pointer) => origins().key(pointer),
    filledBy: (pointer) => origins().filledBy(pointer),
  };
}

/** Positions of a document of rows: each but the start says which rows, in the words of `textOf`. */
export function rowOrigins(
  origins: Origins,
  columns: ReadonlyMap<Pointer, readonly string[]>,
  textOf: (columns: readonly string[]) => string,
): Origins {
  const row = (pointer: Pointer): string => textOf(nearestAbove(columns, pointer)?.entry ?? []);
  return {
    start: origins.start,
    value: (pointer) => ({ ...origins.value(pointer), row: row(pointer) }),
    key: (pointer) => ({ ...origins.key(pointer), row: row(pointer) }),
    filledBy: (pointer) => origins.filledBy(pointer),
  };
}

/** The entry of a value or of its nearest ancestor, and the keys that lead from there to the value. */
function nearestAbove<T>(
  entries: ReadonlyMap<Pointer, T>,
  pointer: Pointer,
): { readonly entry: T; readonly below: readonly string[] } | undefined {
  const keys = pointerKeys(pointer);
  for (let depth = keys.length; depth >= 0; depth -= 1) {
    const entry = entries.get(keys.slice(0, depth).reduce<Pointer>(pointerTo, ''));
    if (entry !== undefined) return { entry, below: keys.slice(depth) };
  }
  return undefined;
}
