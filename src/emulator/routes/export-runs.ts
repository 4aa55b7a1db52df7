import {
  EXPORT_RUN_SEARCH,
  findExportFile,
  findExportRun,
  LATEST_COMPLETED,
  listExportRuns,
  markDownloaded,
  planExport,
  startExport,
} from '../rules/export-runs.js';
import { notDownloadable } from '../rules/extract-runs.js';
import { writeWhenFree } from '../store/database.js';
import type { ExportRun } from '../store/exports.js';
import { callerOf } from './admission.js';
import type { App, Immutable, Services } from './app.js';
import { byFile, byGuid, byRun, contentOf, listEnvelope, nullable, page, person, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const RUNS = '/exports/:guid/runs';
const RUN = `${RUNS}/:run`;
const FILE = `${RUN}/files/:file`;

const run = Type.Object({
  guid: Type.String(),
  number: Type.Integer(),
  status: Type.String(),
  criteria: Type.Array(Type.Unknown()),
  criteriaResultsCount: Type.Integer(),
  files: Type.Array(Type.Object({ guid: Type.String(), title: Type.String() })),
  creationDateTime: Type.String(),
  completionDateTime: nullable(Type.String()),
  creator: person,
});

const file = Type.Object({
  guid: Type.String(),
  title: Type.String(),
  name: Type.String(),
  format: Type.String(),
  size: Type.Integer(),
  creationDateTime: nullable(Type.String()),
});

const runBody = Type.Unsafe<unknown>({
  description: '{} if the definition has criteria, else {"criteria": [[…]]}, of the form that the definition takes.',
});

/** Adds the endpoints of export runs, each private to the user who started it (wire-facts 5.1). */
export function exportRunRoutes(app: App, services: Services): void {
  const { list, create } = services.workspace.dialect.capabilities.exportRuns;
  if (!list) return;
  runReads(app, services);
  fileReads(app, services);
  if (create) runCreation(app, services);
}

function runReads(app: App, { workspace }: Services): void {
  app.get(
    RUNS,
    {
      schema: {
        summary: 'Search your export runs',
        params: byGuid,
        querystring: searchQuery(EXPORT_RUN_SEARCH, LATEST_COMPLETED),
        response: { 200: listEnvelope(run) },
      },
    },
    async (request) => {
      const { params, query } = request;
      return page(listExportRuns(workspace, callerOf(request), params.guid, query).map(showRun));
    },
  );
  app.get(RUN, { schema: { summary: 'Get an export run', params: byRun, response: { 200: run } } }, async (request) => {
    const { params } = request;
    return showRun(findExportRun(workspace, callerOf(request), params.guid, params.run));
  });
}

function fileReads(app: App, { workspace, runFiles }: Services): void {
  app.get(
    FILE,
    { schema: { summary: 'Describe the archive of an export run', params: byFile, response: { 200: file } } },
    async (request) => {
      const { params } = request;
      const found = findExportRun(workspace, callerOf(request), params.guid, params.run);
      const { guid, title, size } = findExportFile(found, params.file);
      return { guid, title, name: title, format: 'zip', size, creationDateTime: found.completionDateTime };
    },
  );
  app.get(
    `${FILE}/content`,
    {
      schema: {
        summary: 'The archive of an export run, as ZIP',
        params: byFile,
        response: contentOf('application/zip'),
      },
    },
    async (request, reply) => {
      const { params } = request;
      const found = findExportRun(workspace, callerOf(request), params.guid, params.run);
      const { title } = findExportFile(found, params.file);
      const stream = runFiles.open(found.guid, 'archive');
      if (!stream) throw notDownloadable(params.file);
      await writeWhenFree(workspace.settings, () => markDownloaded(workspace, found));
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="${title}"`)
        .send(stream);
    },
  );
}

function runCreation(app: App, { workspace, wake }: Services): void {
  app.post(
    RUNS,
    { schema: { summary: 'Start an export', params: byGuid, body: runBody, response: { 201: run } } },
    async (request, reply) => {
      const plan = await planExport(workspace, request.params.guid, request.body);
      const start = () => startExport(workspace, callerOf(request), plan);
      const started = await writeWhenFree(workspace.settings, start);
      wake();
      return reply.status(201).send(showRun(started));
    },
  );
}

function showRun({ definition: _, file: made, ...rest }: ExportRun): Immutable<Static<typeof run>> {
  return { ...rest, files: made ? [{ guid: made.guid, title: made.title }] : [] };
}
