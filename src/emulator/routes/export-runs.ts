import { exportRuns, planExport, type RunBody, startExport } from '../families/export-runs.js';
import { setFields } from '../family/records.js';
import { findRequested } from '../family/routes.js';
import type { App, Services } from './app.js';
import { addRuns, requireArchive } from './runs.js';
import { byFile, nullable, optionalBody } from './schemas.js';
import { Type } from './type.js';

const file = Type.Object({
  guid: Type.String(),
  title: Type.String(),
  name: Type.String(),
  format: Type.String(),
  size: Type.Integer(),
  creationDateTime: nullable(Type.String()),
});

const runBody = optionalBody({
  criteria: Type.Optional(
    nullable(
      Type.Array(Type.Unknown(), {
        description: 'Unless the definition has criteria: rows of conditions, of the form that the definition takes',
      }),
    ),
  ),
});

/** Adds the endpoints of export runs (wire-facts 5.1). */
export function exportRunRoutes(app: App, services: Services): void {
  const { workspace } = services;
  const isAdded = addRuns(app, services, {
    family: exportRuns,
    body: runBody,
    prepare: async (caller, guid, body) => {
      const plan = await planExport(workspace, guid, body as RunBody);
      return () => startExport(workspace, caller, plan);
    },
    // Interface 3.2.
    record: ({ guid, status }) => {
      if (status === 'COMPLETE') setFields(workspace.settings, exportRuns, guid, { status: 'DOWNLOADED' });
    },
  });
  if (!isAdded) return;
  app.get(
    '/exports/:guid/runs/:run/files/:file',
    { schema: { summary: 'Describe the archive of an export run', params: byFile, response: { 200: file } } },
    async (request) => {
      const run = exportRuns.read(findRequested(workspace, exportRuns, request));
      const { title, ...archive } = requireArchive(run, request.params.file);
      return { ...archive, title, name: title, format: 'zip', creationDateTime: run.completionDateTime };
    },
  );
}
