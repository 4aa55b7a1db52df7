import { access, mkdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { COMMAND_LINE, type Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { parseImportDefinition } from '#core/kinds/import-definition.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import { type JobState, nameOfRuns, onlyOf } from '#core/model/job-state.js';
import { EMPTY_STATE } from '#ledger/fold.js';
import type { ProjectFolders } from '#project/config/environment.js';
import type { Connection } from '#project/connection/connection.js';
import { type Host, withoutEvents } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import type { PreparedFiles } from '../bulk/archive/prepared-files.js';
import type { Job } from './job.js';
import type { FoundImport } from './known-imports.js';
import { prepareJob } from './prepare-job.js';
import { fetchOriginal, fetchSubmitted } from './submitted-rows.js';

/** An import from the journals, and what preparing its rows again needs. */
export interface PrepareFoundOptions {
  readonly found: FoundImport;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly project: ProjectFolders;
  readonly state: JobState;
  readonly stack: string;
  readonly observation: Parameters<typeof prepareJob>[0]['observation'];
}

/** Prepares the rows from the source, if that still has the same rows; otherwise from what the runs were sent. */
export async function prepareFound(preparing: PrepareFoundOptions, connection: Connection, host: Host): Promise<Job> {
  const { found, manifest, folder, state, project, observation, stack } = preparing;
  const { request, key, facts } = found;
  const definition = { ...request.definition, spec: parseImportDefinition(request.definition.spec) };
  const ledger = {
    ...EMPTY_STATE,
    ...{ jobs: new Map([[key, state]]), imports: new Map() },
    importFacts: new Map(facts === undefined ? [] : [[key, facts]]),
  };
  const sent = {
    stack,
    ...(facts?.retries === undefined ? {} : { retries: facts.retries }),
    ...(facts?.undoes === undefined ? {} : { undoes: facts.undoes }),
  };
  const only = onlyOf(state);
  const some = only === undefined ? {} : { only };
  const common = {
    ...{ definition, observation, workspace: connection.workspace.name },
    ...{ state: ledger, project, host, ...sent },
  };
  const path = resolve(project.folder, request.path);
  const files = filesOf(project.folder, request.files);
  // Findings of a source that was replaced are not shown: that source is not what is resumed.
  const job = await access(path)
    .catch((cause: unknown) =>
      Promise.reject(new DexsyncError('FILE_UNREADABLE', `${path} does not exist.`, { cause })),
    )
    .then(() =>
      prepareJob(
        { ...common, ...some, host: withoutEvents(host, 'findings'), path, ...files, folder },
        { manifest, desired: request.spec },
      ),
    )
    .catch(unlessGone);
  if (job?.facts.key === key) return job;
  const submitted = await submittedRows(preparing, connection);
  emitDiagnostics(host, project.folder, [othersByNow(found)]);
  const own = join(folder, 'sent');
  await mkdir(own, { mode: 0o700 });
  const again = await prepareJob({ ...common, ...submitted, folder: own }, { manifest, ...submitted });
  if (again.facts.key === key) return { ...again, facts: { ...again.facts, request } };
  if (isAllSent(again, state)) return { ...again, facts: { ...again.facts, key, state, request } };
  if (isCommittedWithFiles(found, again)) {
    return {
      ...again,
      prepared: { ...again.prepared, files: FILES_ELSEWHERE },
      facts: { ...again.facts, key, state, request },
    };
  }
  const called = nameOfRuns(state.runs) ?? 'the run';
  throw new DexsyncError('RUN_GONE', `The rows of ${called} are neither in ${found.file} nor in the workspace.`, {
    hint: 'Import the file as it is now.',
  });
}

/** Whether an import that sent some rows of its file has exactly these rows in the service. */
const isAllSent = ({ prepared }: Job, state: JobState): boolean =>
  onlyOf(state) !== undefined && state.runs.length === 1 && state.runs[0]?.last === prepared.rows;

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

const unlessGone = (error: unknown): undefined => {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  return undefined;
};

/** The runs of an import as open ones, so that exactly the rows that they were sent are prepared. */
export function asOpen(job: JobState): JobState {
  const only = onlyOf(job);
  return { state: 'posted', runs: job.runs, ...(only === undefined ? {} : { only }) };
}

/** The manifest that stands for what an import asked for. */
export const manifestOf = ({ address, request }: FoundImport): Manifest =>
  manifestAt(COMMAND_LINE, address, request.spec);

const filesOf = (project: string, files: string | undefined): { filesPath?: string } =>
  files === undefined ? {} : { filesPath: resolve(project, files) };
