import type { Plan } from '#core/model/plan.js';
import type { StepStatus, Summary } from '#core/stream/event.js';
import type { Outcomes } from './executor.js';
import { chooseExitCode, type ExitRule } from './exit-code.js';

/** Summarizes an apply, with its exit code. */
export function summarise(
  plan: Plan,
  outcomes: Outcomes,
  rows: Summary['rows'],
  { used, remaining }: Summary['requests'],
  rule: ExitRule = {},
): Summary {
  const statuses = [...outcomes.values()];
  const count = (...kinds: StepStatus['is'][]): number => statuses.filter(({ is }) => kinds.includes(is)).length;
  const counts = {
    done: count('done'),
    failed: count('failed'),
    unknown: count('unknown'),
    skipped: count('skipped'),
    blocked: plan.summary.blocked,
    manual: plan.summary.manual + count('manual'),
    unchanged: plan.summary.unchanged,
  };
  return {
    type: 'summary',
    exitCode: chooseExitCode(statuses, counts, rows.failed, rule),
    ...counts,
    rows,
    requests: { used, remaining },
  };
}
