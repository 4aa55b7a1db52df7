import type { Address } from '../../model/address.js';
import type { JobFacts } from '../../model/job-facts.js';
import type { Step } from '../../model/plan.js';

/** An import whose rows remove or replace something. */
export interface DestructiveImport {
  readonly address: Address;
  readonly mode: Destroying;
  readonly rows: number;
}

const MODES = ['DELETE', 'REPLACE'] as const;
type Destroying = (typeof MODES)[number];

/**
 * Finds imports of the plan that delete or replace records (wire-facts, section 4). Skips those that only validate, and
 * those whose commit was sent before: nothing of them is left to hold back.
 */
export function destructiveImports(steps: readonly Step[], jobs: readonly JobFacts[]): DestructiveImport[] {
  const byAddress = new Map(jobs.map((job) => [job.address, job]));
  return steps.flatMap((step) => {
    const job = byAddress.get(step.address);
    const mode = MODES.find((one) => one === job?.mode);
    if (job === undefined || mode === undefined || job.commits === 'never' || !isToCommit(step)) return [];
    return [{ address: step.address, mode, rows: job.rows }];
  });
}

const isToCommit = ({ writes }: Step): boolean =>
  writes.some((write) => write.verb === 'import' && write.resume?.phase !== 'committing');
