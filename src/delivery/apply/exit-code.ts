import { EXIT, type ExitCode } from '#base/errors.js';
import type { StepStatus, Summary } from '#core/stream/event.js';
import { FINAL } from './failure.js';

/** Whether steps that are left to a person make an apply incomplete, or are only shown. */
export type ManualSteps = 'fail' | 'warn';

/** How the exit code of an apply is chosen. */
export interface ExitRule {
  readonly manual?: ManualSteps | undefined;
  /** `different`: having done something and having nothing to do end with different codes. */
  readonly doneIs?: 'different' | undefined;
  /** `behind`: the ledger lacks the last results. What is not recorded is not done. */
  readonly ledger?: 'behind' | undefined;
}

type Counts = Pick<Summary, 'done' | 'failed' | 'unknown' | 'skipped' | 'blocked' | 'manual'>;

/** Chooses the exit code of an apply (design, section 9). */
export function chooseExitCode(
  statuses: readonly StepStatus[],
  counts: Counts,
  failedRows: number,
  { manual = 'fail', doneIs, ledger }: ExitRule = {},
): ExitCode {
  const ofSteps = codeOfSteps(statuses, manual === 'warn' ? { ...counts, manual: 0 } : counts, failedRows);
  const exitCode = ofSteps === EXIT.done && ledger === 'behind' ? EXIT.incomplete : ofSteps;
  return exitCode === EXIT.done && doneIs === 'different' && counts.done > 0 ? EXIT.differences : exitCode;
}

function codeOfSteps(statuses: readonly StepStatus[], counts: Counts, failedRows: number): ExitCode {
  const failedWith = (code: string): boolean => statuses.some((status) => 'code' in status && status.code === code);
  const stopped = statuses.some((status) => status.is === 'skipped' && status.because === 'stopped');
  const final = FINAL.some(failedWith);
  if (failedWith('INTERRUPTED') || (stopped && !final)) return EXIT.interrupted;
  if (['LOGIN_REFUSED', 'WORKSPACE_MISMATCH', 'PERMISSION'].some(failedWith)) return EXIT.login;
  if (failedWith('LEASE_LOST')) return EXIT.locked;
  if (['UNEXPECTED', 'DISK'].some(failedWith)) return EXIT.failed;
  if (failedRows > 0) return EXIT.rowsFailed;
  return counts.failed + counts.unknown + counts.skipped + counts.blocked + counts.manual > 0
    ? EXIT.incomplete
    : EXIT.done;
}
