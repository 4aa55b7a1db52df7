import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { DexsyncError } from '../../errors.js';
import type { CommitRule } from '../../jobs/import.js';
import type { RunReference } from '../../model/plan.js';
import type { ImportRun, RunUpload } from '../../service/import-runs.js';
import { ServiceError } from '../../service/service-error.js';
import { joinReport } from '../errors/join-report.js';
import type { PreparedImport } from '../prepare.js';
import { awaitRun, interrupted, type Phase, type Waiting } from './await-run.js';
import { checkCounts } from './check-counts.js';
import { type Decision, decide } from './decide.js';
import type { Emit } from './import-event.js';
import type { ImportOutcome, Recorder, RunErrors } from './import-outcome.js';

export interface RunInput extends Pick<Waiting, 'runs' | 'sleep' | 'emit' | 'signal'> {
  readonly prepared: PreparedImport;
  readonly rule: CommitRule;
  readonly recorder: Recorder;
  /** A run that is known already: it is gone on with, and nothing is posted. */
  readonly resume?: RunReference;
  /** How many row errors are kept; all are counted. */
  readonly keepErrors?: number;
}

interface Context extends RunInput, Waiting {}

const KEEP = 1000;

/**
 * Validates the prepared rows in a run, decides by the rule, commits and waits again (interface, section 1). Resumed,
 * it never posts; a run whose `commit` is true already is only waited for. Throws INTERRUPTED, RUN_FAILED and RUN_GONE, which
 * name the run, and whatever the service port throws.
 */
export async function runImport(input: RunInput): Promise<ImportOutcome> {
  const context: Context = { ...input, file: input.prepared.file, rows: input.prepared.rows };
  const started = context.resume === undefined ? await post(context) : await takeUp(context.resume, context);
  const outcome = started.commit ? await awaitCommit(started, context) : await validate(started, context);
  await context.recorder.settled(outcome);
  context.emit({ type: 'done', outcome: outcome.outcome });
  return outcome;
}

async function post({ prepared, runs, recorder, emit, signal, file }: Context): Promise<ImportRun> {
  if (signal.aborted)
    throw new DexsyncError('INTERRUPTED', `Interrupted before ${file} was sent. Nothing was committed.`);
  await recorder.posting();
  const run = await runs.post(uploadOf(prepared, emit));
  await recorder.posted(run);
  return run;
}

async function takeUp({ run, number, phase }: RunReference, { runs, file }: Context): Promise<ImportRun> {
  try {
    return await runs.read(run);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    const called = number === undefined ? 'The run' : `Run ${number}`;
    const left =
      phase === 'posted'
        ? 'Nothing of it was committed.'
        : 'It was being committed: nobody but the workspace can tell whether its rows were.';
    throw new DexsyncError('RUN_GONE', `${called} of ${file} is not in the workspace any more. ${left}`, {
      hint: 'Look at its records there; `dexsync import FILE --definition NAME --force` sends them again.',
      cause: error,
    });
  }
}

/** Wire-facts, section 2: 3011 and 3012 say that nothing has this GUID. 3024 may as well be a matter of privileges. */
const isAbsence = (error: unknown): boolean =>
  error instanceof ServiceError && (error.has(3011) || error.has(3012) || error.status === 404);

function uploadOf({ path, fileName, bytes: total }: PreparedImport, emit: Emit): RunUpload {
  return {
    fileName,
    fileType: 'CSV',
    size: total,
    open: () => Readable.from(counted(path, total, emit), { objectMode: false }),
  };
}

async function* counted(path: string, total: number, emit: Emit): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    yield chunk as Buffer;
    bytes += (chunk as Buffer).length;
    emit({ type: 'uploading', bytes, total });
  }
}

async function validate(started: ImportRun, context: Context): Promise<ImportOutcome> {
  const run = await awaitRun(started, 'validating', context);
  const errors = await readErrors(run, 'validating', context);
  const decision = decide(context.rule, errors.count, context.rows);
  context.emit({ type: 'decided', decision: decision.decision, errors: errors.count, rows: context.rows });
  if (decision.decision !== 'commit') return left(run, errors, decision, context);
  return awaitCommit(await commit(run, context), context);
}

function left(
  run: ImportRun,
  errors: RunErrors,
  decision: Exclude<Decision, { decision: 'commit' }>,
  context: Context,
): ImportOutcome {
  const settled = settledOf(run, errors, context);
  if (decision.decision === 'leave') return { ...settled, outcome: 'validated' };
  return { ...settled, outcome: 'rejected', limit: decision.limit, reason: decision.reason };
}

/** A commit whose answer was lost is settled by reading `commit`, which never goes back to false (design, section 7). */
async function commit(run: ImportRun, context: Context): Promise<ImportRun> {
  const { runs, recorder, signal } = context;
  if (signal.aborted) throw interrupted(run, 'validating', context);
  await recorder.committing(run);
  try {
    return await runs.commit(run.guid);
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'WRITE_UNANSWERED') throw error;
    const now = await runs.read(run.guid);
    if (!now.commit) throw error;
    return now;
  }
}

async function awaitCommit(started: ImportRun, context: Context): Promise<ImportOutcome> {
  const run = await awaitRun(started, 'committing', context);
  const errors = await readErrors(run, 'committing', context);
  return { ...settledOf(run, errors, context), outcome: 'committed' };
}

async function readErrors(run: ImportRun, phase: Phase, context: Context): Promise<RunErrors> {
  const { runs, emit, prepared, keepErrors = KEEP } = context;
  const count = failedIn(run);
  if (count === 0) return { count: 0, kept: [], groups: [] };
  if (context.signal.aborted) throw interrupted(run, phase, context);
  const path = `${prepared.path}.${phase}.errors`;
  const { total, kept, groups } = await joinReport(await runs.errorContent(run.guid), {
    prepared,
    path,
    keep: keepErrors,
  });
  emit({ type: 'errors-found', phase, errors: count });
  return { count: Math.max(count, total), kept, groups };
}

/** `errorCount` may be absent until the run is complete (interface 2.2); then what did not succeed has failed. */
const failedIn = ({ errorCount, totalCount, successCount }: ImportRun): number =>
  errorCount ?? Math.max(0, totalCount - successCount);

function settledOf(run: ImportRun, errors: RunErrors, { prepared }: Context) {
  return {
    run: run.guid,
    ...(run.number === undefined ? {} : { number: run.number }),
    rows: prepared.rows,
    succeeded: run.successCount,
    failed: errors.count,
    errors,
    findings: checkCounts(run, failedIn(run), prepared),
  };
}
