import {
  type Comparison,
  type Drift,
  EXIT,
  type ExitCode,
  type FleetPlan,
  type ManualSteps,
  type Plan,
} from '../library/library.js';

/** Flags that decide the exit code of a plan. */
export interface PlanExitFlags {
  readonly manual: ManualSteps;
  readonly detailedExitcode?: boolean;
}

/** Steps that an apply could not do take precedence over those that it would do. */
export function exitCodeOfPlan({ summary, steps }: Plan, { manual, detailedExitcode }: PlanExitFlags): ExitCode {
  const left = summary.blocked + (manual === 'fail' ? summary.manual : 0);
  if (left > 0) return EXIT.incomplete;
  return detailedExitcode === true && steps.length > summary.manual ? EXIT.differences : EXIT.done;
}

/** An environment that could not be planned is not done. */
export function exitCodeOfFleetPlan({ groups, problems }: FleetPlan, flags: PlanExitFlags): ExitCode {
  return problems.length > 0 ? EXIT.incomplete : firstThatHolds(groups.map(({ plan }) => exitCodeOfPlan(plan, flags)));
}

/** Imports that could not be compared do not count as unchanged. */
export function exitCodeOfDrift({ objects, imports = [] }: Drift): ExitCode {
  if (imports.some(({ code }) => code !== undefined)) return EXIT.incomplete;
  return objects.length > 0 || imports.some(({ changes }) => changes.length > 0) ? EXIT.differences : EXIT.done;
}

/** Objects that could not be compared do not count as equal. */
export function exitCodeOfDiff({ objects }: Comparison): ExitCode {
  if (objects.some(({ what }) => what !== 'unclear')) return EXIT.differences;
  return objects.length > 0 ? EXIT.incomplete : EXIT.done;
}

/** The order in which codes decide (design, section 10). */
const FIRST = [
  ...[EXIT.interrupted, EXIT.invalid, EXIT.login, EXIT.locked, EXIT.stale, EXIT.failed, EXIT.rowsFailed],
  ...[EXIT.incomplete, EXIT.differences],
];

/** The exit code of a command that worked in several environments. */
export const firstThatHolds = (codes: readonly ExitCode[]): ExitCode =>
  FIRST.find((code) => codes.includes(code)) ?? EXIT.done;
