import { DexsyncError } from '#base/errors.js';
import type { ExchangeRun } from '#service/exchange-runs.js';
import { nextWait } from '../imports/run/poll.js';
import { dropRecord, emitTransferEvent, nameOfRun, numberPart, pause, type Transfer } from './transfer.js';

/** Polls in an undocumented state before the run is given up. */
const MOST_UNKNOWN = 20;

/**
 * Polls until the run is complete, with growing waits: each poll is a request. Throws RUN_FAILED for a run that failed,
 * was aborted, or stays in an undocumented state.
 */
export async function awaitExchange(transfer: Transfer, start: ExchangeRun): Promise<ExchangeRun> {
  const { host, runs } = transfer;
  const since = host.clock().getTime();
  let run = start;
  let wait: number | undefined;
  let unknown = 0;
  for (;;) {
    const seconds = Math.round((host.clock().getTime() - since) / 1000);
    emitTransferEvent(transfer, { is: 'polled', status: run.status, seconds, ...numberPart(run) });
    if (run.state === 'complete') return run;
    if (run.state === 'failed' || run.state === 'aborted') {
      // This state is final; the next command starts another run.
      await dropRecord(transfer);
      throw endedRun(run, transfer);
    }
    unknown = run.state === 'unknown' ? unknown + 1 : 0;
    if (unknown > MOST_UNKNOWN) throw stuckRun(run, transfer);
    wait = nextWait(wait);
    await pause(transfer, wait);
    run = await runs.read(run.guid);
  }
}

const endedRun = (run: ExchangeRun, { address }: Transfer): DexsyncError =>
  new DexsyncError(
    'RUN_FAILED',
    `${address}: ${nameOfRun(run)} ${run.state === 'failed' ? 'failed' : 'was stopped'}; the service reports ${run.status}. Nothing was written.`,
    { hint: 'Repeat the command to start another run; the service reports no reason.' },
  );

const stuckRun = (run: ExchangeRun, { address }: Transfer): DexsyncError =>
  new DexsyncError(
    'RUN_FAILED',
    `${address}: ${nameOfRun(run)} is still in the state ${run.status}, which dexsync does not know.`,
    {
      hint: `dexsync checked it ${MOST_UNKNOWN} times. Check the run in the service, or repeat the command to check again.`,
    },
  );
