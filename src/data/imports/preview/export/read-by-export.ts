import { join } from 'node:path';
import { DexsyncError, throwIfInterrupted } from '#base/errors.js';
import { exportDefinition } from '#core/kinds/export-definition.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { attribute } from '#core/lookups/attribute.js';
import { addressOf } from '#core/model/address.js';
import { isStandardField } from '#core/model/known-fields.js';
import { worldOf } from '#core/model/worlds.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import type { ExchangeRuns } from '#service/exchange-runs.js';
import { type ExportedView, type ItemExports, nameOfExport } from '#service/item-exports.js';
import { numberCriteria } from '#service/item-reads.js';
import { lookupBodies } from '#service/read-lookup.js';
import { ServiceError } from '#service/service-error.js';
import type { KeyedRows } from '../../../bulk/compare/keyed-rows.js';
import type { Target } from '../../../bulk/compare/targets.js';
import { cellReadingOptions } from '../../../bulk/compare/value-form.js';
import type { WantedItems } from '../wanted-items.js';
import { type ExportFiles, withExport } from './export-files.js';
import { type ReadCell, readExportTable } from './export-table.js';
import { type ExportedValues, exportedValues } from './export-values.js';

/** What reading by exports needs from outside. */
export interface ExportPorts {
  readonly exports: ItemExports;
  readonly host: Host;
  /** Milliseconds to wait for the end of a run, and before that for the end of another export. */
  readonly patience: number;
}

/** Records that are read by exports. */
export interface ReadingByExport extends ExportPorts {
  readonly view: ExportedView;
  readonly wanted: WantedItems;
  readonly targets: readonly Target[];
  readonly definition: ImportDefinitionSpec;
  /** Takes the records that are read. */
  readonly records: KeyedRows;
  readonly reader: Reader;
  /** An existing folder. */
  readonly folder: string;
  readonly onItems: (count: number) => void;
}

/** Milliseconds to wait for one export by default: longer than any known export takes. */
export const EXPORT_PATIENCE = 30 * 60_000;

/** Items in one run (wire-facts 5.1: 20,000 items; 5,000 with BOM). */
const MOST_ITEMS: Readonly<Record<ExportedView, number>> = { SPECS: 20_000, BOM: 5000 };

/** Requests for finding and creating the definition, and for the attributes. */
const ONCE = 3;
/** Requests of each run: the start, the archive, and polls for some seconds. */
const EACH_RUN = 6;

/** The most requests that reading `items` items by exports is expected to take. */
export const exportPrice = (items: number, view: ExportedView): number =>
  ONCE + EACH_RUN * Math.ceil(items / MOST_ITEMS[view]);

/** Reads records by one run after another, since the service runs one export at a time (wire-facts 5.1). */
export async function readByExport(reading: ReadingByExport): Promise<{ readonly by: 'export' }> {
  const { wanted, view, targets, definition, exports } = reading;
  const attributes = await attributesOf(reading);
  const runs = await exports.runsOf(view);
  const values = exportedValues(targets, attributes, cellReadingOptions(definition).delimiter);
  const group: GroupReading = { ...reading, runs, values, progress: { items: 0, runs: 0 } };
  for await (const numbers of wanted.groups(MOST_ITEMS[view])) await readGroup(numbers, group);
  return { by: 'export' };
}

/** Reads custom attributes if a target may be one. */
const attributesOf = async ({ targets, definition, reader }: ReadingByExport) =>
  targets.every(({ field }) => isStandardField(field))
    ? []
    : (await lookupBodies({ lookup: attribute, partition: worldOf(definition.resource) }, reader)).objects;

interface GroupReading extends ReadingByExport {
  readonly runs: ExchangeRuns;
  readonly values: ExportedValues;
  readonly progress: { items: number; runs: number };
}

/** Groups of this size are not divided further. */
const FEW = 100;

/** Reads a group of items, in halves if the service finds it too large. */
async function readGroup(numbers: readonly string[], reading: GroupReading): Promise<void> {
  const { view, folder, host, runs, patience, progress } = reading;
  progress.runs += 1;
  const exported = {
    address: addressOf(exportDefinition.name, nameOfExport(view)),
    ...{ runs, host, patience, items: numbers.length, criteria: numberCriteria(numbers) },
    folder: join(folder, `export-${progress.runs}`),
  };
  try {
    await withExport(exported, (files) => takeTable(files, new Set(numbers), reading));
  } catch (error) {
    if (!isTooMuch(error) || numbers.length <= FEW) throw error;
    const middle = Math.ceil(numbers.length / 2);
    await readGroup(numbers.slice(0, middle), reading);
    await readGroup(numbers.slice(middle), reading);
  }
}

/** Wire-facts 0, "oversized upload or body"; 2.1, "max 20000 items", "over 5000 lines no BOM". */
const isTooMuch = (error: unknown): boolean =>
  error instanceof ServiceError && (error.status === 413 || error.has(3148) || error.has(3149));

const NEEDED: Readonly<Record<ExportedView, readonly string[]>> = { SPECS: ['number'], BOM: ['number', 'item.number'] };

/** Takes the rows of a table. Criteria ignore letter case, so other items than those asked for are skipped. */
async function takeTable({ paths, count }: ExportFiles, numbers: ReadonlySet<string>, reading: GroupReading) {
  const { view, values, records, progress, onItems, host } = reading;
  const found = await readExportTable(paths, view, NEEDED[view], (cell) => {
    const key = NEEDED[view].map((column) => cell(column) ?? '');
    if (!numbers.has(key[0] ?? '') || !isOwnLine(cell)) return;
    records.add(key, values(cell), (cell('guid') ?? '').toUpperCase());
    progress.items += 1;
    if (progress.items % CHECK_EVERY === 0) throwIfInterrupted(host.signal, 'reading an export');
  });
  onItems(progress.items);
  if (view === 'SPECS' && count !== undefined && found < count)
    throw new DexsyncError(
      'ANSWER_UNEXPECTED',
      `The export contains ${found} of the ${count} items that the service counted.`,
    );
}

const CHECK_EVERY = 1000;

/** Whether a line belongs to the item itself, not to one of its parts. */
const isOwnLine = (cell: ReadCell): boolean => ['', '1'].includes(cell('level') ?? '');
