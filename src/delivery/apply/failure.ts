import { DexsyncError, type ErrorCode, reasonOf } from '#base/errors.js';
import { diskError } from '#base/files/disk-error.js';
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

/** What a write that was not done makes of its step. */
export interface Failed {
  readonly is: NonNullable<OutcomeRecord['is']> | 'failed';
  readonly message: string;
}

/** The same as a journal has it. */
export const recordOf = (failed: Failed | undefined): Pick<OutcomeRecord, 'failed' | 'is'> =>
  failed === undefined ? {} : { failed: failed.message, ...(failed.is === 'failed' ? {} : { is: failed.is }) };

/** The workspace has what the journal could not tell: said so, since the next plan will find it done. */
export function unrecordedStatus({ writes }: Step, status: StepStatus, error: unknown): Failure {
  const failed = failure(unwritten(error));
  const isSent = status.is === 'done' && writes.some(({ verb }) => verb !== 'record');
  return isSent ? { ...failed, message: `The write succeeded, but was not recorded: ${failed.message}` } : failed;
}

/** Without its journal an apply must not go on, whatever keeps it from being written. */
export const unwritten = (error: unknown): DexsyncError =>
  error instanceof DexsyncError
    ? error
    : (diskError(error) ??
      new DexsyncError('DISK', `The journal cannot be written: ${reasonOf(error)}.`, { cause: error }));

const STATUS_OF: Partial<Record<ErrorCode, 'unknown' | 'manual'>> = {
  WRITE_UNANSWERED: 'unknown',
  NO_ENDPOINT: 'manual',
};

/** Whatever was thrown, as the status of a step. */
export function failure(error: unknown): Failure {
  const named = error instanceof DexsyncError ? error : diskError(error);
  if (named === undefined) return { is: 'failed', code: 'UNEXPECTED', message: reasonOf(error) };
  const { code, message, hint } = named;
  return { is: STATUS_OF[code] ?? 'failed', code, message, ...(hint === undefined ? {} : { hint }) };
}

/** A step that was not begun because the apply stopped. */
export const notBegun = (stopped: Failure | undefined): StepStatus => ({
  is: 'skipped',
  because: 'stopped',
  ...(stopped === undefined ? {} : { code: stopped.code }),
});

/** A step that was begun when another one came upon the reason for which the apply stops. */
export const brokenOff = (stopped: Failure): Failure => ({
  ...stopped,
  is: 'failed',
  message: `The step's other writes were not sent: ${stopped.message}`,
});

/** Outcomes that were kept back may be lost with the end; what the next plan needs is recorded before each write. */
export const unrecordedEnd = ({ message }: DexsyncError): Event => ({
  type: 'diagnostic',
  diagnostic: {
    severity: 'error',
    code: 'ledger-behind',
    message: `The ledger does not have the results of the last steps: ${message}`,
    hint: 'Nothing needs to be repaired: run the command again as soon as the ledger can be reached; it finds out what was done, and records it.',
  },
});
