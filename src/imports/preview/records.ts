import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { type LiveNames, liveValue } from '../../bulk/compare/live-value.js';
import { type Target, targetsOf } from '../../bulk/compare/targets.js';
import { readingOf } from '../../bulk/compare/value-form.js';
import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { category } from '../../lookups/category.js';
import { resourceNamed } from '../../model/import-resources.js';
import { isObject, type JsonObject } from '../../model/json.js';
import type { Reader } from '../../service/client.js';
import type { Identities } from '../../service/identities.js';
import { type ItemReads, openItemReads } from '../../service/item-reads.js';
import { PARALLEL_READS } from '../../service/read-lookup.js';
import { OVER_BUDGET, readItems } from './read-items.js';
import type { RequestBudget } from './request-budget.js';
import { wantedItems } from './wanted-items.js';

/** An import whose records are read, and what that may take. */
export interface RecordReading {
  readonly prepared: PreparedImport;
  /** Further rows, which were committed last. */
  readonly before?: PreparedImport;
  readonly definition: ImportDefinitionSpec;
  /** A folder that is there; the records stay in it. */
  readonly folder: string;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  readonly onRead: (what: 'items' | 'BOMs', count: number) => void;
}

/** The records that rows are about, sealed, or why they were not read. */
export type RecordsRead = { readonly by: 'pages' | 'searches'; readonly records: KeyedRows } | { readonly why: string };

/** Reads what the workspace has of the rows of an import. */
export async function readRecords(reading: RecordReading): Promise<RecordsRead> {
  const { prepared, definition } = reading;
  const resource = resourceNamed(definition.resource);
  const fields = rowFieldsOf(prepared.columns, definition);
  const unmapped = resource.keys.find((key) => fields.column(key) === undefined && !hasGuid(fields, key));
  if (resource.readBack === undefined) return { why: `records of ${resource.name} cannot be read` };
  if (unmapped !== undefined) return { why: `no column is mapped to "${unmapped}"` };
  if (fields.column('item.guid') !== undefined) return { why: 'its rows name items by GUID' };
  const records = await KeyedRows.open(reading.folder, 'records');
  const found = await (resource.readBack === 'items' ? fillItems(records, reading) : fillLines(records, reading));
  if ('why' in found) {
    records.close();
    return found;
  }
  records.seal();
  return { ...found, records };
}

const hasGuid = (fields: ReturnType<typeof rowFieldsOf>, key: string): boolean =>
  key === 'number' && (fields.column('guid') ?? fields.column(FREE_TEXT)) !== undefined;

async function fillItems(records: KeyedRows, reading: RecordReading) {
  const targets = targetsOf(reading.prepared.columns, reading.definition.resource);
  return eachItem(
    reading,
    () => records.clear(),
    (item) => {
      records.add([String(item.number)], valuesOf(item, targets, reading), String(item.guid));
    },
  );
}

/** A BOM is a request for each parent that is there. */
async function fillLines(records: KeyedRows, reading: RecordReading) {
  const { reader, prepared, definition, budget, signal, onRead } = reading;
  const targets = targetsOf(prepared.columns, definition.resource);
  const parents = new Map<string, string>();
  const found = await eachItem(
    reading,
    () => parents.clear(),
    ({ guid, number }) => parents.set(String(guid), String(number)),
  );
  if ('why' in found) return found;
  if (parents.size > budget.left()) return { why: OVER_BUDGET };
  const reads = openItemReads(reader);
  const all = [...parents];
  for (let first = 0; first < all.length; first += PARALLEL_READS) {
    signal.throwIfAborted();
    const some = all.slice(first, first + PARALLEL_READS);
    const boms = await Promise.all(
      some.map(async ([guid, number]) => ({ guid, number, lines: await reads.bom(guid) })),
    );
    for (const { guid, number, lines } of boms) {
      for (const line of lines) records.add([number, numberOfChild(line)], valuesOf(line, targets, reading), guid);
    }
    onRead('BOMs', first + some.length);
  }
  return found;
}

const numberOfChild = ({ item }: JsonObject): string => (isObject(item) ? String(item.number) : '');

const valuesOf = (
  record: JsonObject,
  targets: readonly Target[],
  { definition, identities }: RecordReading,
): KeptValue[] => {
  const names: LiveNames = {
    delimiter: readingOf(definition).delimiter,
    categoryPath: (guid) => identities.nameOf(category.name, guid, 'ITEMS'),
  };
  return targets.map(({ field }): KeptValue => {
    const value = liveValue(record, field, names);
    return value === undefined ? null : [value.form, value.text];
  });
};

/** Gives each item that the rows name by number or GUID in their first key. */
async function eachItem(reading: RecordReading, restart: () => void, take: (item: JsonObject) => void) {
  const { reader, budget, signal, onRead } = reading;
  const wanted = await wantedItems(reading);
  const reads: ItemReads = openItemReads(reader);
  return readItems({
    ...(wanted.numbers === undefined ? {} : { numbers: wanted.numbers }),
    ...{ reads, budget, signal, restart, onItems: (count: number) => onRead('items', count) },
    add: (item) => {
      if (wanted.has(String(item.number)) || wanted.has(String(item.guid))) take(item);
    },
  });
}
