import { DexsyncError } from '#base/errors.js';
import type { JobRun } from '#core/model/job-state.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { ImportRun } from '#service/import-runs.js';
import { saysAbsent } from '#service/refusal-meaning.js';
import { unansweredWrite } from '#service/unanswered-write.js';
import { adviseOnChange } from './advise-on-change.js';
import { awaitRun, interruptedRun } from './await-run.js';
import { readErrors } from './run-errors.js';
import { type RunInput, runsOfJob, type SentRun, waitingFor } from './run-input.js';
import { sumRuns } from './sum-runs.js';

/**
 * Commits validated runs one after another in the order of their rows, and reads counts and errors again when the last
 * one is done. A run whose `commit` is already true is only awaited, so that this can be repeated at any point.
 */
export async function commitImport(sent: readonly SentRun[], input: RunInput): Promise<ImportOutcome> {
  const done: SentRun[] = [];
  const record = (now: SentRun, index: number): Promise<void> =>
    input.recorder.open([...done, now, ...sent.slice(index + 1)].map(({ job }) => job));
  for (const [index, one] of sent.entries()) {
    const begun = one.job.commit === 'no' ? await begin(one, (now) => record(now, index), input) : one;
    const run = await awaitRun(begun.run, 'committing', waitingFor(begun, input));
    if (!run.commit) throw notCommitted(run, input);
    const committed = { ...begun, run, job: withCommit(begun.job, 'done') };
    if (begun.job.commit === 'begun' && index < sent.length - 1) await record(committed, index);
    done.push(committed);
  }
  const errors = await readErrors(done, 'committing', { ...input, readsOf: (job) => runsOfJob(job, input) });
  const outcome: ImportOutcome = { ...sumRuns(done, errors, input.prepared), outcome: 'committed' };
  await input.recorder.settled(outcome);
  input.emit({ type: 'done', outcome: 'committed' });
  return outcome;
}

const withCommit = (job: JobRun, commit: JobRun['commit']): JobRun => ({ ...job, commit });

async function begin(one: SentRun, record: (now: SentRun) => Promise<void>, input: RunInput): Promise<SentRun> {
  if (input.signal.aborted) throw interruptedRun(one.run, 'validating', input.prepared);
  const begun = { ...one, job: withCommit(one.job, 'begun') };
  await record(begun);
  return { ...begun, run: await commit(one, () => record(one), input) };
}

/**
 * Commits a run. After a lost answer, or a refusal because the commit had arrived before, `commit` of the run decides,
 * which never goes back to false (design, section 7). It is also read after a success, which the answer does not prove.
 * `withdraw`: records that it was not begun, as the service has no such run, which it only acknowledged.
 */
async function commit({ job, run }: SentRun, withdraw: () => Promise<void>, input: RunInput): Promise<ImportRun> {
  const runs = runsOfJob(job, input);
  try {
    const answered = await runs.commit(run.guid);
    // A run that is still in progress is read again anyway.
    return answered.status === 'COMPLETE' ? await runs.read(run.guid) : answered;
  } catch (error) {
    if (!isOpen(error)) throw error;
    const now = await runs.read(run.guid).catch(async (unread: unknown) => {
      if (!saysAbsent(error) || !saysAbsent(unread)) throw unread;
      await withdraw();
      throw error.withHint(NO_SUCH_RUN);
    });
    if (!now.commit) throw adviseOnChange(error);
    return now;
  }
}

const NO_SUCH_RUN =
  'The service has no such run, although it confirmed it; nothing of it was committed. Repeat the command: it sends the rows again.';

const notCommitted = ({ number }: ImportRun, { prepared: { file } }: RunInput): DexsyncError =>
  unansweredWrite(
    `The service confirmed the commit of ${number === undefined ? 'the run' : `run #${number}`} of ${file}, but the run says that it is not committed.`,
  );

const isOpen = (error: unknown): boolean =>
  error instanceof DexsyncError && (error.code === 'WRITE_UNANSWERED' || error.code === 'SERVICE_ERROR');
