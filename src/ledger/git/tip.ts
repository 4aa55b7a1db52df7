import { DexsyncError } from '#base/errors.js';
import type { Repository } from './repository.js';

/** A state of the branch. */
export interface Tip {
  /** Undefined if the branch does not exist. */
  readonly commit: string | undefined;
  /** The journals that it lost; absent if there are none, or nothing was compared. */
  readonly lost?: Lost;
  has(path: string): boolean;
  /** The object of a file; undefined if there is no such file. */
  object(path: string): string | undefined;
  /** The paths that begin with `start`, in order. */
  under(start: string): readonly string[];
  /** The texts of files, all of which must exist. */
  read(paths: readonly string[]): Promise<readonly string[]>;
}

/** What the branch lacks and the witness has, a second ref of the remote that is pushed together with the branch. */
export interface Lost {
  readonly witness: Tip;
  /** The newest journal of each workspace that lacks some, by the folder of that workspace. */
  readonly journals: ReadonlyMap<string, string>;
}

/** The state at a commit; empty if there is no commit. */
export async function tipAt(commit: string | undefined, own: Repository): Promise<Tip> {
  const files = commit === undefined ? new Map<string, string>() : await own.files(commit);
  const strange = [...files.keys()].find((path) => !OWN.test(path));
  if (strange !== undefined) throw notALedger(strange);
  let sorted: string[] | undefined;
  return {
    commit,
    has: (path) => files.has(path),
    object: (path) => files.get(path),
    under(start) {
      sorted ??= [...files.keys()].sort();
      const first = firstFrom(sorted, start);
      let end = first;
      while (sorted[end]?.startsWith(start)) end += 1;
      return sorted.slice(first, end);
    },
    read: (paths) => own.contents(paths.map((path) => files.get(path) ?? throwMissing(path))),
  };
}

/** Locks, saved plans, releases, rollouts, what was seen last and said, and the files of a workspace. */
const OWN = /^(locks\/|plans\/|releases\/|rollouts\/|seen\/|notices\/|[^/]+\/(journals\/|older\/|snapshot\.json$))/;

const notALedger = (path: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `The branch of the ledger contains a file that is not dexsync's: ${path}.`, {
    hint: 'Set `ledger.git.branch` in the configuration to a branch that is used for nothing else.',
  });

function throwMissing(path: string): never {
  throw new DexsyncError('LEDGER_DAMAGED', `The ledger's branch has no file ${path}.`);
}

/** The index of the first path that does not sort before `start`. */
function firstFrom(sorted: readonly string[], start: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
