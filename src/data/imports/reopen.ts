import { DexsyncError } from '#base/errors.js';
import { isOpen, type JobState, nameOfRuns, type OpenRuns, reopenedState } from '#core/model/job-state.js';
import { calledRun, type FoundImport } from './known-imports.js';

/** `resume`: by its own commit rule. `commit`: regardless of that rule. */
export type ReopenMode = 'resume' | 'commit';

/** The runs of an import as open ones. Throws USAGE if there is nothing to resume. */
export function reopenImport({ job, address, committedBy }: FoundImport, how: ReopenMode): OpenRuns {
  const called = calledRun({ address, job });
  if (committedBy !== undefined && job.state !== 'committing') {
    const message = `The same rows were already committed by ${nameOfRuns(committedBy) ?? 'another run'}, so ${called} is not committed.`;
    throw new DexsyncError('USAGE', message, {
      hint: 'Use `dexsync import FILE --definition NAME --force` to send them again.',
    });
  }
  const open = how === 'commit' ? reopenedState(job) : job;
  if (isOpen(open)) return open;
  throw new DexsyncError('USAGE', `${called} ${WHY_NOT[job.state as Ended]}`, { hint: HINTS[job.state as Ended] });
}

type Ended = Exclude<JobState, OpenRuns>['state'];

const WHY_NOT: Readonly<Record<Ended, string>> = {
  committed: 'is already committed.',
  validated: 'is validated and waits for a manual commit.',
  rejected: 'was rejected by its commit rule.',
  failed: 'failed; none of its rows were committed.',
  lost: 'is no longer in the workspace; it was being committed when it was last seen.',
};

const HINTS: typeof WHY_NOT = {
  committed: 'Use `dexsync import show RUN` to see the result.',
  validated: 'Use `dexsync import commit RUN` to commit it.',
  rejected:
    'Use `dexsync import commit RUN` to commit the rows that did not fail, then `dexsync import retry RUN` to send the others.',
  failed: 'Import the file again.',
  lost: 'Check its records in the workspace; `dexsync import FILE --definition NAME --force` sends them again.',
};
