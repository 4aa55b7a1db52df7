import { DexsyncError } from '../errors.js';
import { isOpen, type JobState, nameOfRuns, type OpenRuns, reopenedState } from '../model/job-state.js';
import type { FoundImport } from './known-imports.js';

/** `resume`: by its own commit rule. `commit`: whatever that rule says. */
export type How = 'resume' | 'commit';

/** Its runs as open ones, or why there is nothing to go on with. */
export function reopenImport({ job, address, committedBy }: FoundImport, how: How): OpenRuns {
  const runs = nameOfRuns(job.runs);
  const called = runs === undefined ? address : `${address} (${runs})`;
  if (committedBy !== undefined && job.state !== 'committing') {
    const message = `The same rows were committed by ${nameOfRuns(committedBy) ?? 'another run'}, so ${called} is not committed too.`;
    throw new DexsyncError('USAGE', message, {
      hint: '`dexsync import FILE --definition NAME --force` sends them once more.',
    });
  }
  const open = how === 'commit' ? reopenedState(job) : job;
  if (isOpen(open)) return open;
  throw new DexsyncError('USAGE', `${called} ${WHY_NOT[job.state as Ended]}`, { hint: HINTS[job.state as Ended] });
}

type Ended = Exclude<JobState, OpenRuns>['state'];

const WHY_NOT: Readonly<Record<Ended, string>> = {
  committed: 'was committed already.',
  validated: 'was validated and waits for a person.',
  rejected: 'was rejected by its commit rule.',
  failed: 'came to nothing; nothing of it was committed.',
  lost: 'is not in the workspace any more; it was being committed when it was last seen.',
};

const HINTS: typeof WHY_NOT = {
  committed: '`dexsync import show RUN` tells what came of it.',
  validated: '`dexsync import commit RUN` commits it.',
  rejected:
    '`dexsync import commit RUN` commits the rows that did not fail; `dexsync import retry RUN` sends the others.',
  failed: 'Import the file again.',
  lost: 'Look at its records; `dexsync import FILE --definition NAME --force` sends them again.',
};
