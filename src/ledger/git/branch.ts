import { gitFailure, withoutPassword } from './git-failure.js';
import type { EarlierStates } from './older-journals.js';
import type { Repository } from './repository.js';
import { type Tip, tipAt } from './tip.js';
import { findLostJournals } from './witness.js';
import { type Change, type QueuedChange, type SeenBranch, type WritingOptions, writeBatch } from './write-batch.js';

/** What opening a branch needs. */
export interface BranchOptions extends WritingOptions {
  readonly repository: () => Promise<Repository>;
}

/** Milliseconds for which a state counts as fresh, unless a caller asks for the current one. */
const FRESH = 1000;

/** A state of the branch, the commit of the witness that it was compared with, and when. */
interface Known {
  readonly tip: Tip;
  readonly witness: string | undefined;
  readonly at: number;
}

/**
 * An append-only branch. Changes that one process makes at the same time share a commit. Fetches nothing before it is
 * needed.
 */
export class Branch implements EarlierStates, SeenBranch {
  readonly #options: BranchOptions;
  readonly #queue: QueuedChange[] = [];
  readonly #older = new Map<string, Promise<Tip>>();
  #known: Known | undefined;
  #opening: Promise<Repository> | undefined;
  #looking: Promise<Tip> | undefined;
  #history: Promise<void> | undefined;
  #isWorking = false;
  #hasWritten = false;

  constructor(options: BranchOptions) {
    this.#options = options;
  }

  /** The state of the branch, at most a moment old. */
  async tip(): Promise<Tip> {
    return this.#fresh() ?? this.refresh();
  }

  /** The current state of the branch. */
  refresh(): Promise<Tip> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Returns when the remote has the change; concurrent changes of several processes build on each other. */
  change(change: Change): Promise<void> {
    return new Promise((done, fail) => {
      this.#queue.push({ ...change, done, fail });
      // Batches changes that are requested at the same moment into one commit.
      if (!this.#isWorking) setImmediate(() => void this.#work());
      this.#isWorking = true;
    });
  }

  /** The files of an older commit; fetches all older commits if it is not here. */
  before(commit: string): Promise<Tip> {
    const tip = this.#older.get(commit) ?? this.#olderTip(commit);
    this.#older.set(commit, tip);
    return tip;
  }

  async states(commits: readonly string[]): Promise<readonly Tip[]> {
    const own = await this.#repository();
    await own.fetchCommits(commits);
    return Promise.all(commits.map((commit) => tipAt(commit, own)));
  }

  /** The commit that was seen last. */
  seen(): string | undefined {
    return this.#known?.tip.commit;
  }

  /** Accepts the loss of one workspace: the witness no longer names it. */
  async accept(root: string): Promise<void> {
    const { lost, ...tip } = await this.tip();
    if (lost === undefined) return;
    const journals = new Map([...lost.journals].filter(([one]) => one !== root));
    if (journals.size === 0) return void this.keep(tip);
    const { remote, branch, clock } = this.#options;
    const own = await this.#repository();
    const edits = lost.witness.under(`${root}/`).map((path) => ({ path, text: null }));
    const message = `${root}: a loss was accepted\n`;
    const commit = await own.commit({ parent: lost.witness.commit, message, edits, at: clock() });
    const pushed = await own.pushWitness(commit);
    if (pushed.code !== 0) throw gitFailure(pushed, remote.url, branch);
    this.keep({ ...tip, lost: { witness: await tipAt(commit, own), journals } });
  }

  /** How a person restores a lost commit, as a sentence without its full stop. */
  async wayBack(commit: string | undefined): Promise<string> {
    const { remote, branch } = this.#options;
    const own = await this.#repository();
    if (commit !== this.#known?.tip.lost?.witness.commit)
      return `Push ${commit ?? 'its newest commit'} back from a clone that has it and all before it, or restore the branch from a backup`;
    const whole = await own.fetchWitness('whole');
    return `Push it back: \`git --git-dir ${own.folder} push ${withoutPassword(remote.url)} ${whole}:refs/heads/${branch}\``;
  }

  /** Tidies the copy on this machine. */
  async close(): Promise<void> {
    const commit = this.seen();
    if (!this.#hasWritten || commit === undefined) return;
    // A failure only costs space, and the next command tries again.
    await (await this.#repository()).tidy(commit).catch(() => undefined);
  }

  /** Notes the state that the branch has now. */
  keep(tip: Tip, witness = tip.lost?.witness.commit ?? tip.commit): Tip {
    this.#known = { tip, witness, at: performance.now() };
    return tip;
  }

  #repository(): Promise<Repository> {
    this.#opening ??= this.#options.repository();
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #fresh(): Tip | undefined {
    return this.#known !== undefined && performance.now() - this.#known.at < FRESH ? this.#known.tip : undefined;
  }

  async #look(): Promise<Tip> {
    const own = await this.#repository();
    const known = this.#known;
    const { commit, witness } = await own.remoteTip();
    const isKnown = known?.tip.commit === commit && (witness === undefined || witness === known?.witness);
    const tip = known !== undefined && isKnown ? known.tip : await this.#fetched(commit, witness, own);
    // What was found may be older than what this process has pushed meanwhile.
    if (this.#known !== known) return this.#look();
    return this.keep(tip, isKnown ? known?.witness : witness);
  }

  async #fetched(commit: string | undefined, witness: string | undefined, own: Repository): Promise<Tip> {
    const isHere = commit === undefined || (await own.has(commit));
    const tip = await tipAt(isHere ? commit : await own.fetch(), own);
    const isAlike = witness === undefined || witness === tip.commit;
    return isAlike ? tip : this.#compared(tip, witness, own);
  }

  async #compared(tip: Tip, witness: string, own: Repository): Promise<Tip> {
    const commit = (await own.has(witness)) ? witness : await own.fetchWitness();
    const lost = await findLostJournals(tip, await tipAt(commit, own), this);
    return lost === undefined ? tip : { ...tip, lost };
  }

  async #olderTip(commit: string): Promise<Tip> {
    const own = await this.#repository();
    if (!(await own.has(commit))) {
      this.#history ??= own.fetchHistory();
      await this.#history;
    }
    return tipAt(commit, own);
  }

  async #work(): Promise<void> {
    for (let batch = this.#queue.splice(0); batch.length > 0; batch = this.#queue.splice(0)) {
      try {
        const now = { last: this.#known?.tip, isFresh: this.#fresh() !== undefined };
        await writeBatch(batch, { ...this.#options, ...now, own: await this.#repository(), seen: this });
        this.#hasWritten = true;
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    this.#isWorking = false;
  }
}
