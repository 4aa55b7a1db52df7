import type { JobState } from '../model/job-state.js';
import type { ImportFacts } from '../model/partial-imports.js';

/** What is known of an import that may be undone, or that undoes another. */
interface Undoable {
  readonly key: string;
  readonly state: JobState['state'];
  readonly runs: readonly number[];
  readonly failed?: number;
  readonly facts?: ImportFacts;
}

/** What became of an import through `dexsync import undo`. */
export interface Undone {
  /** `in part`: the undo left rows as they are, or some of its own failed. An undo that was undone does not count. */
  readonly undone?: 'whole' | 'in part';
  /** Numbers of the runs that undid it, and of the import that it undoes. */
  readonly undoneBy?: readonly number[];
  readonly undoOf?: readonly number[];
}

/** Imports with what undid them. `newest`: the newest first, since an undo means the last commit of its content before it. */
export function withUndos<T extends Undoable>(newest: readonly T[]): (T & Undone)[] {
  const undone = new Map<T, T>();
  const undos = new Map<T, T[]>();
  for (const [index, one] of newest.entries()) {
    const key = one.facts?.undoes?.key;
    const target =
      key === undefined
        ? undefined
        : newest.slice(index + 1).find((other) => other.key === key && other.state === 'committed');
    if (target === undefined) continue;
    undone.set(one, target);
    undos.set(target, [...(undos.get(target) ?? []), one]);
  }
  return newest.map((one) => {
    const target = undone.get(one);
    const { is, by } = outcomeOf(one, undos);
    return {
      ...one,
      ...(target === undefined ? {} : { undoOf: target.runs }),
      ...(is === undefined ? {} : { undone: is, undoneBy: by.flatMap(({ runs }) => runs).sort((a, b) => a - b) }),
    };
  });
}

function outcomeOf<T extends Undoable>(one: T, undos: ReadonlyMap<T, readonly T[]>): { is: Undone['undone']; by: T[] } {
  const all = undos.get(one) ?? [];
  const by = all.filter((undo) => undo.state === 'committed' && outcomeOf(undo, undos).is !== 'whole');
  if (by.length === 0) return { is: undefined, by };
  const isWhole = (undo: T): boolean =>
    (undo.failed ?? 0) === 0 && (undo.facts?.undoes?.left ?? 0) === 0 && outcomeOf(undo, undos).is === undefined;
  return { is: by.length === all.length && by.every(isWhole) ? 'whole' : 'in part', by };
}
