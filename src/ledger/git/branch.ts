import type { EarlierStates } from './older-journals.js';
import { gitFailure, type Repository, withoutPassword } from './repository.js';
import { type Tip, tipAt } from './tip.js';
import { findLostJournals } from './witness.js';
import { type Change, type QueuedChange, type WritingOptions, writeBatch } from './write-batch.js';

/** An append-only branch. Changes that one process makes at the same time share a commit. */
export interface Branch extends EarlierStates {
  /** The state of the branch, at most a moment old. */
  tip(): Promise<Tip>;
  /** The current state of the branch. */
  refresh(): Promise<Tip>;
  /** Returns when the remote has the change; concurrent changes of several processes build on each other. */
  change(change: Change): Promise<void>;
  /** The files of an older commit; fetches all older commits if it is not here. */
  before(commit: string): Promise<Tip>;
  /** The commit that was seen last. */
  seen(): string | undefined;
  /** Accepts the loss of one workspace: the witness no longer names it. */
  accept(root: string): Promise<void>;
  /** How a person restores a lost commit, as a sentence without its full stop. */
  wayBack(commit: string | undefined): Promise<string>;
  /** Tidies the copy on this machine. */
  close(): Promise<void>;
}

/** What opening a branch needs. */
export interface BranchOptions extends WritingOptions {
  readonly repository: () => Promise<Repository>;
}

/** Milliseconds for which a state counts as fresh, unless a caller asks for the current one. */
const FRESH = 1000;

/** Opens a branch; fetches nothing before it is needed. */
export function openBranch(options: BranchOptions): Branch {
  let known: { readonly tip: Tip; readonly witness: string | undefined; readonly at: number } | undefined;
  let opening: Promise<Repository> | undefined;
  let looking: Promise<Tip> | undefined;
  let history: Promise<void> | undefined;
  let working = false;
  let hasWritten = false;
  const queue: QueuedChange[] = [];
  const older = new Map<string, Promise<Tip>>();
  const repository = (): Promise<Repository> => {
    opening ??= options.repository();
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const keep = (tip: Tip, witness = tip.lost?.witness.commit ?? tip.commit): Tip => {
    known = { tip, witness, at: performance.now() };
    return tip;
  };
  const states: Branch['states'] = async (commits) => {
    const own = await repository();
    await own.fetchCommits(commits);
    return Promise.all(commits.map((commit) => tipAt(commit, own)));
  };
  const compared = async (tip: Tip, witness: string, own: Repository): Promise<Tip> => {
    const commit = (await own.has(witness)) ? witness : await own.fetchWitness();
    const lost = await findLostJournals(tip, await tipAt(commit, own), { states });
    return lost === undefined ? tip : { ...tip, lost };
  };
  const look = async (): Promise<Tip> => {
    const own = await repository();
    const { commit, witness } = await own.remoteTip();
    const isKnown = known?.tip.commit === commit && (witness === undefined || witness === known?.witness);
    if (known !== undefined && isKnown) return keep(known.tip, known.witness);
    const isHere = commit === undefined || (await own.has(commit));
    const tip = await tipAt(isHere ? commit : await own.fetch(), own);
    const isAlike = witness === undefined || witness === tip.commit;
    return keep(isAlike ? tip : await compared(tip, witness, own), witness);
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
  const wayBack = async (commit: string | undefined): Promise<string> => {
    const own = await repository();
    if (commit !== known?.tip.lost?.witness.commit)
      return `Push ${commit ?? 'its newest commit'} back from a clone that has it and all before it, or restore the branch from a backup`;
    const whole = await own.fetchWitness('whole');
    return `Push it back: \`git --git-dir ${own.folder} push ${withoutPassword(options.remote.url)} ${whole}:refs/heads/${options.branch}\``;
  };
  const work = async (): Promise<void> => {
    for (let batch = queue.splice(0); batch.length > 0; batch = queue.splice(0)) {
      const seen = { last: known?.tip, isFresh: fresh() !== undefined, refresh, keep, wayBack };
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
        // Batches changes that are requested at the same moment into one commit.
        if (!working) setImmediate(() => void work());
        working = true;
      }),
    async close() {
      const commit = known?.tip.commit;
      if (!hasWritten || commit === undefined) return;
      // A failure only costs space, and the next command tries again.
      await (await repository()).tidy(commit).catch(() => undefined);
    },
    states,
    seen: () => known?.tip.commit,
    async accept(root) {
      const { lost, ...tip } = fresh() ?? (await refresh());
      if (lost === undefined) return;
      const journals = new Map([...lost.journals].filter(([one]) => one !== root));
      if (journals.size === 0) return void keep(tip);
      const own = await repository();
      const edits = lost.witness.under(`${root}/`).map((path) => ({ path, text: null }));
      const message = `${root}: a loss was accepted\n`;
      const commit = await own.commit({ parent: lost.witness.commit, message, edits, at: options.clock() });
      const pushed = await own.pushWitness(commit);
      if (pushed.code !== 0) throw gitFailure(pushed, options.remote.url, options.branch);
      keep({ ...tip, lost: { witness: await tipAt(commit, own), journals } });
    },
    wayBack,
    before(commit) {
      const known = older.get(commit) ?? olderTip(commit);
      older.set(commit, known);
      return known;
    },
  };
}
