import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JsonObject } from '#core/model/json.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { csvLine } from '../../bulk/rows/csv-line.js';
import { foldName } from '../../bulk/source/headers.js';
import { allRowsOf, type Job, jobDefinition } from '../job.js';
import { normalizeKey } from './spare-records.js';

/** How deleted records are shown, so that those of a saved plan can be compared again. */
interface ShownRows {
  /** A definition of mode DELETE whose mapping names the columns that are shown. */
  readonly by: JsonObject;
  /** Their headers; `key` is the index of the key in the column, or -1. */
  readonly columns: readonly { readonly header: string; readonly key: number }[];
}

/** Undefined if the records were not read, or if their keys do not distinguish them. */
export function shownRows(job: Job, gone: readonly RowChange[], deleting: ImportDefinitionSpec): ShownRows | undefined {
  const definition = jobDefinition(job);
  const { keys } = resourceNamed(definition.resource);
  const isMapped = [definition, deleting].every(({ options }) => options?.mapping !== undefined);
  const isTold = new Set(gone.map(({ key }) => normalizeKey(key))).size === gone.length;
  const isPlain = gone.every(({ key }) => key.every((part) => part === part.trim()));
  if (job.facts.preview?.with !== 'workspace' || !isMapped || !isTold || !isPlain) return undefined;
  const columns = allRowsOf(job).columns.map(({ header, fields }) => ({
    header,
    key: keys.findIndex((key) => fields.includes(key)),
  }));
  return { by: { ...job.facts.request.definition.spec, mode: 'DELETE' }, columns };
}

/** The columns of the definition that contain the keys. */
export const keyHeaders = ({ resource, options }: ImportDefinitionSpec): string[] =>
  resourceNamed(resource).keys.map(
    (key) => options?.mapping?.find(({ apiName }) => foldName(apiName ?? '') === key)?.sourceName ?? key,
  );

/** The keys as CSV; the other columns that are shown are empty, unless they contain a key too. */
export function rowsText(headers: readonly string[], gone: readonly RowChange[], shown: ShownRows['columns']): string {
  const known = new Set(headers.map(foldName));
  const others = shown.filter(({ header }) => !known.has(foldName(header)));
  const rows = gone.map(({ key }) => [...key, ...others.map((column) => key[column.key] ?? '')]);
  return [[...headers, ...others.map(({ header }) => header)], ...rows].map(csvLine).join('');
}
