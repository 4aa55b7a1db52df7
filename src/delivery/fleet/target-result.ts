import { DexsyncError, type ErrorCode, EXIT } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Summary } from '#core/stream/event.js';
import type { TargetReason, TargetResult } from '#core/stream/fleet-event.js';

/** How an environment of a rollout ended, as its record keeps it. */
export interface TargetEnd extends TargetReason {
  readonly is: TargetResult;
}

/** Failures of the surroundings, before anything was done: they pass by themselves, or somebody else ends them. */
const PASSING: readonly ErrorCode[] = [
  'NETWORK',
  'SERVICE_ERROR',
  'ANSWER_NOT_JSON',
  'LOCKED',
  'LEDGER_UNREACHABLE',
  'LEDGER_ELSEWHERE',
  'QUOTA_EXHAUSTED',
  'GATES_CLOSED',
];

/** The first step of an apply that was not done, and why. */
export interface Failure {
  readonly address: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** What was seen of an apply while it ran. */
export interface SeenApply {
  /** Set if it stopped between two steps, since the daily quota is used up until then. */
  readonly quota: () => { readonly until: string | undefined } | undefined;
  readonly failure: () => Failure | undefined;
}

/** How an apply ended; undefined if it was interrupted, so that it continues later. */
export function endOfApply(summary: Summary | undefined, seen: SeenApply): TargetEnd | undefined {
  if (summary === undefined || summary.exitCode === EXIT.interrupted) return undefined;
  const { exitCode, failed, unknown, skipped, blocked, manual, rows } = summary;
  if (exitCode === EXIT.done || exitCode === EXIT.differences) return { is: 'done' };
  const counts = { failed, unknown, skipped, blocked, manual, 'failed rows': rows.failed };
  const parts = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : `${count} ${what}`));
  const { address, message: why, ...rest } = seen.failure() ?? {};
  const first = address === undefined ? '' : ` ${address}: ${why}`;
  const message = `The apply was not complete: ${parts.join(', ')}.${first}`;
  const quota = seen.quota();
  if (quota !== undefined && unknown === 0)
    return { is: 'deferred', code: 'QUOTA_EXHAUSTED', message, ...omitUndefined(quota) };
  const { code, hint } = rest as Partial<Failure>;
  // What was written is found in the workspace once the ledger is back.
  if (code === 'LEDGER_UNREACHABLE') return { is: 'deferred', code, message, ...omitUndefined({ hint }) };
  return { is: unknown > 0 ? 'unknown' : 'failed', message, ...omitUndefined({ code, hint }) };
}

/** What an error of an apply means for its environment. Throws what ends the whole rollout. */
export function endOfError(error: unknown): TargetEnd | undefined {
  if (!(error instanceof DexsyncError) || error.code === 'DISK') throw error;
  if (error.code === 'INTERRUPTED') return undefined;
  const { code, message, hint } = error;
  return { is: PASSING.includes(code) ? 'deferred' : 'failed', code, message, ...omitUndefined({ hint }) };
}
