import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { lossError } from '../head.js';
import { journalNumber } from '../journal-name.js';
import { gitFailure, withoutPassword } from './git-failure.js';
import { journalFolder } from './journal-files.js';
import type { Remote } from './remote.js';
import type { Edit, Repository } from './repository.js';
import { type Lost, type Tip, tipAt } from './tip.js';

/** A change to the branch. */
export interface Change {
  /** One line for the log of the branch. */
  readonly subject: string;
  /**
   * The files to write on top of a state; called again if the branch has moved meanwhile. None if nothing has to
   * change. If it throws, nothing of this change is written. `renewal` is the heartbeat that goes with the commit: a
   * change that only the holder of all leases may make calls it, since it throws if one was lost.
   */
  edits(tip: Tip, renewal: () => Promise<readonly Edit[]>): Promise<readonly Edit[]>;
}

/** How often a push may be refused while nobody else has moved the branch. */
const REFUSALS = 4;
/** How often others may be faster. */
const ROUNDS = 60;

/** A change, and the callbacks of its caller. */
export interface QueuedChange extends Change {
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** What writing to a branch needs. */
export interface WritingOptions {
  readonly remote: Remote;
  readonly branch: string;
  readonly clock: () => Date;
  /** Heartbeats, which every commit includes if possible. Throws if a lease is no longer in that state. */
  readonly renew: (tip: Tip) => Promise<readonly Edit[]>;
  /** `yes`: for a command that settles a loss. Others write nothing on top of one, so that it can be pushed back. */
  readonly goesOnAfterLoss?: boolean | undefined;
}

/** The branch as it was seen last, and how to refresh it. */
export interface WriteContext extends WritingOptions {
  readonly own: Repository;
  /** The state that was seen last, which most likely is still current. */
  readonly last: Tip | undefined;
  readonly isFresh: boolean;
  readonly seen: SeenBranch;
}

/** The methods of a branch that a write needs. */
export interface SeenBranch {
  refresh(): Promise<Tip>;
  keep(tip: Tip): Tip;
  wayBack(commit: string | undefined): Promise<string>;
}

/** The progress of a batch: the changes that can still be written, and the state they build on. */
interface Attempt {
  readonly waiting: readonly QueuedChange[];
  readonly tip: Tip;
  /** How often it was refused although nobody else had moved the branch. */
  readonly refusals: number;
}

/** Writes changes together. Those that are no longer possible are refused; the others are written. */
export async function writeBatch(waiting: readonly QueuedChange[], writing: WriteContext): Promise<void> {
  const { remote, branch, seen } = writing;
  let attempt: Attempt | undefined = { waiting, tip: writing.last ?? (await seen.refresh()), refusals: 0 };
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

/** Writes the changes that are possible, and returns those to try again; undefined if there are none. */
async function write(attempt: Attempt, isFresh: boolean, writing: WriteContext): Promise<Attempt | undefined> {
  const { own, clock, remote, branch, seen } = writing;
  const { tip, edits, going, refused } = await collectFresh(attempt, isFresh, writing);
  for (const [{ fail }, error] of refused) fail(error);
  if (edits.length === 0) return finish(going);
  if (tip.lost !== undefined && writing.goesOnAfterLoss !== true) throw await lostFrom(tip.lost, writing);
  const commit = await own.commit({ parent: tip.commit, message: messageOf(going), edits, at: clock() });
  const pushed = await own.push(commit, tip.lost === undefined ? 'moves' : 'stays');
  if (pushed.code === 0) {
    seen.keep({ ...(await tipAt(commit, own)), ...omitUndefined({ lost: tip.lost }) });
    return finish(going);
  }
  const now = await refreshPatiently(seen);
  if (now.commit === commit) return finish(going);
  const refusals = now.commit === tip.commit ? attempt.refusals + 1 : 0;
  if (refusals >= REFUSALS) throw gitFailure(pushed, remote.url, branch);
  return { waiting: going, tip: now, refusals };
}

/** The error for the first lost journal. */
async function lostFrom({ witness, journals }: Lost, { branch, seen }: WriteContext): Promise<DexsyncError> {
  const [[root = '', journal = ''] = []] = journals;
  const place = (name: string): string => `${root}/journals/${journalFolder(name)} of branch ${branch}`;
  const head = { journal, applies: journalNumber(journal) };
  return lossError(head, 'is missing or cut', { workspace: root, place }, await seen.wayBack(witness.commit));
}

function finish(waiting: readonly QueuedChange[]): undefined {
  for (const { done } of waiting) done();
}

/** The message of a commit: a common subject, and below it each change in a line if there are several. */
function messageOf(waiting: readonly QueuedChange[]): string {
  const subjects = [...new Set(waiting.map(({ subject }) => subject))];
  const [first = ''] = subjects;
  return subjects.length < 2 ? `${first}\n` : `${first}, and ${subjects.length - 1} more\n\n${subjects.join('\n')}\n`;
}

/** Refreshes with retries: whether a push succeeded must be found out even if the connection is lost for a moment. */
async function refreshPatiently(seen: SeenBranch): Promise<Tip> {
  for (const pause of [500, 2000, 5000]) {
    try {
      return await seen.refresh();
    } catch {
      await sleep(pause);
    }
  }
  return seen.refresh();
}

interface Collected {
  readonly tip: Tip;
  readonly edits: readonly Edit[];
  readonly going: readonly QueuedChange[];
  readonly refused: readonly (readonly [QueuedChange, unknown])[];
}

/** Collects the edits of the changes that are possible on top of one state. */
async function collect(
  waiting: readonly QueuedChange[],
  tip: Tip,
  { renew }: Pick<WriteContext, 'renew'>,
): Promise<Collected> {
  const edits = new Map<string, Edit>();
  const going: QueuedChange[] = [];
  const refused: [QueuedChange, unknown][] = [];
  let renewing: Promise<readonly Edit[]> | undefined;
  const renewal = (): Promise<readonly Edit[]> => {
    renewing ??= renew(tip);
    return renewing;
  };
  for (const one of waiting) {
    try {
      for (const edit of await one.edits(tip, renewal)) edits.set(edit.path, edit);
      going.push(one);
    } catch (error) {
      refused.push([one, error]);
    }
  }
  // If a lease was lost, changes that need it were refused above.
  const renewed = edits.size === 0 ? [] : await renewal().catch(() => []);
  for (const edit of renewed) if (!edits.has(edit.path)) edits.set(edit.path, edit);
  return { tip, edits: [...edits.values()], going, refused };
}

/** Collects again on the newest state what an older one refuses: that may allow it, or give the current reason. */
async function collectFresh({ waiting, tip }: Attempt, isFresh: boolean, writing: WriteContext): Promise<Collected> {
  const first = await collect(waiting, tip, writing);
  return first.refused.length === 0 || isFresh ? first : collect(waiting, await writing.seen.refresh(), writing);
}
