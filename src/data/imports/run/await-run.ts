import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { EmitImportEvent } from '#core/stream/import-event.js';
import type { ImportRun, ImportRuns } from '#service/import-runs.js';
import { withoutGuids } from '#service/request-name.js';
import { countProcessed, type Next, pace } from './poll.js';

/** Waits; ends early, without an error, when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** What polling one run needs. */
export interface PollContext {
  readonly runs: ImportRuns;
  readonly sleep: Sleep;
  readonly emit: EmitImportEvent;
  readonly signal: AbortSignal;
  readonly file: string;
  /** Rows of this run, of runs before it, and of all runs together. */
  readonly rows: number;
  readonly before: number;
  readonly total: number;
  /** Requests that are left of the quota, if the service reports them. */
  readonly remaining?: () => number | undefined;
}

/** What the service is doing with the rows. */
export type Phase = 'validating' | 'committing';

/** Polls in an undocumented state before the run is given up. */
const MOST_UNKNOWN = 20;

/**
 * Polls until the run is COMPLETE. Throws RUN_FAILED for ERROR, PURGED and an unknown state that lasts, and INTERRUPTED
 * on an abort, between requests only.
 */
export async function awaitRun(start: ImportRun, phase: Phase, waiting: PollContext): Promise<ImportRun> {
  const { runs, sleep, emit, signal, rows, remaining } = waiting;
  const pacing = pace(rows, remaining);
  let run = start;
  let unknown = 0;
  for (let polls = 0; ; polls += 1) {
    const next = pacing.next(run);
    emit({ type: phase, polls, ...progressOf(run, next, waiting) });
    if (run.status === 'COMPLETE') return run;
    unknown = isUnderWay(run, phase, waiting) ? 0 : unknown + 1;
    if (unknown > MOST_UNKNOWN) throw stuckRun(run, waiting);
    await sleep(next.wait, signal);
    if (signal.aborted) throw interruptedRun(run, phase, waiting);
    run = await runs.read(run.guid);
  }
}

function progressOf(run: ImportRun, { wait, speed, because }: Next, { before, total }: PollContext) {
  return {
    run: run.guid,
    ...omitUndefined({ number: run.number }),
    processed: before + countProcessed(run),
    total: Math.max(total, before + run.totalCount),
    ...omitUndefined({ speed }),
    ...(run.status === 'COMPLETE' ? {} : { wait, because: run.status === 'CREATED' ? ('queued' as const) : because }),
  };
}

function isUnderWay(run: ImportRun, phase: Phase, waiting: PollContext): boolean {
  switch (run.status) {
    case 'CREATED':
    case 'RUNNING':
      return true;
    case 'ERROR':
      throw failedRun(run, phase, waiting);
    case 'PURGED':
      throw new DexsyncError(
        'RUN_FAILED',
        `${nameOfRun(run)} of ${waiting.file} was purged by the service before it finished.`,
        {
          hint: 'The service keeps runs for 60 days. Import the file again.',
        },
      );
    default:
      return false;
  }
}

function failedRun(run: ImportRun, phase: Phase, { file }: PollContext): DexsyncError {
  const says = run.warnings.map(({ code, message }) => `${withoutGuids(message)} (${code})`).join(' ');
  const what = phase === 'validating' ? 'could not be processed; nothing was committed' : 'failed during the commit';
  return new DexsyncError(
    'RUN_FAILED',
    `${nameOfRun(run)} of ${file} ${what}. ${says === '' ? 'The service gives no reason.' : `The service reports: ${says}`}`,
    {
      hint: 'Correct the file and import it again.',
    },
  );
}

const stuckRun = (run: ImportRun, { file }: PollContext): DexsyncError =>
  new DexsyncError(
    'RUN_FAILED',
    `${nameOfRun(run)} of ${file} is still in the state ${run.status}, which dexsync does not know.`,
    {
      hint: `dexsync checked it ${MOST_UNKNOWN} times. Check the run in the service; repeat the import to resume it.`,
    },
  );

/** INTERRUPTED, with the run that is left and what may have happened to the workspace. */
export function interruptedRun(run: ImportRun, phase: Phase, { file }: Pick<PollContext, 'file'>): DexsyncError {
  const left =
    phase === 'validating'
      ? 'is still being validated, or is validated; nothing was committed'
      : 'is being committed by the service; its rows may already be applied';
  return new DexsyncError('INTERRUPTED', `Interrupted. ${nameOfRun(run)} of ${file} ${left}.`, {
    hint: 'Repeat the command: it resumes this run and sends nothing twice.',
  });
}

/** Names a run by its number: a GUID means nothing to people. */
const nameOfRun = ({ number }: ImportRun): string => (number === undefined ? 'The run' : `Run #${number}`);
