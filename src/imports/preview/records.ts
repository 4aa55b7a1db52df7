import { type KeptValue, KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { type LiveNames, liveValue } from '../../bulk/compare/live-value.js';
import { type Target, targetsOf } from '../../bulk/compare/targets.js';
import { readingOf } from '../../bulk/compare/value-form.js';
import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { throwIfInterrupted } from '../../errors.js';
import type { Host } from '../../host.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { category } from '../../lookups/category.js';
import type { Address } from '../../model/address.js';
import { resourceNamed } from '../../model/import-resources.js';
import { isObject, type JsonObject } from '../../model/json.js';
import type { Reader } from '../../service/client.js';
import type { Identities } from '../../service/identities.js';
import type { ExportedView } from '../../service/item-exports.js';
import { openItemReads } from '../../service/item-reads.js';
import { PARALLEL_READS } from '../../service/read-lookup.js';
import type { ImportEvent } from '../../stream/import-event.js';
import { type ExportPorts, exportPrice, readByExport } from './export/read-by-export.js';
import { type ExportWay, type ItemsRead, OVER_BUDGET, readItems } from './read-items.js';
import type { RequestBudget } from './request-budget.js';
import { type RowsRead, type WantedItems, wantedItems } from './wanted-items.js';

/** What is counted while records are read. */
export type ReadWhat = Extract<ImportEvent, { type: 'comparing' }>['what'];

/** Tells what happens while the records of one import are read. */
export const comparingEvents =
  (address: Address, host: Host) =>
  (what: ReadWhat, count: number): void =>
    host.emit({ type: 'import', address, event: { type: 'comparing', what, count } });

/** An import whose records are read, and what that may take. */
export interface RecordReading {
  readonly prepared: RowsRead;
  /** Further rows, which were committed last. */
  readonly before?: RowsRead;
  readonly definition: ImportDefinitionSpec;
  /** More numbers than these are not searched for; the whole workspace is read instead. */
  readonly mostSearched?: number;
  /** A folder that is there; the records stay in it. */
  readonly folder: string;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  readonly onRead: (what: ReadWhat, count: number) => void;
  /** Where exports may be run, which leave something behind in the workspace. */
  readonly exporting?: ExportPorts;
}

/** The records that rows are about, sealed, or why they were not read. */
export type RecordsRead =
  | { readonly by: 'pages' | 'searches' | 'export'; readonly records: KeyedRows }
  | { readonly why: string };

/** Reads what the workspace has of the rows of an import. */
export async function readRecords(reading: RecordReading): Promise<RecordsRead> {
  const resource = resourceNamed(reading.definition.resource);
  const why = unreadableRows(reading.prepared, reading.definition);
  if (why !== undefined) return { why };
  const records = await KeyedRows.open(reading.folder, 'records');
  try {
    const filling = await openFilling(records, reading);
    const found = await (resource.readBack === 'items' ? fillItems(filling) : fillLines(filling));
    if (!('why' in found)) {
      records.seal();
      return { ...found, records };
    }
    records.close();
    return found;
  } catch (error) {
    records.close();
    throw error;
  }
}

/** Why the records of rows cannot be read, whatever the workspace has. */
export function unreadableRows(
  { columns }: Pick<PreparedImport, 'columns'>,
  definition: ImportDefinitionSpec,
): string | undefined {
  const resource = resourceNamed(definition.resource);
  const fields = rowFieldsOf(columns, definition);
  const unmapped = resource.keys.find((key) => fields.column(key) === undefined && !hasGuid(fields, key));
  if (resource.readBack === undefined) return `records of ${resource.name} cannot be read`;
  if (unmapped !== undefined) return `no column is mapped to "${unmapped}"`;
  return fields.column('item.guid') === undefined ? undefined : 'its rows name items by GUID';
}

const hasGuid = (fields: ReturnType<typeof rowFieldsOf>, key: string): boolean =>
  key === 'number' && (fields.column('guid') ?? fields.column(FREE_TEXT)) !== undefined;

interface Filling extends RecordReading {
  readonly records: KeyedRows;
  readonly targets: readonly Target[];
  readonly wanted: WantedItems;
  readonly valuesOf: (record: JsonObject) => KeptValue[];
}

async function openFilling(records: KeyedRows, reading: RecordReading): Promise<Filling> {
  const { prepared, definition, identities } = reading;
  const targets = targetsOf(prepared.columns, definition.resource);
  const names: LiveNames = {
    delimiter: readingOf(definition).delimiter,
    categoryPath: (guid) => identities.nameOf(category.name, guid, 'ITEMS'),
  };
  const valuesOf = (record: JsonObject): KeptValue[] =>
    targets.map(({ field }): KeptValue => {
      const value = liveValue(record, field, names);
      return value === undefined ? null : [value.form, value.text];
    });
  return { ...reading, records, targets, wanted: await wantedItems(reading), valuesOf };
}

function fillItems(filling: Filling): Promise<ItemsRead> {
  const { records, valuesOf } = filling;
  const exporting = exportWay('SPECS', filling);
  return eachItem(filling, exporting, {
    restart: () => records.clear(),
    take: (item) => records.add([String(item.number)], valuesOf(item), String(item.guid)),
  });
}

/** A BOM is a request for each parent that is there, unless exports take fewer. */
async function fillLines(filling: Filling): Promise<ItemsRead> {
  const { reader, records, budget, signal, onRead, wanted, valuesOf } = filling;
  const exporting = exportWay('BOM', filling);
  if (exporting !== undefined && exporting.price <= wanted.count) return exporting.read();
  const parents = new Map<string, string>();
  const found = await eachItem(filling, undefined, {
    restart: () => parents.clear(),
    take: ({ guid, number }) => parents.set(String(guid), String(number)),
  });
  if ('why' in found) return found;
  if (parents.size > budget.left()) return { why: OVER_BUDGET };
  const reads = openItemReads(reader);
  const all = [...parents];
  for (let first = 0; first < all.length; first += PARALLEL_READS) {
    throwIfInterrupted(signal, 'reading BOMs');
    const some = all.slice(first, first + PARALLEL_READS);
    const boms = await Promise.all(
      some.map(async ([guid, number]) => ({ guid, number, lines: await reads.bom(guid) })),
    );
    for (const { guid, number, lines } of boms) {
      for (const line of lines) records.add([number, numberOfChild(line)], valuesOf(line), guid);
    }
    onRead('BOMs', first + some.length);
  }
  return found;
}

const numberOfChild = ({ item }: JsonObject): string => (isObject(item) ? String(item.number) : '');

/** Criteria of exports name items by number alone (wire-facts 2.1, 3294). */
function exportWay(view: ExportedView, filling: Filling): ExportWay | undefined {
  const { exporting, wanted, onRead } = filling;
  if (exporting === undefined || !wanted.isByNumber || wanted.count === 0) return undefined;
  const onItems = (count: number): void => onRead(view === 'SPECS' ? 'items' : 'BOM lines', count);
  return {
    price: exportPrice(wanted.count, view),
    read: () => readByExport({ ...filling, ...exporting, view, onItems }),
  };
}

interface Taking {
  readonly restart: () => void;
  readonly take: (item: JsonObject) => void;
}

/** Gives each item that the rows name by number or GUID in their first key, unless exports read them. */
function eachItem(filling: Filling, exporting: ExportWay | undefined, { restart, take }: Taking): Promise<ItemsRead> {
  const { reader, budget, signal, onRead, wanted } = filling;
  return readItems({
    ...(wanted.numbers === undefined ? {} : { numbers: wanted.numbers }),
    ...(exporting === undefined ? {} : { exporting }),
    ...{ reads: openItemReads(reader), budget, signal, restart, onItems: (count: number) => onRead('items', count) },
    add: (item) => {
      if (wanted.has(String(item.number)) || wanted.has(String(item.guid))) take(item);
    },
  });
}
