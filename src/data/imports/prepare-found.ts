import { mkdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { COMMAND_LINE, type Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { pathExists } from '#base/files/path-exists.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { parseImportDefinition } from '#core/kinds/import-definition.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import { type JobState, nameOfRuns, sentRowsOnly } from '#core/model/job-state.js';
import { EMPTY_STATE } from '#ledger/fold.js';
import type { Connection } from '#project/connection/connection.js';
import { type Host, withoutEvents } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import type { PreparedFiles } from '../bulk/archive/prepared-files.js';
import { fetchOriginal, fetchSubmitted } from './fetch-submitted.js';
import type { Job } from './job.js';
import type { JobInput } from './job-facts.js';
import type { FoundImport } from './known-imports.js';
import { prepareJob } from './prepare-job.js';

/** An import from the journals, and what preparing its rows again needs. */
export interface PrepareFoundOptions extends Pick<JobInput, 'project' | 'folder' | 'observation'> {
  readonly found: FoundImport;
  /** By default, its runs are open, so that the rows are exactly those that each run was sent. */
  readonly state?: JobState;
}

/** Prepares the rows from the source, if that still has the same rows; otherwise from what the runs were sent. */
export async function prepareFound(
  { found, state = asOpen(found.job), ...given }: PrepareFoundOptions,
  connection: Connection,
  host: Host,
): Promise<Job> {
  const { key, request } = found;
  const common = inputOf(found, state, { ...given, workspace: connection.workspace.name, host });
  const job = await prepareSource(found, state, common);
  if (job?.facts.key === key) return job;
  const { path, desired } = await submittedRows(found, state, common.folder, connection);
  emitDiagnostics(host, common.project.folder, [othersByNow(found)]);
  const folder = join(common.folder, 'sent');
  await mkdir(folder, { mode: 0o700 });
  const { manifest } = common;
  const asked = { ...common, manifest: { ...manifest, spec: desired }, path, folder };
  const again = { ...(await prepareJob(asked)), manifest };
  if (again.facts.key === key) return { ...again, facts: { ...again.facts, request } };
  const recorded: Job = { ...again, facts: { ...again.facts, key, state, request } };
  if (isAllSent(again, state)) return recorded;
  if (isCommittedWithFiles(found, again))
    return { ...recorded, prepared: { ...again.prepared, files: FILES_ELSEWHERE } };
  const called = nameOfRuns(state.runs) ?? 'the run';
  const message = `The service returned other rows of ${called} than it was sent, and ${found.file} does not have them either.`;
  throw new DexsyncError('ANSWER_UNEXPECTED', message, {
    hint: 'Import the file as it is now.',
  });
}

type CommonInput = Omit<JobInput, 'path'>;

/** What preparing the rows needs wherever they come from, with a ledger of this import alone. */
function inputOf(
  found: FoundImport,
  state: JobState,
  given: Pick<JobInput, 'project' | 'folder' | 'observation' | 'workspace' | 'host'>,
): CommonInput {
  const { request, key, facts } = found;
  return {
    ...given,
    manifest: rebuildManifest(found),
    definition: { ...request.definition, spec: parseImportDefinition(request.definition.spec) },
    state: { ...EMPTY_STATE, imports: new Map([[key, { ...found, job: state }]]) },
    ...omitUndefined({ retries: facts?.retries, undoes: facts?.undoes }),
  };
}

/**
 * Prepares the source as it is now; returns undefined if it cannot be read. Its findings are not shown: if it was
 * replaced, it is not what is resumed.
 */
async function prepareSource({ request }: FoundImport, state: JobState, common: CommonInput): Promise<Job | undefined> {
  const { project } = common;
  const path = resolve(project.folder, request.path);
  if (!(await pathExists(path))) return undefined;
  const only = sentRowsOnly(state);
  const input: JobInput = {
    ...common,
    ...omitUndefined({ only }),
    ...(request.files === undefined ? {} : { filesPath: resolve(project.folder, request.files) }),
    ...{ host: withoutEvents(common.host, 'findings'), path },
  };
  return prepareJob(input).catch(unlessUnreadable);
}

const unlessUnreadable = (error: unknown): undefined => {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  return undefined;
};

/** Whether an import that sent some rows of its file has exactly these rows in the service. */
const isAllSent = ({ prepared }: Job, state: JobState): boolean =>
  sentRowsOnly(state) !== undefined && state.runs.length === 1 && state.runs[0]?.last === prepared.rows;

/** Whether all rows of a committed import are there; its key also covers files, which runs do not return. */
const isCommittedWithFiles = ({ request, state, job }: FoundImport, { prepared }: Job): boolean =>
  request.files !== undefined && state === 'committed' && job.runs.at(-1)?.last === prepared.rows;

/** The files of an import that are no longer here. They are never sent again. */
const FILES_ELSEWHERE: PreparedFiles = {
  ...{ count: 0, bytes: 0, digest: '' },
  archiveOf: () => Promise.reject(new DexsyncError('FILE_UNREADABLE', 'The files of this import are no longer here.')),
};

/** Fetches what the service was sent: the original file as it was, or otherwise only the mapped columns. */
async function submittedRows(found: FoundImport, state: JobState, folder: string, { client }: Connection) {
  const { spec, path } = found.request;
  if (spec.upload === 'original') {
    const copy = join(folder, `submitted${extname(path)}`);
    return { path: await fetchOriginal(state.runs, copy, client), desired: spec };
  }
  const { definition: name, commit = 'clean' } = spec;
  const desired = { definition: name ?? null, commit, source: { file: found.file } };
  return { path: await fetchSubmitted(state.runs, join(folder, 'submitted.csv'), client), desired };
}

const othersByNow = ({ file }: FoundImport): Diagnostic => ({
  severity: 'warning',
  code: 'source-changed',
  message: `${file} now contains other rows; dexsync uses the rows that were sent, with their line numbers in the upload.`,
  origin: COMMAND_LINE,
});

function asOpen(job: JobState): JobState {
  const only = sentRowsOnly(job);
  return { state: 'posted', runs: job.runs, ...omitUndefined({ only }) };
}

/** The manifest that stands for what an import asked for. */
export const rebuildManifest = ({ address, request }: FoundImport): Manifest =>
  manifestAt(COMMAND_LINE, address, request.spec);
