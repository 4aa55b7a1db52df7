import { notDownloadable } from '../families/extract-runs.js';
import { answerFor } from '../family/answer.js';
import type { Family } from '../family/family.js';
import { addOperation, type Operation } from '../family/operation.js';
import { familyOperations, findRequested } from '../family/routes.js';
import { refuse } from '../rules/service-error.js';
import type { Caller } from '../rules/workspace.js';
import { writeWhenFree } from '../store/database.js';
import { type Archive, type ArchivedRun, runArchive } from '../store/run-files.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byFile, contentOf } from './schemas.js';
import type { TSchema } from './type.js';

/** What runs with an archive do beyond their description. */
interface Runs<R extends ArchivedRun> {
  readonly family: Family<R>;
  readonly body: TSchema;
  /** Checks all that takes long; returns the work that records a run in a transaction and returns its GUID. */
  readonly prepare: (caller: Caller, guid: string, body: object) => Promise<() => string>;
  /** Refuses a download that the caller may not make. */
  readonly allow?: (caller: Caller, run: R) => void;
  /** Records a download in a transaction. */
  readonly record: (run: R) => void;
}

/** Adds the endpoints of runs with an archive, as far as the dialect has them; says whether it has any. */
export function addRuns<R extends ArchivedRun>(app: App, services: Services, runs: Runs<R>): boolean {
  const operations = familyOperations(services.workspace, runs.family);
  for (const operation of operations) {
    addOperation(app, operation.method === 'POST' ? startOf(operation, services, runs) : operation);
  }
  if (operations.length > 0) addContent(app, services, runs);
  return operations.length > 0;
}

const startOf = <R extends ArchivedRun>(
  operation: Operation,
  { workspace, wake }: Services,
  { family, body, prepare }: Runs<R>,
): Operation => ({
  ...operation,
  schema: () => ({ ...operation.schema(), body }),
  answer: async (request) => {
    const { guid } = request.params as { readonly guid: string };
    const begin = await prepare(callerOf(request), guid, request.body ?? {});
    // Read before anybody can run it: the answer shows it as it was posted.
    const answer = await writeWhenFree(workspace.settings, () => answerFor(workspace, family, begin()));
    wake();
    return answer;
  },
});

function addContent<R extends ArchivedRun>(
  app: App,
  { workspace, runFiles }: Services,
  { family, allow, record }: Runs<R>,
): void {
  const summary = `The archive of ${family.one}, as ZIP`;
  const schema = { summary, params: byFile, response: contentOf('application/zip') };
  app.get(`${family.path}/:run/files/:file/content`, { schema }, async (request, reply) => {
    const run = family.read(findRequested(workspace, family, request));
    allow?.(callerOf(request), run);
    const { guid, title } = requireArchive(run, request.params.file);
    const stream = runFiles.open(run.guid, 'archive');
    if (!stream) throw notDownloadable(guid);
    await writeWhenFree(workspace.settings, () => record(run));
    return reply.type('application/zip').header('content-disposition', `attachment; filename="${title}"`).send(stream);
  });
}

/** Finds the archive of a run; refuses with 3011 any other GUID, and every GUID before the archive exists. */
export function requireArchive(run: ArchivedRun, guid: string): Archive {
  const archive = runArchive(run);
  if (archive?.guid !== guid) throw refuse.guid(guid);
  return archive;
}
