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
import type { ProjectFolders } from '#project/config/environment.js';
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
export interface PrepareFoundOptions {
  readonly found: FoundImport;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly project: ProjectFolders;
  readonly state: JobState;
  readonly stack: string;
  readonly observation: JobInput['observation'];
}

/** Prepares the rows from the source, if that still has the same rows; otherwise from what the runs were sent. */
export async function prepareFound(preparing: PrepareFoundOptions, connection: Connection, host: Host): Promise<Job> {
  const { found, manifest, folder, project, state } = preparing;
  const { key, request } = found;
  const common = inputOf(preparing, connection, host);
  const job = await prepareSource(preparing, common);
  if (job?.facts.key === key) return job;
  const { path, desired } = await submittedRows(preparing, connection);
  emitDiagnostics(host, project.folder, [othersByNow(found)]);
  const own = join(folder, 'sent');
  await mkdir(own, { mode: 0o700 });
  const asked = { ...common, manifest: { ...manifest, spec: desired }, path, folder: own };
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

type CommonInput = Omit<JobInput, 'manifest' | 'path' | 'folder'>;

/** What preparing the rows needs wherever they come from, with a ledger of this import alone. */
function inputOf(
  { found: { request, key, facts }, project, state, observation, stack }: PrepareFoundOptions,
  connection: Connection,
  host: Host,
): CommonInput {
  return {
    definition: { ...request.definition, spec: parseImportDefinition(request.definition.spec) },
    ...{ observation, workspace: connection.workspace.name, project, host, stack },
    state: {
      ...EMPTY_STATE,
      jobs: new Map([[key, state]]),
      importFacts: new Map(facts === undefined ? [] : [[key, facts]]),
    },
    ...(facts?.retries === undefined ? {} : { retries: facts.retries }),
    ...(facts?.undoes === undefined ? {} : { undoes: facts.undoes }),
  };
}

/**
 * Prepares the source as it is now; returns undefined if it cannot be read. Its findings are not shown: if it was
 * replaced, it is not what is resumed.
 */
async function prepareSource(
  { found: { request }, manifest, folder, project, state }: PrepareFoundOptions,
  common: CommonInput,
): Promise<Job | undefined> {
  const path = resolve(project.folder, request.path);
  if (!(await pathExists(path))) return undefined;
  const only = sentRowsOnly(state);
  const input: JobInput = {
    ...common,
    ...omitUndefined({ only }),
    ...(request.files === undefined ? {} : { filesPath: resolve(project.folder, request.files) }),
    ...{ host: withoutEvents(common.host, 'findings'), manifest, path, folder },
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
async function submittedRows({ found, folder, state }: PrepareFoundOptions, { client }: Connection) {
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

/** The runs of an import as open ones, so that exactly the rows that they were sent are prepared. */
export function asOpen(job: JobState): JobState {
  const only = sentRowsOnly(job);
  return { state: 'posted', runs: job.runs, ...omitUndefined({ only }) };
}

/** The manifest that stands for what an import asked for. */
export const rebuildManifest = ({ address, request }: FoundImport): Manifest =>
  manifestAt(COMMAND_LINE, address, request.spec);
