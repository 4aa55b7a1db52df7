import { rowsInEffect, runNumbers } from './job-state.js';
import { latestCommits, type RecordedImport } from './partial-imports.js';

/** The effect of `dexsync import undo` on an import. */
export interface Undone {
  /** `in part`: the undo left rows as they are, or some of its own failed. An undo that was undone does not count. */
  readonly undone?: 'whole' | 'in part';
  /** Numbers of the runs that undid it, and of the import that it undoes. */
  readonly undoneBy?: readonly number[];
  readonly undoOf?: readonly number[];
}

/** The imports whose rows are no longer in the workspace, although the ledger has them as committed. */
export function undoneImports(recorded: readonly RecordedImport[]): (RecordedImport & Undone)[] {
  const latest = new Set(latestCommits(recorded).map(({ key }) => key));
  return allUndone(recorded).filter(({ key }) => latest.has(key));
}

/** All undone commits, including those that a later commit replaced. */
export function allUndone(recorded: readonly RecordedImport[]): (RecordedImport & Undone)[] {
  const newest = [...recorded].sort((one, other) => atOf(other).localeCompare(atOf(one)));
  return withUndos(newest).filter(({ undone, undoOf }) => undone !== undefined && undoOf === undefined);
}

const atOf = ({ job }: RecordedImport): string => ('at' in job ? job.at : '');

const areAllInEffect = ({ job }: RecordedImport): boolean =>
  job.state === 'committed' && rowsInEffect(job) === job.rows;

/** Adds undos to imports. `newest`: newest first, since an undo refers to the last commit of its content before it. */
export function withUndos<T extends RecordedImport>(newest: readonly T[]): (T & Undone)[] {
  const undone = new Map<T, T>();
  const undos = new Map<T, T[]>();
  for (const [index, one] of newest.entries()) {
    const key = one.facts?.undoes?.key;
    const target =
      key === undefined
        ? undefined
        : newest.slice(index + 1).find((other) => other.key === key && other.job.state === 'committed');
    if (target === undefined) continue;
    undone.set(one, target);
    undos.set(target, [...(undos.get(target) ?? []), one]);
  }
  return newest.map((one) => {
    const target = undone.get(one);
    const { is, by } = outcomeOf(one, undos);
    return {
      ...one,
      ...(target === undefined ? {} : { undoOf: runNumbers(target.job.runs) }),
      ...(is === undefined
        ? {}
        : { undone: is, undoneBy: by.flatMap(({ job }) => runNumbers(job.runs)).sort((a, b) => a - b) }),
    };
  });
}

function outcomeOf<T extends RecordedImport>(
  one: T,
  undos: ReadonlyMap<T, readonly T[]>,
): { is: Undone['undone']; by: T[] } {
  const all = undos.get(one) ?? [];
  const by = all.filter((undo) => undo.job.state === 'committed' && outcomeOf(undo, undos).is !== 'whole');
  if (by.length === 0) return { is: undefined, by };
  const isWhole = (undo: T): boolean =>
    areAllInEffect(undo) && (undo.facts?.undoes?.left ?? 0) === 0 && outcomeOf(undo, undos).is === undefined;
  // An attempt that was sent again has the same rows, and so the same key.
  const isDone = (undo: T): boolean => by.some(({ key }) => key === undo.key);
  return { is: all.every(isDone) && by.every(isWhole) ? 'whole' : 'in part', by };
}
