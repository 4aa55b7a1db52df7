import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '../../errors.js';
import type { Remote } from './remote.js';
import { type Edit, gitFailure, type Repository, withoutPassword } from './repository.js';

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

/** What is to be changed. */
export interface Change {
  /** One line for the log of the branch. */
  readonly subject: string;
  /**
   * The files to write, by the state that they will be based on: asked again when the branch has moved meanwhile. None
   * where it is as it should be. Whatever it throws, nothing of this change was written.
   */
  edits(tip: Tip): Promise<readonly Edit[]>;
}

/** A branch that is only ever added to. Changes of one process that come together share a commit. */
export interface Branch {
  /** As it was a moment ago. */
  tip(): Promise<Tip>;
  /** As it is now. */
  refresh(): Promise<Tip>;
  /** Returns when the remote has it; of all who change the branch at once, each bases its change on those before. */
  change(change: Change): Promise<void>;
  /** The files of an older commit. */
  before(commit: string): Promise<Tip>;
}

export interface BranchOptions {
  readonly remote: Remote;
  readonly branch: string;
  readonly repository: () => Promise<Repository>;
  readonly clock: () => Date;
  /** What goes with every commit where it can: heartbeats. */
  readonly renew: (tip: Tip) => Promise<readonly Edit[]>;
}

/** How long a state counts as fresh, in milliseconds, for whoever asks for no better one. */
const FRESH = 1000;
/** How often a push may be refused while nobody else has moved the branch. */
const REFUSALS = 4;
/** How often others may be quicker. */
const ROUNDS = 60;

interface Waiting extends Change {
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

export function openBranch(options: BranchOptions): Branch {
  let known: { readonly tip: Tip; readonly at: number } | undefined;
  let opening: Promise<Repository> | undefined;
  let looking: Promise<Tip> | undefined;
  let history: Promise<void> | undefined;
  let working = false;
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
    before(commit) {
      const known = older.get(commit) ?? olderTip(commit);
      older.set(commit, known);
      return known;
    },
  };
}

interface Writing extends BranchOptions {
  readonly own: Repository;
  /** The state that was seen last, which most likely is still the branch's. */
  readonly last: Tip | undefined;
  readonly isFresh: boolean;
  readonly refresh: () => Promise<Tip>;
  readonly keep: (tip: Tip) => Tip;
}

/** How far a batch has come: those that still can be written, and on top of which state. */
interface Attempt {
  readonly waiting: readonly Waiting[];
  readonly tip: Tip;
  /** How often it was refused although nobody else had moved the branch. */
  readonly refusals: number;
}

async function writeBatch(waiting: readonly Waiting[], writing: Writing): Promise<void> {
  const { remote, branch, refresh } = writing;
  let attempt: Attempt | undefined = { waiting, tip: writing.last ?? (await refresh()), refusals: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    attempt = await write(attempt, round > 0 || writing.isFresh, writing);
    if (attempt === undefined) return;
    await sleep(50 + Math.random() * 200 * (1 + Math.min(round, 10)));
  }
  throw new DexsyncError(
    'LEDGER_UNREACHABLE',
    `Branch ${branch} of ${withoutPassword(remote.url)} is changed by others all the time.`,
    { hint: 'Repeat the command in a minute: steps that are done are not repeated.' },
  );
}

/** Writes what can be written, and says what is to be tried again; undefined where nothing is. */
async function write(attempt: Attempt, isFresh: boolean, writing: Writing): Promise<Attempt | undefined> {
  const { own, clock, remote, branch, refresh, keep } = writing;
  const { tip, edits, going, refused } = await collectFresh(attempt, isFresh, writing);
  for (const [{ fail }, error] of refused) fail(error);
  if (edits.length === 0) return finish(going);
  const commit = await own.commit({ parent: tip.commit, message: messageOf(going), edits, at: clock() });
  const pushed = await own.push(commit);
  if (pushed.code === 0) {
    keep(await tipAt(commit, own));
    return finish(going);
  }
  const now = await refreshPatiently(refresh);
  if (now.commit === commit) return finish(going);
  const refusals = now.commit === tip.commit ? attempt.refusals + 1 : 0;
  if (refusals >= REFUSALS) throw gitFailure(pushed, remote.url, branch);
  return { waiting: going, tip: now, refusals };
}

function finish(waiting: readonly Waiting[]): undefined {
  for (const { done } of waiting) done();
}

/** Of several changes a common subject, and each in a line below it. */
function messageOf(waiting: readonly Waiting[]): string {
  const subjects = [...new Set(waiting.map(({ subject }) => subject))];
  const [first = ''] = subjects;
  return subjects.length < 2 ? `${first}\n` : `${first}, and ${subjects.length - 1} more\n\n${subjects.join('\n')}\n`;
}

/** Whether a push got through is to be found out, also when the connection is gone for a moment. */
async function refreshPatiently(refresh: () => Promise<Tip>): Promise<Tip> {
  for (const pause of [500, 2000, 5000]) {
    try {
      return await refresh();
    } catch {
      await sleep(pause);
    }
  }
  return refresh();
}

interface Collected {
  readonly tip: Tip;
  readonly edits: readonly Edit[];
  readonly going: readonly Waiting[];
  readonly refused: readonly (readonly [Waiting, unknown])[];
}

/** What those that can be done write together, on top of one state. */
async function collect(waiting: readonly Waiting[], tip: Tip, { renew }: Pick<Writing, 'renew'>): Promise<Collected> {
  const edits = new Map<string, Edit>();
  const going: Waiting[] = [];
  const refused: [Waiting, unknown][] = [];
  for (const one of waiting) {
    try {
      for (const edit of await one.edits(tip)) edits.set(edit.path, edit);
      going.push(one);
    } catch (error) {
      refused.push([one, error]);
    }
  }
  // Where a lease was lost, what needs it was refused above.
  const renewed = edits.size === 0 ? [] : await renew(tip).catch(() => []);
  for (const edit of renewed) if (!edits.has(edit.path)) edits.set(edit.path, edit);
  return { tip, edits: [...edits.values()], going, refused };
}

/** What a state of some age refuses, the newest may allow, and it says why it does not. */
async function collectFresh({ waiting, tip }: Attempt, isFresh: boolean, writing: Writing): Promise<Collected> {
  const first = await collect(waiting, tip, writing);
  return first.refused.length === 0 || isFresh ? first : collect(waiting, await writing.refresh(), writing);
}

async function tipAt(commit: string | undefined, own: Repository): Promise<Tip> {
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
