import { throwIfInterrupted } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { category } from '#core/lookups/category.js';
import type { JsonObject } from '#core/model/json.js';
import type { ImportEvent } from '#core/stream/import-event.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { numberGroups, openItemReads } from '#service/item-reads.js';
import { PARALLEL_READS } from '#service/read-lookup.js';
import { type KeptValue, KeyedRows } from '../../../bulk/compare/keyed-rows.js';
import { type LiveNames, liveValue } from '../../../bulk/compare/live-value.js';
import { listTargets, type Target } from '../../../bulk/compare/targets.js';
import { cellReadingOptions } from '../../../bulk/compare/value-form.js';
import type { PreparedImport } from '../../../bulk/prepare.js';
import type { Covering } from '../../covers.js';
import type { ExportPorts } from '../export/read-by-export.js';
import { type ExportWay, type ItemsRead, readItems } from '../read-items.js';
import type { RequestBudget } from '../request-budget.js';
import { type RowsRead, type WantedItems, wantedItems } from '../wanted-items.js';

/** The kinds of records that are counted while they are read. */
export type ReadWhat = Extract<ImportEvent, { type: 'comparing' }>['what'];

/** An import whose records are read, and the means and limits of reading. */
export interface RecordReading {
  readonly prepared: RowsRead & Partial<Pick<PreparedImport, 'files'>>;
  /** Rows that were committed before, without marks. */
  readonly before?: KeyedRows;
  readonly definition: ImportDefinitionSpec;
  /** The most numbers to search for; for more, the whole workspace is read. */
  readonly mostSearched?: number;
  /** An existing folder, in which the records stay. */
  readonly folder: string;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  readonly onRead: (what: ReadWhat, count: number) => void;
  /** Lines of other BOMs that have the items as children are read too. */
  readonly whereUsed?: true;
  /** Items by GUID that a read of the same rows found, so that the next ones do not search for them again. */
  readonly known?: Map<string, KnownItem>;
  /** The set that the file covers: all of it is read. */
  readonly covering?: Covering;
  /** Present if exports may be run, which leave something behind in the workspace. */
  readonly exporting?: ExportPorts;
}

/** Records that are being read. */
export interface FillContext extends RecordReading {
  readonly records: KeyedRows;
  readonly targets: readonly Target[];
  readonly wanted: WantedItems;
  /** The values of a record in the targets. */
  readonly valuesOf: (record: JsonObject) => KeptValue[];
}

/** Begins to read; `isOwn` says which fields are the records' own, if they are not items or lines. */
export async function openFillContext(reading: RecordReading, isOwn?: LiveNames['isOwn']): Promise<FillContext> {
  const { prepared, definition, identities, folder } = reading;
  const targets = listTargets(prepared.columns, definition.resource);
  const names: LiveNames = {
    delimiter: cellReadingOptions(definition).delimiter,
    categoryPath: (guid) => identities.nameOf(category.name, guid, 'ITEMS'),
    ...omitUndefined({ isOwn }),
  };
  const valuesOf = (record: JsonObject): KeptValue[] =>
    targets.map(({ field }): KeptValue => {
      const value = liveValue(record, field, names);
      return value === undefined ? null : [value.form, value.text];
    });
  const wanted = await wantedItems(reading);
  return { ...reading, targets, valuesOf, wanted, records: await KeyedRows.open(folder, 'records') };
}

interface Taking {
  readonly restart: () => void;
  readonly take: (item: JsonObject) => void;
}

/** Takes each item that the rows name by number or GUID in their first key, unless exports read them. */
export function eachItem(
  filling: FillContext,
  exporting: ExportWay | undefined,
  { restart, take }: Taking,
): Promise<ItemsRead> {
  const { reader, budget, signal, onRead, wanted } = filling;
  return readItems({
    ...(wanted.numbers === undefined ? {} : { groups: numberGroups(wanted.numbers) }),
    ...omitUndefined({ exporting }),
    ...{ reads: openItemReads(reader), budget, signal, restart, what: 'items' },
    onRead: (count) => onRead('items', count),
    add: (item) => {
      if (wanted.has(String(item.number)) || wanted.has(String(item.guid))) take(item);
    },
  });
}

/** An item of the workspace that rows name. */
export interface KnownItem {
  readonly number: string;
  readonly inAssembly: boolean;
  /** It has an effective revision, so that imports write into its working one (wire-facts 8.2). */
  readonly isReleased: boolean;
}

/** An item, and the answer to one request about it. */
export interface OfItem<T> {
  readonly guid: string;
  readonly number: string;
  readonly found: T;
}

/** What reading something of each item needs. */
interface ReadingEach<T> {
  readonly what: ReadWhat;
  /** Whether an item is asked about; all are by default. */
  readonly isAsked?: (item: KnownItem) => boolean;
  readonly read: (guid: string) => Promise<T>;
  /** Returns why all reading fails, if it does. */
  readonly take: (of: OfItem<T>) => Promise<string | undefined> | string | undefined;
}

/** Sends one request for each existing item that the rows name, or more if its list has several pages. */
export async function readPerItem<T>(
  filling: FillContext,
  { what, isAsked = () => true, read, take }: ReadingEach<T>,
): Promise<ItemsRead> {
  const { budget, signal, onRead, known = new Map<string, KnownItem>() } = filling;
  const found = known.size > 0 ? ({ by: 'searches' } as const) : await findItems(filling, known);
  if ('why' in found) return found;
  const all = [...known].filter(([, item]) => isAsked(item));
  for (let first = 0; first < all.length; first += PARALLEL_READS) {
    throwIfInterrupted(signal, `reading ${what}`);
    // Checked for all that remain, so that no request is spent in vain.
    if (all.length - first > budget.left()) return { why: budget.over };
    const some = all.slice(first, first + PARALLEL_READS);
    const each = await Promise.all(some.map(async ([guid, { number }]) => ({ guid, number, found: await read(guid) })));
    for (const one of each) {
      const why = await take(one);
      if (why !== undefined) return { why };
    }
    onRead(what, first + some.length);
  }
  return found;
}

const findItems = (filling: FillContext, items: Map<string, KnownItem>): Promise<ItemsRead> =>
  eachItem(filling, undefined, {
    restart: () => items.clear(),
    take: ({ guid, number, inAssembly, effectiveDateTime }) =>
      items.set(String(guid), {
        ...{ number: String(number), inAssembly: inAssembly === true },
        isReleased: typeof effectiveDateTime === 'string',
      }),
  });
