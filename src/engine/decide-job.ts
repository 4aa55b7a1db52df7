import type { JobFacts } from '../model/job-facts.js';
import type { JobState } from '../model/job-state.js';
import type { RunReference, Write } from '../model/plan.js';
import type { Decision } from './decision.js';

/** What has to happen to one import; undefined where its content was settled before. */
export function decideJob(job: JobFacts): Decision | undefined {
  const { state } = job;
  if (state !== undefined && isOpen(state)) return resume(job, state);
  const waits = state?.state === 'validated' && job.commits === 'never';
  if (job.when === 'changed' && (state?.state === 'committed' || waits)) return undefined;
  if (job.when === 'changed' && state?.state === 'rejected') return rejected(job, state);
  if (job.findings.errors > 0 && job.findings.accepted === 'no') return findings(job);
  const always = job.when === 'always' && state !== undefined;
  return {
    ...common(job),
    action: 'import',
    reason: always ? 'always' : 'not-imported',
    message: `${job.rows} ${job.rows === 1 ? 'row' : 'rows'} of ${job.source} through ${job.definition}.`,
    writes: [write(job)],
  };
}

type OpenState = Extract<JobState, { state: 'posted' | 'committing' }>;

const isOpen = (state: JobState): state is OpenState => state.state === 'posted' || state.state === 'committing';

function resume(job: JobFacts, { run, number, state }: OpenState): Decision {
  const reference: RunReference = { run, phase: state, ...(number === undefined ? {} : { number }) };
  const called = number === undefined ? 'A run' : `Run #${number}`;
  const message = `${called} of ${job.source} was left open by an earlier apply; it is taken up again, not posted twice.`;
  return {
    ...common(job),
    action: 'import',
    reason: 'unfinished',
    message,
    writes: [{ ...write(job), resume: reference }],
  };
}

function rejected(job: JobFacts, state: Extract<JobState, { failed: number }>): Decision {
  const message =
    `${state.failed} of ${state.rows} rows failed when ${job.source} was validated on ${state.at.slice(0, 10)}, ` +
    'and nothing was committed. It is tried again once the file or the definition has changed; ' +
    '`dexsync import FILE --definition NAME` tries it now.';
  return { ...common(job), action: 'blocked', reason: 'rejected-before', message, writes: [] };
}

function findings(job: JobFacts): Decision {
  const { errors } = job.findings;
  const message = `${job.source} has ${errors} ${errors === 1 ? 'error' : 'errors'} that the commit rule does not accept.`;
  return { ...common(job), action: 'blocked', reason: 'findings', message, writes: [] };
}

const write = ({ key, rows }: JobFacts): Extract<Write, { verb: 'import' }> => ({ verb: 'import', key, rows });

const common = ({ address, key, origin }: JobFacts) => ({
  address,
  fields: [],
  fingerprint: key,
  origin,
});
