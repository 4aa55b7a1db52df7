import { omitUndefined } from '#base/omit-undefined.js';
import { quoted } from '#base/printable.js';
import { shellWord } from '#base/shell-word.js';
import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import { isOpen, type JobState, nameOfRuns, type OpenRuns, type ValidationCounts } from '../model/job-state.js';
import type { OpenRunsSeen, Write } from '../model/plan.js';
import type { Decision } from './decision.js';
import { digest } from './normal-form.js';
import { isSettled } from './settled-jobs.js';

/** Decides what happens to the imports of a plan, each with regard to the imports that it waits for. */
export function decideJobs(jobs: readonly JobFacts[]): (Decision | undefined)[] {
  const decided = jobs.map((job) => ({ job, one: decideJob(withoutOvertaken(job, jobs)) }));
  const importing = new Set(decided.flatMap(({ one }) => (one?.action === 'import' ? [one.address] : [])));
  const waiting = new Set(jobs.flatMap((job) => (waitsForPerson(job) ? [job.address] : [])));
  return decided.map(({ job, one }) => {
    if (one?.action !== 'import' || job.needs.length === 0) return one;
    const held = job.needs.filter((address) => waiting.has(address));
    if (held.length > 0 && one.reason !== 'unfinished') return holdBack(job, held);
    const first = job.needs.filter((address) => importing.has(address));
    const isOrAre = first.length === 1 ? 'is' : 'are';
    return first.length === 0
      ? one
      : { ...one, message: `${one.message} It is validated after ${list(first)} ${isOrAre} committed.` };
  });
}

/** Drops a rejection after an import that the rows refer to was committed: they may pass now. */
function withoutOvertaken(job: JobFacts, jobs: readonly JobFacts[]): JobFacts {
  const { state, ...rest } = job;
  if (state?.state !== 'rejected') return job;
  const later = jobs.some(
    (other) => job.needs.includes(other.address) && other.state?.state === 'committed' && other.state.at > state.at,
  );
  return later ? rest : job;
}

const waitsForPerson = ({ commits, state }: JobFacts): boolean => commits === 'never' && state?.state !== 'committed';

/** Blocks an import whose rows need records that wait for a manual commit, or delete what those imports do not have. */
function holdBack(job: JobFacts, held: readonly Address[]): Decision {
  const message = `${waitingRows(job)} ${list(held)}, which ${held.length === 1 ? 'waits' : 'wait'} for a manual commit: \`dexsync import list\` shows the run.`;
  return block(job, 'dependency-blocked', message);
}

const waitingRows = ({ rows, source, request }: JobFacts): string =>
  request.content === undefined
    ? `${rowCount(rows)} of ${source} ${rows === 1 ? 'refers' : 'refer'} to records of`
    : `${rowCount(rows)} that ${source} does not have ${rows === 1 ? 'is' : 'are'} deleted after`;

const list = (addresses: readonly Address[]): string =>
  addresses.length === 1 ? String(addresses[0]) : `${addresses.slice(0, -1).join(', ')} and ${addresses.at(-1)}`;

/** Decides what happens to one import; undefined if its content was settled before, or if none of its rows is sent. */
export function decideJob(job: JobFacts): Decision | undefined {
  const { state } = job;
  if (state !== undefined && isOpen(state)) return resume(job, state);
  if (state?.state === 'committed' && job.found !== undefined) return learnRows(job, state);
  if (state !== undefined && isSettled(state, job)) return decideSettled(job, state);
  const blocked = blockNew(job);
  if (blocked !== undefined) return blocked;
  if (job.rows === 0 && job.unsent !== undefined) return undefined;
  const before = state !== undefined;
  return {
    ...jobBase(job),
    action: 'import',
    reason: before ? reasonAgain(job) : 'not-imported',
    message: `${emptied(job)}${sentRows(job)} through ${job.definition}.${addedUp(job)}${editions(job)}${removal(job)}`,
    writes: [importWrite(job)],
    ...previewOf(job),
  };
}

function reasonAgain({ again, when }: JobFacts): Decision['reason'] {
  if (again === 'values lost') return 'dead-reference';
  return again === 'asked' ? 'asked' : when === 'always' ? 'always' : 'not-imported';
}

/** Says whose values are no longer in the workspace. */
function emptied({ emptied: names = [] }: JobFacts): string {
  if (names.length === 0) return '';
  const what = names.length === 1 ? 'The attribute' : 'The attributes';
  const was = names.length === 1 ? 'was deleted and created' : 'were deleted and created';
  return `${what} ${names.map(quoted).join(', ')} ${was} again since the last commit, so the values are gone. `;
}

/** Blocks an import of which it is unknown what to send, or of which the commit rule accepts nothing. */
function blockNew(job: JobFacts): Decision | undefined {
  if (job.unclear !== undefined) return blockUnclear(job, job.unclear);
  if (job.findings.accepted === 'no') return blockFindings(job);
  return job.uncompared === undefined ? undefined : blockUncompared(job, job.uncompared);
}

const addedUp = ({ repeated = 0 }: JobFacts): string => {
  if (repeated === 0) return '';
  return ` ${repeated} more ${repeated === 1 ? 'row repeats a line and is added to it' : 'rows repeat lines and are added to them'}.`;
};

const editions = ({ editions: count = 0 }: JobFacts): string => {
  if (count === 0) return '';
  const files =
    count === 1
      ? '1 file comes with them and becomes a new edition'
      : `${count} files come with them and become new editions`;
  return ` ${files}, even with the same content.`;
};

/** Says what an undo of deleted items or files can restore, and that an undo does not restore all. */
function removal({ mode, records, request, sent }: JobFacts): string {
  if (records !== 'items' && records !== 'files') return '';
  if (mode === 'CREATE' && sent.undoes !== undefined)
    return ` The ${records} get other GUIDs; their times, revisions and history are not restored.`;
  if (mode !== 'DELETE') return '';
  return request.spec.beforeImage === true
    ? ` An undo can create the ${records} again${RESTORED[records]}, but not their GUIDs, times, revisions and history.`
    : ` Without \`beforeImage: true\` no undo can create the ${records} again.`;
}

const RESTORED = {
  items: ', with their BOM lines, uses, files and sourcing',
  files: ' that have no content of their own',
};

/** Records a commit that this ledger lacks: another ledger knows of it, or this one was lost. */
function learnRows(job: JobFacts, { runs, at, rows }: Extract<JobState, { failed: number }>): Decision {
  const by = nameOfRuns(runs) ?? 'a run';
  const message =
    `${rowCount(rows)} of ${job.source} were committed by ${by} on ${at.slice(0, 10)}, which is not in the ledger yet. ` +
    'The ledger records it; nothing is sent.';
  return {
    ...jobBase(job),
    action: 'adopt',
    reason: 'imported-before',
    message,
    writes: [{ ...importWrite(job), done: 'before' }],
  };
}

function blockUnclear(job: JobFacts, { runs, at }: NonNullable<JobFacts['unclear']>): Decision {
  const message = `The ledger has no record of ${job.source}. ${capitalize(runs)} of ${at.slice(0, 10)} committed the same number of rows through ${job.definition}, and its source can no longer be read. \`--reimport ${shellWord(job.address)}\` sends them.`;
  return block(job, 'not-verifiable', message);
}

function decideSettled(job: JobFacts, state: JobState): Decision | undefined {
  if (state.state === 'rejected') return blockRejected(job, state);
  return state.state === 'lost' ? blockLost(job, state) : undefined;
}

function blockLost(job: JobFacts, { runs }: Extract<JobState, { state: 'lost' }>): Decision {
  const message =
    `${capitalize(nameOfRuns(runs) ?? 'a run')} of ${job.source} was being committed and is no longer in the workspace, so ` +
    'it is unknown whether its rows were committed. Check the records in the workspace; `dexsync import FILE --definition NAME --force` sends ' +
    'them again.';
  return block(job, 'unfinished', message);
}

function resume(job: JobFacts, { runs, state, validated }: OpenRuns): Decision {
  const number = runs[0]?.number;
  const reference: OpenRunsSeen = {
    run: digest(runs.map(({ run }) => run)),
    parts: runs.map(({ run, first, last }) => ({ run: digest(run), first, last })),
    phase: state,
    ...omitUndefined({ number, validated }),
  };
  return {
    ...jobBase(job),
    action: 'import',
    ...(validated === undefined || state === 'committing'
      ? openReason(job, runs)
      : reviewedReason(job, runs, validated)),
    writes: [{ ...importWrite(job), resume: reference }],
    ...previewOf(job),
  };
}

const openReason = ({ source }: JobFacts, runs: OpenRuns['runs']): Pick<Decision, 'reason' | 'message'> => ({
  reason: 'unfinished',
  message: `${capitalize(nameOfRuns(runs) ?? 'a run')} of ${source} ${runs.length === 1 ? 'was' : 'were'} left unfinished by an earlier command; ${runs.length === 1 ? 'it is' : 'they are'} resumed, not sent again.`,
});

const reviewedReason = (
  { source }: JobFacts,
  runs: OpenRuns['runs'],
  { rows, failed }: ValidationCounts,
): Pick<Decision, 'reason' | 'message'> => ({
  reason: 'reviewed',
  message: `${rowCount(rows)} of ${source}, validated by ${nameOfRuns(runs) ?? 'a run'}: ${failed} failed. Apply commits the run.`,
});

/** Phrases what is sent, such as "3 of 40 rows of parts.csv (`send: changed`)". */
function sentRows(job: JobFacts): string {
  const { rows, unsent = 0, source, request } = job;
  if (request.content !== undefined) return `${rowCount(rows)} that ${source} does not have`;
  if (unsent === 0) return `${rowCount(rows)} of ${source}`;
  return `${rows} of ${rowCount(rows + unsent)} of ${source} (\`${sendOption(job)}\`)`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const rowCount = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

function blockRejected(job: JobFacts, state: Extract<JobState, { failed: number }>): Decision {
  const message =
    `${state.failed} of ${state.rows} rows failed when ${job.source} was validated on ${state.at.slice(0, 10)}, ` +
    'and nothing was committed. It is tried again when the file, the definition or the commit rule changes; `dexsync import FILE --definition NAME` runs it now.';
  return block(job, 'rejected-before', message);
}

function blockUncompared(job: JobFacts, why: string): Decision {
  const message =
    `The rows of ${job.source} were not compared with the workspace (${why}), so it is unknown which of them \`${sendOption(job)}\` means, and nothing is sent. ` +
    '`--preview full` compares them at any cost; `send: all` sends all.';
  return { ...block(job, 'not-verifiable', message), ...previewOf(job) };
}

const sendOption = ({ request }: JobFacts): string => `send: ${request.spec.send}`;

function blockFindings(job: JobFacts): Decision {
  const { errors } = job.findings;
  const message =
    errors === 0
      ? `${job.source} has warnings, and \`failOn: warning\` does not accept any.`
      : `${job.source} has ${errors} ${errors === 1 ? 'error' : 'errors'} that the commit rule does not accept.`;
  return { ...block(job, 'findings', message), ...previewOf(job) };
}

const importWrite = ({ key, rows, request }: JobFacts): Extract<Write, { verb: 'import' }> => ({
  verb: 'import',
  key,
  rows,
  request,
});

const previewOf = ({ preview }: JobFacts): Pick<Decision, 'preview'> => (preview === undefined ? {} : { preview });

const block = (job: JobFacts, reason: Decision['reason'], message: string): Decision => ({
  ...jobBase(job),
  action: 'blocked',
  reason,
  message,
  writes: [],
});

const jobBase = ({ address, key, origin }: JobFacts) => ({
  address,
  fields: [],
  fingerprint: key,
  origin,
});
