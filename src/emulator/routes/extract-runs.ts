import {
  allowDownload,
  type ExtractRun,
  extractRuns,
  latestCompletedRun,
  startExtractRun,
} from '../families/extract-runs.js';
import { answerSchema, createAnswerer } from '../family/answer.js';
import { setFields } from '../family/records.js';
import { findRequested } from '../family/routes.js';
import { zulu } from '../rules/date-times.js';
import { type Archive, runArchive } from '../store/run-files.js';
import type { App, Immutable, Services } from './app.js';
import { addRuns, requireArchive } from './runs.js';
import { byFile, byGuid, byRun, listEnvelope, nullable, optionalBody, page, pagedQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const downloadDateTime = nullable(Type.String());

const file = Type.Object({
  guid: Type.String(),
  downloadDateTime,
  file: Type.Object({ guid: Type.String(), name: Type.String(), format: Type.String(), size: Type.Integer() }),
});

const runWithFiles = Type.Intersect([
  answerSchema(extractRuns),
  Type.Object({ files: Type.Optional(Type.Array(Type.Object({ guid: Type.String(), downloadDateTime }))) }),
]);

const runView = Type.Object({ view: Type.Optional(Type.Literal('withFiles')) }, { additionalProperties: true });

/** Adds the endpoints of DataExtract runs and their files (wire-facts 5.2). */
export function extractRunRoutes(app: App, services: Services): void {
  const { workspace } = services;
  const isAdded = addRuns(app, services, {
    family: extractRuns,
    body: optionalBody({}),
    prepare: async (caller, extract) => () => startExtractRun(workspace, caller, extract),
    allow: (caller, run) => allowDownload(workspace, caller, run),
    // Only the time of the last download, by which runs can be searched.
    record: ({ guid }) =>
      setFields(workspace.settings, extractRuns, guid, { downloadDateTime: zulu(workspace.clock()) }),
  });
  if (!isAdded) return;
  latestRead(app, services);
  fileReads(app, services);
}

/** Adds the endpoint under both known spellings of its path. */
function latestRead(app: App, { workspace }: Services): void {
  for (const name of ['latestCompleted', 'latestcompleted']) {
    app.get(
      `/extracts/:guid/runs/${name}`,
      {
        schema: {
          summary: 'Get the latest completed run',
          params: byGuid,
          querystring: runView,
          response: { 200: runWithFiles },
        },
      },
      async ({ params, query }) => {
        const row = latestCompletedRun(workspace, params.guid);
        const shown = createAnswerer(extractRuns, { workspace, query: {} })(row);
        if (query.view !== 'withFiles') return shown;
        return { ...shown, files: filesOf(extractRuns.read(row)).map(({ file: _, ...rest }) => rest) };
      },
    );
  }
}

function fileReads(app: App, { workspace }: Services): void {
  app.get(
    '/extracts/:guid/runs/:run/files',
    {
      schema: {
        summary: 'List the files of an extract run',
        params: byRun,
        querystring: pagedQuery({}),
        response: { 200: listEnvelope(file) },
      },
    },
    async (request) => page(filesOf(extractRuns.read(findRequested(workspace, extractRuns, request)))),
  );
  app.get(
    '/extracts/:guid/runs/:run/files/:file',
    { schema: { summary: 'Describe a file of an extract run', params: byFile, response: { 200: file } } },
    async (request) => {
      const run = extractRuns.read(findRequested(workspace, extractRuns, request));
      return showFile(run, requireArchive(run, request.params.file));
    },
  );
}

function filesOf(run: ExtractRun): readonly Immutable<Static<typeof file>>[] {
  const archive = runArchive(run);
  return archive ? [showFile(run, archive)] : [];
}

const showFile = (
  { downloadDateTime: at }: ExtractRun,
  { title: name, ...archive }: Archive,
): Immutable<Static<typeof file>> => ({
  ...{ guid: archive.guid, downloadDateTime: at, file: { ...archive, name, format: 'zip' } },
});
