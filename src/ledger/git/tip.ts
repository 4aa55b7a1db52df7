import { DexsyncError } from '../../errors.js';
import type { Repository } from './repository.js';

/** A state of the branch. */
export interface Tip {
  /** Undefined where the branch does not exist. */
  readonly commit: string | undefined;
  has(path: string): boolean;
  /** Paths that begin so, in their order. */
  under(start: string): readonly string[];
  /** The texts of files; each has to be there. */
  read(paths: readonly string[]): Promise<readonly string[]>;
}

/** What a commit holds; nothing where there is none. */
export async function tipAt(commit: string | undefined, own: Repository): Promise<Tip> {
  const files = commit === undefined ? new Map<string, string>() : await own.files(commit);
  return {
    commit,
    has: (path) => files.has(path),
    under: (start) => [...files.keys()].filter((path) => path.startsWith(start)).sort(),
    read: (paths) =>
      own.contents(
        paths.map((path) => {
          const object = files.get(path);
          if (object === undefined)
            throw new DexsyncError('LEDGER_DAMAGED', `The ledger's branch has no file ${path}.`);
          return object;
        }),
      ),
  };
}
