import {
  allowDownload,
  EXTRACT_RUN_SEARCH,
  findExtractFile,
  findExtractRun,
  latestCompletedRun,
  listExtractRuns,
  notDownloadable,
  noteDownload,
  startExtractRun,
} from '../rules/extract-runs.js';
import { refuse } from '../rules/service-error.js';
import { writeWhenFree } from '../store/database.js';
import type { ExtractFile, ExtractRun } from '../store/extracts.js';
import { callerOf } from './admission.js';
import type { App, Immutable, Services } from './app.js';
import { byFile, byGuid, byRun, contentOf, listEnvelope, nullable, page, pagedQuery, person } from './schemas.js';
import { type Static, Type } from './type.js';

const RUNS = '/extracts/:guid/runs';
const RUN = `${RUNS}/:run`;
const FILES = `${RUN}/files`;
const FILE = `${FILES}/:file`;

const runFields = {
  guid: Type.String(),
  status: Type.String(),
  type: Type.String(),
  viewsExtracted: Type.Array(Type.String()),
  scheduledDateTime: Type.String(),
  runDateTime: nullable(Type.String()),
  completionDateTime: nullable(Type.String()),
  creator: person,
};

const run = Type.Object(runFields);

const runWithFiles = Type.Object({
  ...runFields,
  files: Type.Optional(Type.Array(Type.Object({ guid: Type.String(), downloadDateTime: nullable(Type.String()) }))),
});

const file = Type.Object({
  guid: Type.String(),
  downloadDateTime: nullable(Type.String()),
  file: Type.Object({ guid: Type.String(), name: Type.String(), format: Type.String(), size: Type.Integer() }),
});

const runBody = Type.Unsafe<unknown>({ description: 'Nothing, or {}' });

const runView = Type.Object({ view: Type.Optional(Type.Literal('withFiles')) }, { additionalProperties: true });

/** Adds the endpoints of DataExtract runs and their files (wire-facts 5.2). */
export function extractRunRoutes(app: App, services: Services): void {
  const { list, create } = services.workspace.dialect.capabilities.extractRuns;
  if (!list) return;
  runReads(app, services);
  latestRead(app, services);
  fileReads(app, services);
  fileContent(app, services);
  if (create) runCreation(app, services);
}

function runReads(app: App, { workspace }: Services): void {
  app.get(
    RUNS,
    {
      schema: {
        summary: 'Search extract runs',
        params: byGuid,
        querystring: pagedQuery(EXTRACT_RUN_SEARCH),
        response: { 200: listEnvelope(run) },
      },
    },
    async ({ params, query }) => page(listExtractRuns(workspace, params.guid, query).map(showRun)),
  );
  app.get(
    RUN,
    { schema: { summary: 'Get an extract run', params: byRun, response: { 200: run } } },
    async ({ params }) => showRun(findExtractRun(workspace, params.guid, params.run)),
  );
}

/** Adds the endpoint under both known spellings of its path. */
function latestRead(app: App, { workspace }: Services): void {
  for (const name of ['latestCompleted', 'latestcompleted']) {
    app.get(
      `${RUNS}/${name}`,
      {
        schema: {
          summary: 'Get the latest completed run',
          params: byGuid,
          querystring: runView,
          response: { 200: runWithFiles },
        },
      },
      async ({ params, query }) => {
        const found = latestCompletedRun(workspace, params.guid);
        if (query.view !== 'withFiles') return showRun(found);
        const { file: made, downloadDateTime } = found;
        return { ...showRun(found), files: made ? [{ guid: made.guid, downloadDateTime }] : [] };
      },
    );
  }
}

function fileReads(app: App, { workspace }: Services): void {
  app.get(
    FILES,
    {
      schema: {
        summary: 'List the files of an extract run',
        params: byRun,
        querystring: pagedQuery({}),
        response: { 200: listEnvelope(file) },
      },
    },
    async ({ params }) => {
      const found = findExtractRun(workspace, params.guid, params.run);
      return page(found.file ? [showFile(found, found.file)] : []);
    },
  );
  app.get(
    FILE,
    { schema: { summary: 'Describe a file of an extract run', params: byFile, response: { 200: file } } },
    async ({ params }) => {
      const found = findExtractRun(workspace, params.guid, params.run);
      return showFile(found, findExtractFile(found, params.file));
    },
  );
}

function fileContent(app: App, { workspace, runFiles }: Services): void {
  app.get(
    `${FILE}/content`,
    { schema: { summary: 'A file of an extract run, as ZIP', params: byFile, response: contentOf('application/zip') } },
    async (request, reply) => {
      const { params } = request;
      const found = findExtractRun(workspace, params.guid, params.run);
      allowDownload(workspace, callerOf(request), params.guid, found);
      const { name } = findExtractFile(found, params.file);
      const stream = runFiles.open(found.guid, 'archive');
      if (!stream) throw notDownloadable(found.guid);
      await writeWhenFree(workspace.settings, () => noteDownload(workspace, found));
      return reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`).send(stream);
    },
  );
}

function runCreation(app: App, { workspace, wake }: Services): void {
  app.post(
    RUNS,
    { schema: { summary: 'Run an extract now', params: byGuid, body: runBody, response: { 201: run } } },
    async (request, reply) => {
      const [unknown] = Object.keys((request.body as object | undefined) ?? {});
      if (unknown !== undefined) throw refuse.unrecognized(unknown);
      const start = () => startExtractRun(workspace, callerOf(request), request.params.guid);
      const started = await writeWhenFree(workspace.settings, start);
      wake();
      return reply.status(201).send(showRun(started));
    },
  );
}

function showRun({ extract: _, file: __, downloadDateTime: ___, ...rest }: ExtractRun): Immutable<Static<typeof run>> {
  return rest;
}

function showFile({ downloadDateTime }: ExtractRun, made: ExtractFile): Immutable<Static<typeof file>> {
  return { guid: made.guid, downloadDateTime, file: { ...made, format: 'zip' } };
}
