import { DexsyncError } from '#base/errors.js';
import type { ExchangeRun } from '#service/exchange-runs.js';
import { saysAbsent } from '#service/refusal-meaning.js';
import { ServiceError } from '#service/service-error.js';
import { nextWait } from '../imports/run/poll.js';
import type { RunRecord } from './run-record.js';
import {
  dropRecord,
  emitTransferEvent,
  freshRecord,
  numberPart,
  pause,
  saveRecord,
  type Transfer,
} from './transfer.js';

/** Wire-facts 2.1: only one export can be in progress at any time. */
const ANOTHER_IN_PROGRESS = 3144;
/** Milliseconds to wait before each look for a run whose start was not answered. */
const LOOKS = [0, 500, 2000];

/**
 * Returns the run that the folder's record names, an unrecorded run of this user whose start was not answered, or a new
 * one. Even if this process is killed, repeating the command starts no second one. Throws WRITE_UNANSWERED if it is
 * unknown whether a run was started, and SERVICE_ERROR if another export does not end in time.
 */
export async function takeRun(transfer: Transfer, recorded: RunRecord | undefined): Promise<ExchangeRun> {
  if (recorded?.run !== undefined) {
    const run = await readRecordedRun(transfer, recorded.run);
    if (run !== undefined) return run;
  } else if (recorded !== undefined) {
    const run = await findUnrecordedRun(transfer, recorded.known);
    if (run !== undefined) return adoptRun(transfer, recorded, run);
  }
  const fresh = freshRecord(transfer, await transfer.runs.list());
  await saveRecord(transfer, fresh);
  const run = await startRun(transfer, fresh);
  await saveRecord(transfer, { ...fresh, run: { guid: run.guid, ...numberPart(run) } });
  return run;
}

async function readRecordedRun(
  transfer: Transfer,
  { guid, ...rest }: NonNullable<RunRecord['run']>,
): Promise<ExchangeRun | undefined> {
  try {
    const run = await transfer.runs.read(guid);
    emitTransferEvent(transfer, { is: 'resumed', ...numberPart(run) });
    return run;
  } catch (error) {
    if (!saysAbsent(error)) throw error;
    emitTransferEvent(transfer, { is: 'gone', ...rest });
    return undefined;
  }
}

async function adoptRun(transfer: Transfer, recorded: RunRecord, run: ExchangeRun): Promise<ExchangeRun> {
  await saveRecord(transfer, { ...recorded, run: { guid: run.guid, ...numberPart(run) } });
  emitTransferEvent(transfer, { is: 'found', ...numberPart(run) });
  return run;
}

/** Finds the newest run of this user that did not exist before. */
async function findUnrecordedRun(
  { runs, connection }: Transfer,
  known: RunRecord['known'],
): Promise<ExchangeRun | undefined> {
  const own = connection.login.email.toLowerCase();
  const found = (await runs.list()).filter(
    ({ guid, creator = own }) => !known.includes(guid) && creator.toLowerCase() === own,
  );
  return found.sort((a, b) => (b.number ?? 0) - (a.number ?? 0)).at(0);
}

/** The attempts to start a run so far. */
interface Attempts {
  /** Milliseconds spent waiting for another export. */
  waited: number;
  wait: number | undefined;
  /** Requests that got no answer. */
  lost: number;
}

/** Posts until the service starts a run. Removes the record if certainly none was started. */
async function startRun(transfer: Transfer, fresh: RunRecord): Promise<ExchangeRun> {
  const attempts: Attempts = { waited: 0, wait: undefined, lost: 0 };
  for (;;) {
    const run = await postRun(transfer).catch((error: unknown) => settleFailure(error, transfer, fresh, attempts));
    if (run !== 'again') return run;
  }
}

async function postRun(transfer: Transfer): Promise<ExchangeRun> {
  const run = await transfer.runs.start(transfer.criteria);
  emitTransferEvent(transfer, { is: 'started', ...numberPart(run) });
  return run;
}

async function settleFailure(
  error: unknown,
  transfer: Transfer,
  fresh: RunRecord,
  attempts: Attempts,
): Promise<ExchangeRun | 'again'> {
  if (isUnanswered(error)) return retryAfterLoss(error, transfer, fresh, attempts);
  if (isBusy(error) && attempts.waited < transfer.patience) return retryAfterWait(transfer, fresh, attempts);
  if (attempts.lost === 0) await dropRecord(transfer);
  throw isBusy(error) ? busyService(error, transfer) : error;
}

async function retryAfterLoss(
  error: DexsyncError,
  transfer: Transfer,
  fresh: RunRecord,
  attempts: Attempts,
): Promise<ExchangeRun | 'again'> {
  const run = await lookForRun(transfer, fresh);
  if (run !== undefined) return run;
  attempts.lost += 1;
  if (attempts.lost > 1) throw notStarted(error, transfer);
  return 'again';
}

async function retryAfterWait(
  transfer: Transfer,
  fresh: RunRecord,
  attempts: Attempts,
): Promise<ExchangeRun | 'again'> {
  const { waited, lost } = attempts;
  // The run in progress may be the one whose start was not answered.
  const own = lost > 0 ? await findUnrecordedRun(transfer, fresh.known) : undefined;
  if (own !== undefined) return announceFound(transfer, own);
  const wait = Math.min(nextWait(attempts.wait), transfer.patience - waited);
  emitTransferEvent(transfer, {
    is: 'waiting',
    seconds: Math.round(waited / 1000),
    most: Math.round(transfer.patience / 1000),
  });
  try {
    await pause(transfer, wait);
  } catch (error) {
    if (lost === 0) await dropRecord(transfer);
    throw error;
  }
  attempts.waited += wait;
  attempts.wait = wait;
  return 'again';
}

async function lookForRun(transfer: Transfer, { known }: RunRecord): Promise<ExchangeRun | undefined> {
  for (const look of LOOKS) {
    if (look > 0) await pause(transfer, look);
    const run = await findUnrecordedRun(transfer, known);
    if (run !== undefined) return announceFound(transfer, run);
  }
  return undefined;
}

function announceFound(transfer: Transfer, run: ExchangeRun): ExchangeRun {
  emitTransferEvent(transfer, { is: 'found', ...numberPart(run) });
  return run;
}

const isUnanswered = (error: unknown): error is DexsyncError =>
  error instanceof DexsyncError && error.code === 'WRITE_UNANSWERED';

const isBusy = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.has(ANOTHER_IN_PROGRESS);

const notStarted = (cause: DexsyncError, { address }: Transfer): DexsyncError =>
  new DexsyncError('WRITE_UNANSWERED', `It is not known whether a run of ${address} was started: ${cause.message}`, {
    hint: 'Repeat the command with the same `--out`: it looks for that run first and does not start a second one.',
    cause,
  });

const busyService = (cause: ServiceError, { address, patience }: Transfer): DexsyncError =>
  new DexsyncError(
    'SERVICE_ERROR',
    `${address} was not started: another export was still in progress after ${Math.round(patience / 1000)} s. ${cause.message}`,
    { hint: 'The service runs one export at a time. Wait longer with `--wait SECONDS`, or try again later.', cause },
  );
