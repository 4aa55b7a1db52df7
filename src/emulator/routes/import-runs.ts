import { setTimeout as sleep } from 'node:timers/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type ImportDefinition, importDefinitions } from '../families/import-definitions.js';
import {
  commitRun,
  type FindChange,
  hasEnded,
  type ImportRun,
  importRuns,
  type RunForm,
  refuseUnlessComplete,
  startRun,
} from '../families/import-runs.js';
import { answerFor } from '../family/answer.js';
import { addOperation, type Operation } from '../family/operation.js';
import { findRecord } from '../family/records.js';
import { familyOperations, findRequested } from '../family/routes.js';
import { refusal, refuse, ServiceError } from '../rules/service-error.js';
import type { Caller } from '../rules/workspace.js';
import { detectFileType } from '../sources/read-source.js';
import { writeWhenFree } from '../store/database.js';
import type { RunContent } from '../store/run-files.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byRun, contentOf, page } from './schemas.js';
import { type Static, Type } from './type.js';

const LOOK_EVERY_MS = 20;

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
  const operations = familyOperations(services.workspace, importRuns);
  for (const operation of operations) {
    if (operation.method === 'POST') addSubmission(app, operation, services);
    else if (operation.method === 'PUT') addOperation(app, commitOf(operation, services));
    else
      addOperation(app, {
        ...operation,
        answer: async (request) => withChanges(await operation.answer(request), services),
      });
  }
  if (operations.length > 0) addContents(app, services);
}

const CONTENTS = [
  { path: 'errorContent', content: 'error', summary: 'The failed rows, as CSV' },
  { path: 'resultContent', content: 'result', summary: 'All rows, as CSV' },
  { path: 'submitContent', content: 'submit', summary: 'The file as it was submitted' },
] as const satisfies readonly { path: string; content: RunContent; summary: string }[];

function addContents(app: App, { workspace, runFiles }: Services): void {
  const response = contentOf('text/csv', 'application/octet-stream');
  for (const { path, content, summary } of CONTENTS) {
    const schema = { summary, params: byRun, response };
    app.get(`/imports/:guid/runs/:run/${path}`, { schema }, async (request, reply) => {
      const run = importRuns.read(findRequested(workspace, importRuns, request));
      if (content !== 'submit') refuseUnlessComplete(run);
      const stream = runFiles.open(run.guid, content);
      if (!stream) throw refusal(3522, 'The run has no such file.');
      const isCsv = content !== 'submit' || run.submitFileType === 'CSV';
      return reply.type(isCsv ? 'text/csv; charset=utf-8' : 'application/octet-stream').send(stream);
    });
  }
}

/** Adds the operation that receives a form, whose parts are read one by one, since a schema cannot check it. */
function addSubmission(app: App, { path, schema }: Operation, services: Services): void {
  const { workspace, runFiles, wake } = services;
  app.post(
    path,
    {
      schema: { ...schema(), consumes: ['multipart/form-data'], querystring: runQuery, body: runForm },
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const definition = findOwner(request, services);
      const run = { guid: workspace.chance.guid(), definition: definition.guid };
      try {
        const form = await receive(request, services, run.guid).catch(formError);
        const changeOf = await changeOfRuns(services, callerOf(request), definition);
        // Read before anybody can run it: the answer shows it as it was posted.
        const posted = await writeWhenFree(workspace.settings, () => {
          startRun(workspace, callerOf(request), run, form, changeOf);
          return answerFor(workspace, importRuns, run.guid);
        });
        wake();
        return reply.status(201).send(await withChanges(posted, services));
      } catch (error) {
        runFiles.discard(run.guid, 'submit', 'files');
        throw error;
      }
    },
  );
}

/** Commits a run; it answers at once or, in some dialects, when the rows are done (wire-facts 0, "when a commit is done"). */
function commitOf(operation: Operation, services: Services): Operation {
  const { workspace, wake } = services;
  return {
    ...operation,
    schema: () => ({ ...operation.schema(), body: commitBody }),
    answer: async (request) => {
      const { commit } = request.body as Static<typeof commitBody>;
      const find = () => importRuns.read(findRequested(workspace, importRuns, request));
      const changeOf = await changeOfRuns(services, callerOf(request), findOwner(request, services));
      const show = () => answerFor(workspace, importRuns, find().guid);
      const committed = await writeWhenFree(workspace.settings, () => {
        commitRun(workspace, find(), commit, changeOf);
        return show();
      });
      wake();
      if (workspace.dialect.commitAnswer !== 'when done') return withChanges(committed, services);
      await waitForRunEnd(find, request.socket);
      return withChanges(show(), services);
    },
  };
}

/** Waits for the end of a run while the client stays connected; other requests are answered meanwhile. */
async function waitForRunEnd(find: () => ImportRun, caller: { readonly destroyed: boolean }): Promise<void> {
  while (!caller.destroyed && !hasEnded(find())) await sleep(LOOK_EVERY_MS);
}

const findOwner = ({ params }: Pick<FastifyRequest, 'params'>, { workspace }: Services): ImportDefinition =>
  findRecord(workspace, importDefinitions, (params as { readonly guid: string }).guid);

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

async function changeOfRuns(services: Services, caller: Caller, { options }: ImportDefinition): Promise<FindChange> {
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

/** A run as its description shows it. */
interface Shown {
  readonly options: object;
  /** At most one. */
  readonly changes: readonly { readonly guid: string }[];
}

/** Shows the changes of a run, or of the runs of a list, of which the description shows only the GUIDs. */
async function withChanges(answer: unknown, services: Services): Promise<unknown> {
  const { results } = answer as { readonly results?: readonly Shown[] };
  if (results !== undefined) return page(await Promise.all(results.map((run) => withChanges(run, services))));
  const run = answer as Shown;
  const [named] = run.changes;
  if (named === undefined) return run;
  const change = (await loadImportChanges(services)).showChange(services.workspace, named.guid);
  if (change === undefined) return { ...run, changes: [] };
  return { ...run, options: { ...run.options, addToChange: { number: String(change.number) } }, changes: [change] };
}
