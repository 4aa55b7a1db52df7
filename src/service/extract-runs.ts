import { isObject, type JsonObject } from '#core/model/json.js';
import type { Guid } from '#core/model/kind.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import { type ArchiveFile, type ExchangeRuns, exchangeRunIn, startedRunIn } from './exchange-runs.js';
import { listPages } from './list-pages.js';
import { guidFrom } from './odd-entries.js';
import { saysAbsent } from './refusal-meaning.js';
import { sameRun } from './same-run.js';

/** Opens the runs of one extract; anyone may see them, and only its owner may read their files (wire-facts 5.2). */
export function openExtractRuns(writer: Writer, extract: Guid): ExchangeRuns {
  const path = `${collectionOf(writer, 'extractDefinitions').path}/${extract}/runs`;
  return {
    list: async () => (await listPages(writer, path, 'paged')).map(exchangeRunIn),
    async latest() {
      try {
        return exchangeRunIn(await writer.get(`${path}/latestCompleted`));
      } catch (error) {
        if (saysAbsent(error)) return undefined;
        throw error;
      }
    },
    start: () => startedRunIn(writer.create(path, { json: {} })),
    read: async (run) => sameRun(exchangeRunIn(await writer.get(`${path}/${run}`)), run),
    files: async ({ guid }) => (await listPages(writer, `${path}/${guid}/files`, 'paged')).map(toFile),
    content: (run, file) => writer.stream(`${path}/${run.guid}/files/${file.guid}/content`),
  };
}

function toFile({ guid, file }: JsonObject): ArchiveFile {
  const { name, size } = isObject(file) ? file : {};
  return {
    guid: guidFrom(guid, 'A file of the extract'),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  };
}
