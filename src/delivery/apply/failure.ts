import { DexsyncError, type ErrorCode, reasonOf } from '#base/errors.js';
import { diskError } from '#base/files/disk-error.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Step } from '#core/model/plan.js';
import type { Event, StepStatus } from '#core/stream/event.js';
import type { OutcomeRecord } from '#ledger/journal-record.js';

/** Failures after which no further request can succeed. */
export const FINAL: readonly ErrorCode[] = [
  'DISK',
  'INTERRUPTED',
  'LEASE_LOST',
  'LEDGER_UNREACHABLE',
  'LOGIN_REFUSED',
  'QUOTA_EXHAUSTED',
  'WORKSPACE_MISMATCH',
];

/** Why a step failed. */
export type Failure = Extract<StepStatus, { message: string }>;

/** How a write that was not done affects its step. */
export interface Failed {
  readonly is: NonNullable<OutcomeRecord['is']> | 'failed';
  readonly message: string;
}

/** Converts a failure to the fields of a journal record. */
export const failureFields = (failed: Failed | undefined): Pick<OutcomeRecord, 'failed' | 'is'> =>
  failed === undefined ? {} : { failed: failed.message, ...(failed.is === 'failed' ? {} : { is: failed.is }) };

/** Says that a write succeeded although it was not recorded, since the next plan will find it done. */
export function unrecordedStatus({ writes }: Step, status: StepStatus, error: unknown): Failure {
  const failed = failure(unwritten(error));
  const isSent = status.is === 'done' && writes.some(({ verb }) => verb !== 'record');
  return isSent ? { ...failed, message: `The write succeeded, but was not recorded: ${failed.message}` } : failed;
}

/** Converts a failure to write the journal, without which an apply must not continue, to an error. */
export const unwritten = (error: unknown): DexsyncError =>
  error instanceof DexsyncError
    ? error
    : (diskError(error) ??
      new DexsyncError('DISK', `The journal cannot be written: ${reasonOf(error)}.`, { cause: error }));

const STATUS_OF: Partial<Record<ErrorCode, 'unknown' | 'manual'>> = {
  WRITE_UNANSWERED: 'unknown',
  NO_ENDPOINT: 'manual',
};

/** Converts any thrown value to the status of a step. */
export function failure(error: unknown): Failure {
  const named = error instanceof DexsyncError ? error : diskError(error);
  if (named === undefined) return { is: 'failed', code: 'UNEXPECTED', message: reasonOf(error) };
  const { code, message, hint } = named;
  return { is: STATUS_OF[code] ?? 'failed', code, message, ...omitUndefined({ hint }) };
}

/** The status of a step that did not begin because the apply stopped. */
export const notBegun = (stopped: Failure | undefined): StepStatus => ({
  is: 'skipped',
  because: 'stopped',
  ...(stopped === undefined ? {} : { code: stopped.code }),
});

/** The status of a step that had begun when another one met the reason for which the apply stops. */
export const brokenOff = (stopped: Failure): Failure => ({
  ...stopped,
  is: 'failed',
  message: `The step's other writes were not sent: ${stopped.message}`,
});

/** Reports that buffered outcomes may be lost; what the next plan needs is recorded before each write. */
export const unrecordedEnd = ({ message }: DexsyncError): Event => ({
  type: 'diagnostic',
  diagnostic: {
    severity: 'error',
    code: 'ledger-behind',
    message: `The ledger does not have the results of the last steps: ${message}`,
    hint: 'Nothing needs to be repaired: run the command again as soon as the ledger can be reached; it finds out what was done, and records it.',
  },
});
