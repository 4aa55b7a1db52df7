import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { type JobRun, nameOfRuns } from '#core/model/job-state.js';
import type { ImportRun } from '#service/import-runs.js';
import { saysAbsent } from '#service/refusal-meaning.js';
import { ServiceError } from '#service/service-error.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';
import { adviseOnChange } from './advise-on-change.js';
import { type RunInput, runsOfJob, type SentRun } from './run-input.js';
import { createUpload } from './upload.js';

/** Returns a run for each part of the rows: reads known runs again, posts the others, and records each at once. */
export async function sendRuns(input: RunInput): Promise<SentRun[]> {
  const { prepared, recorder, resume = [] } = input;
  const found = await Promise.all(resume.map((job) => resumeRun(job, input)));
  const known = found.flatMap((one) => (one === undefined ? [] : [one]));
  const sent: SentRun[] = [];
  for (const [index, part] of prepared.parts.entries()) {
    const taken = known.find(({ job }) => job.first === part.first);
    const one = taken === undefined ? await post(part, input) : { ...taken, part };
    sent.push(one);
    if (taken === undefined)
      await recorder.open([...sent, ...behind(known, index, prepared.parts)].map(({ job }) => job));
  }
  return sent;
}

const behind = <T extends { readonly job: JobRun }>(
  known: readonly T[],
  index: number,
  parts: readonly SpoolPart[],
): T[] => known.filter(({ job }) => job.first > (parts[index]?.first ?? 0));

async function post(part: SpoolPart, input: RunInput): Promise<SentRun> {
  const { prepared, definition, signal, emit } = input;
  if (signal.aborted) {
    throw new DexsyncError('INTERRUPTED', `Interrupted before ${prepared.file} was sent. Nothing was committed.`);
  }
  const files = await prepared.files?.archiveOf(part.first, part.last);
  const upload = { ...createUpload(prepared, part, emit), ...omitUndefined({ files }) };
  const run = await input
    .runsOf(definition)
    .post(upload)
    .catch((error: unknown) => tooLarge(adviseOnChange(error), part, prepared));
  const { first, last } = part;
  const number = run.number === undefined ? {} : { number: run.number };
  return { job: { run: run.guid, ...number, definition, first, last, commit: 'no' }, part, run };
}

const TOO_LARGE = 413;

/** Suggests smaller runs if the service refuses the size of one: its limit is not published (interface 8). */
function tooLarge(error: unknown, { first, last }: SpoolPart, { original }: PreparedImport): never {
  if (!(error instanceof ServiceError) || error.status !== TOO_LARGE) throw error;
  const rows = Math.max(1, Math.ceil((last - first + 1) / 4));
  const several = `Set \`rowsPerRun: ${rows}\` in the manifest, or use \`--rows-per-run ${rows}\`, to send the rows in several runs.`;
  throw error.withHint(original === undefined ? several : `Leave out \`upload: original\`. ${several}`);
}

/** Reads a known run. One that is gone before it was committed is posted again. */
async function resumeRun(job: JobRun, input: RunInput): Promise<{ job: JobRun; run: ImportRun } | undefined> {
  try {
    const run = await runsOfJob(job, input).read(job.run);
    return { job: { ...job, commit: commitOf(job, run) }, run };
  } catch (error) {
    if (!saysAbsent(error)) throw error;
    if (job.commit === 'no') return undefined;
    throw gone(job, input, error);
  }
}

/** The service decides: a requested commit may not have arrived, and is never taken back once it did. */
function commitOf({ commit }: JobRun, run: ImportRun): JobRun['commit'] {
  if (!run.commit) return 'no';
  return commit === 'no' ? 'begun' : commit;
}

function gone(job: JobRun, { prepared: { file } }: RunInput, cause: unknown): DexsyncError {
  const called = nameOfRuns([job])?.replace('run', 'Run') ?? 'The run';
  return new DexsyncError(
    'RUN_GONE',
    `${called} of ${file} is no longer in the workspace. It was being committed, so its rows may or may not be applied.`,
    {
      hint: 'Check its records in the workspace; `dexsync import FILE --definition NAME --force` sends them again.',
      cause,
    },
  );
}
