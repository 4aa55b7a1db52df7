import { type JsonObject, objectsIn } from '#core/model/json.js';
import type { Guid } from '#core/model/kind.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import { type ArchiveFile, type ExchangeRun, type ExchangeRuns, exchangeRunIn, startedRunIn } from './exchange-runs.js';
import { listWhole } from './list-pages.js';
import { guidFrom } from './odd-entries.js';
import { sameRun } from './same-run.js';

/** Opens the runs of one export definition; the service shows each only to the user who started it (wire-facts 5.1). */
export function openExportRuns(writer: Writer, definition: Guid): ExchangeRuns {
  const path = `${collectionOf(writer, 'exportDefinitions').path}/${definition}/runs`;
  return {
    list: async () => (await listWhole(writer, path)).map(exchangeRunIn),
    latest: async () =>
      newestCompleted((await listWhole(writer, path, { latestCompleted: 'true' })).map(exchangeRunIn)),
    start: (criteria) => startedRunIn(writer.create(path, { json: criteria === undefined ? {} : { criteria } })),
    read: async (run) => sameRun(exchangeRunIn(await writer.get(`${path}/${run}`)), run),
    files: async ({ body }) => filesOf(body),
    content: (run, file) => writer.stream(`${path}/${run.guid}/files/${file.guid}/content`),
  };
}

/** Picks the newest completed run, since a service that does not know the search would list all runs. */
const newestCompleted = (runs: readonly ExchangeRun[]): ExchangeRun | undefined =>
  runs
    .filter(({ state }) => state === 'complete')
    .sort((a, b) => (b.number ?? 0) - (a.number ?? 0))
    .at(0);

function filesOf({ files }: JsonObject): ArchiveFile[] {
  return objectsIn(files).map(({ guid, title }) => ({
    guid: guidFrom(guid, 'A file of the run'),
    ...(typeof title === 'string' ? { name: title } : {}),
  }));
}
