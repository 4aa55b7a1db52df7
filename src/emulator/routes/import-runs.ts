import { setTimeout as sleep } from 'node:timers/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { findDefinition } from '../rules/definitions.js';
import {
  type ChangeOf,
  commitRun,
  findRun,
  finishedRun,
  listRuns,
  RUN_SEARCH,
  type RunForm,
  startRun,
} from '../rules/runs.js';
import { refuse, ServiceError } from '../rules/service-error.js';
import type { Caller } from '../rules/workspace.js';
import { detectFileType } from '../sources/read-source.js';
import { writeWhenFree } from '../store/database.js';
import type { ImportDefinition, ImportRun } from '../store/imports.js';
import type { RunContent } from '../store/run-files.js';
import { callerOf } from './admission.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, byRun, contentOf, listEnvelope, nullable, page, person, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const RUNS = '/imports/:guid/runs';
const RUN = `${RUNS}/:run`;
const LOOK_EVERY_MS = 20;

const run = Type.Object({
  guid: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  commit: Type.Boolean(),
  submitFileType: nullable(Type.String()),
  submitWorksheetName: nullable(Type.String()),
  totalCount: Type.Integer(),
  successCount: Type.Integer(),
  errorCount: Type.Optional(Type.Integer()),
  warnings: listEnvelope(Type.Object({ code: Type.Integer(), message: Type.String() })),
  options: Type.Object({
    timeZone: nullable(Type.String()),
    addToChange: nullable(Type.Object({ number: Type.String() })),
  }),
  changes: Type.Array(Type.Unknown()),
  creationDateTime: Type.String(),
  completionDateTime: nullable(Type.String()),
  creator: person,
});

const formFields = { commit: Type.Optional(Type.String()), submitFileType: Type.Optional(Type.String()) };

const runForm = Type.Object({
  ...formFields,
  submitWorksheetName: Type.Optional(Type.String()),
  submitContent: Type.Unsafe<never>({ type: 'string', format: 'binary' }),
  fileContent: Type.Optional(Type.Unsafe<never>({ type: 'string', format: 'binary' })),
});

const runQuery = Type.Object({ ...formFields, submitWorksheetName: Type.Optional(Type.String()) });

const commitBody = Type.Object({ commit: Type.Boolean() }, { additionalProperties: false });

/** Adds the endpoints of import runs (interface 2.2, 2.3, 3.1, 4.2 to 4.5; wire-facts 0 and 4). */
export function importRunRoutes(app: App, services: Services): void {
  const { list, create, update } = services.workspace.dialect.capabilities.importRuns;
  if (list) runReads(app, services);
  if (list) runContents(app, services);
  if (create) runCreation(app, services);
  if (update.length > 0) runCommit(app, services);
}

function runReads(app: App, services: Services): void {
  const { workspace } = services;
  app.get(
    RUNS,
    {
      schema: {
        summary: 'Search runs',
        params: byGuid,
        querystring: searchQuery(RUN_SEARCH),
        response: { 200: listEnvelope(run) },
      },
    },
    async ({ params, query }) => {
      const definition = findDefinition(workspace, params.guid);
      const found = listRuns(workspace, params.guid, query);
      return page(await Promise.all(found.map((one) => showRun(one, definition, services))));
    },
  );
  app.get(RUN, { schema: { summary: 'Get a run', params: byRun, response: { 200: run } } }, async ({ params }) => {
    const definition = findDefinition(workspace, params.guid);
    return showRun(findRun(workspace, params.guid, params.run), definition, services);
  });
}

const CONTENTS = [
  { path: 'errorContent', content: 'error', summary: 'The failed rows, as CSV' },
  { path: 'resultContent', content: 'result', summary: 'All rows, as CSV' },
  { path: 'submitContent', content: 'submit', summary: 'The file as it was submitted' },
] as const satisfies readonly { path: string; content: RunContent; summary: string }[];

function runContents(app: App, { workspace, runFiles }: Services): void {
  const response = contentOf('text/csv', 'application/octet-stream');
  for (const { path, content, summary } of CONTENTS) {
    app.get(`${RUN}/${path}`, { schema: { summary, params: byRun, response } }, async ({ params }, reply) => {
      const find = content === 'submit' ? findRun : finishedRun;
      const { guid, submitFileType } = find(workspace, params.guid, params.run);
      const stream = runFiles.open(guid, content);
      if (!stream) throw new ServiceError({ code: 3522, message: 'The run has no such file.' });
      const isCsv = content !== 'submit' || submitFileType === 'CSV';
      return reply.type(isCsv ? 'text/csv; charset=utf-8' : 'application/octet-stream').send(stream);
    });
  }
}

function runCreation(app: App, services: Services): void {
  const { workspace, runFiles, wake } = services;
  app.post(
    RUNS,
    {
      schema: {
        summary: 'Submit a file to a definition',
        consumes: ['multipart/form-data'],
        params: byGuid,
        querystring: runQuery,
        body: runForm,
        response: { 201: run },
      },
      // The parts are read one by one below, since a schema cannot check a form.
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const definition = findDefinition(workspace, request.params.guid);
      const guid = workspace.chance.guid();
      try {
        const form = await receive(request, services, guid).catch(formError);
        const changeOf = await changeOfRuns(services, callerOf(request), definition);
        const start = () => startRun(workspace, callerOf(request), definition.guid, guid, form, changeOf);
        const started = await writeWhenFree(workspace.settings, start);
        wake();
        return reply.status(201).send(await showRun(started, definition, services));
      } catch (error) {
        runFiles.discard(guid, 'submit', 'files');
        throw error;
      }
    },
  );
}

/** Answers a commit at once or, in some dialects, when its rows are done (wire-facts 0, "when a commit is done"). */
function runCommit(app: App, services: Services): void {
  const { workspace, wake } = services;
  app.put(
    RUN,
    { schema: { summary: 'Commit a run', params: byRun, body: commitBody, response: { 200: run } } },
    async (request) => {
      const { params, body, socket } = request;
      const definition = findDefinition(workspace, params.guid);
      const changeOf = await changeOfRuns(services, callerOf(request), definition);
      const commit = () => commitRun(workspace, params.guid, params.run, body.commit, changeOf);
      const committed = await writeWhenFree(workspace.settings, commit);
      wake();
      if (workspace.dialect.commitAnswer === 'at once') return showRun(committed, definition, services);
      const find = () => findRun(workspace, params.guid, params.run);
      return showRun(await waitForRunEnd(committed, find, socket), definition, services);
    },
  );
}

/** Waits for the end of a run while the client stays connected; other requests are answered meanwhile. */
async function waitForRunEnd(
  run: ImportRun,
  find: () => ImportRun,
  caller: { readonly destroyed: boolean },
): Promise<ImportRun> {
  let latest = run;
  while (!hasEnded(latest) && !caller.destroyed) {
    await sleep(LOOK_EVERY_MS);
    if (!caller.destroyed) latest = find();
  }
  return latest;
}

function hasEnded({ status }: ImportRun): boolean {
  return status !== 'CREATED' && status !== 'RUNNING';
}

/** Stores the rows and physical files of a form; returns its fields, also from the query (wire-facts 4, "as query"). */
async function receive(request: FastifyRequest, { runFiles }: Services, guid: string): Promise<RunForm> {
  if (!request.isMultipart()) throw new ServiceError({ code: 415, message: 'A run needs multipart/form-data.' });
  const form: Record<string, string> = { ...(request.query as Record<string, string>) };
  let received = false;
  for await (const part of request.parts()) {
    if (part.type === 'field') form[part.fieldname] = String(part.value);
    else if (part.fieldname === 'fileContent') await storePart(part, () => runFiles.receive(guid, 'files', part.file));
    else if (part.fieldname !== 'submitContent') part.file.resume();
    else {
      await storePart(part, () => runFiles.receive(guid, 'submit', part.file));
      received = true;
    }
  }
  if (!received) throw new ServiceError({ code: 3223, message: 'The part "submitContent" with the file is missing.' });
  form.submitFileType ??= await detectFileType(runFiles.path(guid, 'submit'));
  return form;
}

/** Refuses a malformed form: only errors of the form parser, unlike those of files and the framework, have no code. */
export function formError(error: Error): never {
  throw 'code' in error || error instanceof ServiceError ? error : refuse.malformed(error.message);
}

/** Stores the file of a form; refuses one that is too large. */
export async function storePart(part: MultipartFile, write: () => Promise<void>): Promise<void> {
  await write();
  if (part.file.truncated) throw new ServiceError({ code: 413, message: 'The file is larger than the service takes.' });
}

async function changeOfRuns(services: Services, caller: Caller, { options }: ImportDefinition): Promise<ChangeOf> {
  const { addToChange } = options;
  if (addToChange === undefined) return () => null;
  const { changeOfRun } = await loadImportChanges(services);
  return (commit) => changeOfRun(services.workspace, caller, addToChange, commit);
}

/** Loads the rules of changes, which few imports need. */
export async function loadImportChanges(services: Services): Promise<typeof import('../families/import-changes.js')> {
  const { openDocumented } = await import('../documented/open-documented.js');
  await openDocumented(services);
  return import('../families/import-changes.js');
}

/** `errorCount` appears once the run is complete (interface 2.2). */
async function showRun(
  found: ImportRun,
  { options }: ImportDefinition,
  services: Services,
): Promise<Immutable<Static<typeof run>>> {
  const { definition: _, errorCount, warnings, change: guid, ...rest } = found;
  const change = guid !== null && (await loadImportChanges(services)).showChange(services.workspace, guid);
  const ended = hasEnded(found);
  return {
    ...rest,
    ...(ended ? { errorCount } : {}),
    warnings: { count: warnings.length, results: warnings },
    options: { timeZone: options.timeZone ?? null, addToChange: change ? { number: String(change.number) } : null },
    changes: change ? [change] : [],
  };
}
