import { join } from 'node:path';
import { throwIfInterrupted } from '../../errors.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { JsonObject } from '../../model/json.js';
import type { ItemReads } from '../../service/item-reads.js';
import { liveValue } from '../compare/live-value.js';
import { readingOf } from '../compare/value-form.js';
import { removeMarker, rowFieldsOf } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { type CsvFileWriter, openCsvFile } from '../rows/csv-file.js';
import { KeyIndex, keyOf } from '../rows/key-index.js';
import { readSpooledRows } from '../rows/spooled-rows.js';
import { type LiveRecords, liveRecordsOf } from './live-records.js';

/** Two CSV files in the columns of the import, from which it can be undone. */
export interface BeforeImage {
  /** Prior values of records that were there, ready for an EDIT of the same mapping. */
  readonly before: { readonly path: string; readonly rows: number };
  /** Keys of rows whose record was not there. */
  readonly absent: { readonly path: string; readonly rows: number };
}

/** An import whose records are to be read before it changes them. */
export interface BeforeImageInput {
  readonly prepared: PreparedImport;
  readonly definition: ImportDefinitionSpec;
  readonly reads: ItemReads;
  /** A folder that is there. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onRow: (read: number, of: number) => void;
}

/**
 * Writes what the touched records hold now, in the columns of the import: an empty value as the removal marker where the row
 * fills it, so that importing the file with mode EDIT puts the values back. Under REPLACE every line of a touched parent.
 * Undefined for resources whose records cannot be read back.
 */
export async function writeBeforeImage(input: BeforeImageInput): Promise<BeforeImage | undefined> {
  const { prepared, definition, reads, folder } = input;
  if (resourceNamed(definition.resource).readBack === undefined) return undefined;
  const [before, absent] = [join(folder, 'before.csv'), join(folder, 'absent.csv')];
  const header = prepared.columns.map((column) => column.header);
  const files = [await openCsvFile(before, header), await openCsvFile(absent, header)] as const;
  try {
    await writeRows(input, liveRecordsOf(definition.resource, reads), files);
    for (const file of files) await file.finish();
  } catch (error) {
    for (const file of files) await file.abandon().catch(() => undefined);
    throw error;
  }
  return { before: { path: before, rows: files[0].rows }, absent: { path: absent, rows: files[1].rows } };
}

async function writeRows(
  { prepared, definition, signal, onRow }: BeforeImageInput,
  live: LiveRecords,
  [before, absent]: readonly [CsvFileWriter, CsvFileWriter],
): Promise<void> {
  const fields = rowFieldsOf(prepared.columns, definition);
  const { keys } = resourceNamed(definition.resource);
  const whole = isWhole(definition);
  const seen = new KeyIndex();
  for await (const { n, cells } of readSpooledRows(prepared.path, { first: 1, last: prepared.rows })) {
    throwIfInterrupted(signal, 'reading records before the commit');
    const key = keys.map((one) => fields.text(cells, one));
    onRow(n, prepared.rows);
    if (key.includes('') || seen.firstRow(keyOf(whole ? key.slice(0, 1) : key), n) !== undefined) continue;
    const found = whole ? await live.all(key[0] ?? '') : ((await live.find(key)) ?? []);
    if (found.length === 0) await absent.add(cells);
    for (const record of found) await before.add(priorOf(record, cells, key, { prepared, definition }));
  }
}

/** Mode REPLACE takes away what the rows of a parent do not have, so that all its records are touched. */
const isWhole = ({ mode }: ImportDefinitionSpec): boolean => mode.toUpperCase() === 'REPLACE';

function priorOf(
  record: JsonObject,
  cells: readonly string[],
  key: readonly string[],
  { prepared, definition }: Pick<BeforeImageInput, 'prepared' | 'definition'>,
): string[] {
  const whole = isWhole(definition);
  const reading = readingOf(definition);
  const { keys } = resourceNamed(definition.resource);
  return prepared.columns.map(({ fields }, index) => {
    const [field = ''] = fields;
    const place = keys.indexOf(field);
    if (place === 0 || (place > 0 && !whole)) return key[place] ?? '';
    const prior = liveValue(record, field, reading)?.text;
    if (prior === undefined) return '';
    return prior === '' && (cells[index] ?? '').trim() !== '' && !whole ? removeMarker(definition) : prior;
  });
}
