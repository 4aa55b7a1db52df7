import type { Repository } from './repository.js';
import { type Tip, tipAt } from './tip.js';
import { type Change, type Waiting, type WritingOptions, writeBatch } from './write-batch.js';

/** A branch that is only ever added to. Changes of one process that come together share a commit. */
export interface Branch {
  /** As it was a moment ago. */
  tip(): Promise<Tip>;
  /** As it is now. */
  refresh(): Promise<Tip>;
  /** Returns when the remote has it; of all who change the branch at once, each bases its change on those before. */
  change(change: Change): Promise<void>;
  /** The files of an older commit; all older commits are fetched for it. */
  before(commit: string): Promise<Tip>;
  /** The files of a few older commits, of which no others are fetched. */
  states(commits: readonly string[]): Promise<readonly Tip[]>;
  /** Leaves the copy on this machine in order. */
  close(): Promise<void>;
}

/** What a branch is opened with. */
export interface BranchOptions extends WritingOptions {
  readonly repository: () => Promise<Repository>;
}

/** How long a state counts as fresh, in milliseconds, for whoever asks for no better one. */
const FRESH = 1000;

/** Nothing is fetched before it is asked for. */
export function openBranch(options: BranchOptions): Branch {
  let known: { readonly tip: Tip; readonly at: number } | undefined;
  let opening: Promise<Repository> | undefined;
  let looking: Promise<Tip> | undefined;
  let history: Promise<void> | undefined;
  let working = false;
  let hasWritten = false;
  const queue: Waiting[] = [];
  const older = new Map<string, Promise<Tip>>();
  const repository = (): Promise<Repository> => {
    opening ??= options.repository();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const keep = (tip: Tip): Tip => {
    known = { tip, at: performance.now() };
    return tip;
  };
  const look = async (): Promise<Tip> => {
    const own = await repository();
    const commit = await own.remoteTip();
    if (known !== undefined && known.tip.commit === commit) return keep(known.tip);
    const isHere = commit === undefined || (await own.has(commit));
    return keep(await tipAt(isHere ? commit : await own.fetch(), own));
  };
  const refresh = (): Promise<Tip> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const olderTip = async (commit: string): Promise<Tip> => {
    const own = await repository();
    if (!(await own.has(commit))) {
      history ??= own.fetchHistory();
      await history;
    }
    return tipAt(commit, own);
  };
  const fresh = (): Tip | undefined =>
    known !== undefined && performance.now() - known.at < FRESH ? known.tip : undefined;
  const work = async (): Promise<void> => {
    for (let batch = queue.splice(0); batch.length > 0; batch = queue.splice(0)) {
      const seen = { last: known?.tip, isFresh: fresh() !== undefined, refresh, keep };
      try {
        await writeBatch(batch, { ...options, own: await repository(), ...seen });
        hasWritten = true;
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    working = false;
  };
  return {
    tip: async () => fresh() ?? refresh(),
    refresh,
    change: (change) =>
      new Promise((done, fail) => {
        queue.push({ ...change, done, fail });
        // Whoever else has something to write at this moment goes along.
        if (!working) setImmediate(() => void work());
        working = true;
      }),
    async close() {
      const commit = known?.tip.commit;
      if (!hasWritten || commit === undefined) return;
      // It costs space at most, and is tried again by the next command.
      await (await repository()).tidy(commit).catch(() => undefined);
    },
    async states(commits) {
      const own = await repository();
      await own.fetchCommits(commits);
      return Promise.all(commits.map((commit) => tipAt(commit, own)));
    },
    before(commit) {
      const known = older.get(commit) ?? olderTip(commit);
      older.set(commit, known);
      return known;
    },
  };
}
