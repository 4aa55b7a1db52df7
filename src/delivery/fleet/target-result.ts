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
  'QUOTA_EXHAUSTED',
  'GATES_CLOSED',
];

/**
 * How an apply ended; undefined if it was interrupted, so that it continues later. `quota`: it stopped between two steps,
 * since the daily quota is used up until then.
 */
export function endOfApply(
  summary: Summary | undefined,
  quota: { readonly until: string | undefined } | undefined,
): TargetEnd | undefined {
  if (summary === undefined || summary.exitCode === EXIT.interrupted) return undefined;
  const { exitCode, failed, unknown, skipped, blocked, manual, rows } = summary;
  if (exitCode === EXIT.done || exitCode === EXIT.differences) return { is: 'done' };
  const counts = { failed, unknown, skipped, blocked, manual, 'failed rows': rows.failed };
  const parts = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : `${count} ${what}`));
  const message = `The apply was not complete: ${parts.join(', ')}.`;
  if (quota !== undefined && unknown === 0)
    return { is: 'deferred', code: 'QUOTA_EXHAUSTED', message, ...omitUndefined(quota) };
  return { is: unknown > 0 ? 'unknown' : 'failed', message };
}

/** What an error of an apply means for its environment. Throws what ends the whole rollout. */
export function endOfError(error: unknown): TargetEnd | undefined {
  if (!(error instanceof DexsyncError) || error.code === 'DISK') throw error;
  if (error.code === 'INTERRUPTED') return undefined;
  const { code, message, hint } = error;
  return { is: PASSING.includes(code) ? 'deferred' : 'failed', code, message, ...omitUndefined({ hint }) };
}
