import type { JobFacts } from '../model/job-facts.js';
import type { JobState, OpenRun } from '../model/job-state.js';
import { sameJson } from '../model/json.js';
import type { OpenRunSeen, Write } from '../model/plan.js';
import type { Decision } from './decision.js';
import { digest } from './normal-form.js';

/** What has to happen to one import; undefined where its content was settled before. */
export function decideJob(job: JobFacts): Decision | undefined {
  const { state } = job;
  if (state !== undefined && isOpen(state)) return resume(job, state);
  if (state !== undefined && isSettled(state, job)) return settled(job, state);
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

/** Whether the content was dealt with: planning has nothing new to say about its rows. */
export const isDealtWith = (state: JobState | undefined, job: Deciding): boolean =>
  state !== undefined && (isOpen(state) || isSettled(state, job));

type Deciding = Pick<JobFacts, 'when' | 'commits' | 'rule'>;

const isOpen = (state: JobState): state is OpenRun => state.state === 'posted' || state.state === 'committing';

/** A rejection stands under the commit rule that rejected: under another one the rows may pass. */
function isSettled(state: JobState, { when, commits, rule }: Deciding): boolean {
  if (when === 'always') return false;
  if (state.state === 'validated') return commits === 'never';
  if (state.state === 'rejected') return state.rule === undefined || sameJson(state.rule, rule);
  return state.state === 'committed' || state.state === 'lost';
}

function settled(job: JobFacts, state: JobState): Decision | undefined {
  if (state.state === 'rejected') return rejected(job, state);
  return state.state === 'lost' ? lost(job, state) : undefined;
}

function lost(job: JobFacts, { number }: Extract<JobState, { state: 'lost' }>): Decision {
  const called = number === undefined ? 'A run' : `Run #${number}`;
  const message =
    `${called} of ${job.source} was being committed and is not in the workspace any more, so nobody knows whether its rows ` +
    'were. Look at its records there; `dexsync import FILE --definition NAME --force` sends them again.';
  return { ...common(job), action: 'blocked', reason: 'unfinished', message, writes: [] };
}

function resume(job: JobFacts, { run, number, state }: OpenRun): Decision {
  const reference: OpenRunSeen = { run: digest(run), phase: state, ...(number === undefined ? {} : { number }) };
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
    'and nothing was committed. It is tried again once the file, the definition or the commit rule has changed; ' +
    '`dexsync import FILE --definition NAME` tries it now.';
  return { ...common(job), action: 'blocked', reason: 'rejected-before', message, writes: [] };
}

function findings(job: JobFacts): Decision {
  const { errors } = job.findings;
  const message = `${job.source} has ${errors} ${errors === 1 ? 'error' : 'errors'} that the commit rule does not accept.`;
  return { ...common(job), action: 'blocked', reason: 'findings', message, writes: [] };
}

const write = ({ key, rows, request }: JobFacts): Extract<Write, { verb: 'import' }> => ({
  verb: 'import',
  key,
  rows,
  request,
});

const common = ({ address, key, origin }: JobFacts) => ({
  address,
  fields: [],
  fingerprint: key,
  origin,
});
