import { setTimeout as sleep } from 'node:timers/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { findDefinition } from '../rules/definitions.js';
import { commitRun, findRun, finishedRun, listRuns, RUN_SEARCH, type RunForm, startRun } from '../rules/runs.js';
import { refuse, ServiceError } from '../rules/service-error.js';
import { detectFileType } from '../sources/read-source.js';
import { writeWhenFree } from '../store/database.js';
import type { ImportRun } from '../store/imports.js';
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
  options: Type.Object({ timeZone: nullable(Type.String()), addToChange: Type.Null() }),
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

function runReads(app: App, { workspace }: Services): void {
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
      const { options } = findDefinition(workspace, params.guid);
      return page(listRuns(workspace, params.guid, query).map((found) => showRun(found, options.timeZone)));
    },
  );
  app.get(RUN, { schema: { summary: 'Get a run', params: byRun, response: { 200: run } } }, async ({ params }) => {
    const { options } = findDefinition(workspace, params.guid);
    return showRun(findRun(workspace, params.guid, params.run), options.timeZone);
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
      const { options } = findDefinition(workspace, request.params.guid);
      const guid = workspace.chance.guid();
      try {
        const form = await receive(request, services, guid).catch(formError);
        const start = () => startRun(workspace, callerOf(request), request.params.guid, guid, form);
        const started = await writeWhenFree(workspace.settings, start);
        wake();
        return reply.status(201).send(showRun(started, options.timeZone));
      } catch (error) {
        runFiles.discard(guid, 'submit', 'files');
        throw error;
      }
    },
  );
}

/** Answers a commit at once or, in some dialects, when its rows are done (wire-facts 0, "when a commit is done"). */
function runCommit(app: App, { workspace, wake }: Services): void {
  app.put(
    RUN,
    { schema: { summary: 'Commit a run', params: byRun, body: commitBody, response: { 200: run } } },
    async ({ params, body, socket }) => {
      const { options } = findDefinition(workspace, params.guid);
      const commit = () => commitRun(workspace, params.guid, params.run, body.commit);
      const committed = await writeWhenFree(workspace.settings, commit);
      wake();
      if (workspace.dialect.commitAnswer === 'at once') return showRun(committed, options.timeZone);
      return showRun(
        await waitForRunEnd(committed, () => findRun(workspace, params.guid, params.run), socket),
        options.timeZone,
      );
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

/** `errorCount` appears once the run is complete (interface 2.2). */
function showRun(found: ImportRun, timeZone: string | undefined): Immutable<Static<typeof run>> {
  const { definition: _, errorCount, warnings, ...rest } = found;
  const ended = found.status === 'COMPLETE' || found.status === 'ERROR';
  return {
    ...rest,
    ...(ended ? { errorCount } : {}),
    warnings: { count: warnings.length, results: warnings },
    options: { timeZone: timeZone ?? null, addToChange: null },
    changes: [],
  };
}
