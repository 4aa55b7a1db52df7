import { join } from 'node:path';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { BeforeImage } from '#core/stream/import-outcome.js';
import { type RowIdentity, recordFinder, sharedKey } from '../compare/find-records.js';
import type { KeptRow, KeyedRows } from '../compare/keyed-rows.js';
import { listTargets } from '../compare/targets.js';
import type { Column } from '../preflight/columns.js';
import { removeMarker } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { SHARED_COLUMN } from '../report/extra-columns.js';
import { type CsvFileWriter, openCsvFile } from '../rows/csv-file.js';
import { joinKey, type KeyIndex } from '../rows/key-index.js';
import { isEmpty } from '../source/source-table.js';
import { isWhole, type LostColumn, takesAway } from './lost-columns.js';
import { parentLines, touchedRows } from './touched-rows.js';

/** Names of the files of a before image. */
export const BEFORE_FILES = { before: 'before.csv', absent: 'absent.csv' } as const;

/** Whether the shared object of a row existed, by its cells in `absent.csv`. */
export function sharedBefore(cells: readonly string[], { length }: readonly Column[]): SharedBefore {
  const said = cells[length];
  return said === 'there' || said === 'absent' ? said : 'unknown';
}

/** Whether an object that records share existed, as far as a before image knows. */
export type SharedBefore = 'there' | 'absent' | 'unknown';

/** An import, and the records that it is about to change. */
export interface BeforeImageInput {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  readonly lost: readonly LostColumn[];
  /** As they are now; their values are in the order of the targets of the import's columns and the lost ones. */
  readonly records: KeyedRows;
  /** Existing objects that rows of new records fill too, by `sharedKey`; absent if there are none, or not looked up. */
  readonly shared?: KeyIndex;
  /** An existing folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onRow: (read: number, of: number) => void;
}

/**
 * Writes the current values of the touched records in the columns of the import; an empty value is the removal marker
 * if the row fills it, so that importing the file with mode EDIT restores all. Records that go away, under REPLACE
 * maybe all of a touched parent, also have their other values. A value that is not shown is an empty cell.
 */
export async function writeBeforeImage(input: BeforeImageInput): Promise<BeforeImage> {
  const { prepared, lost, folder } = input;
  const [before, absent] = [join(folder, BEFORE_FILES.before), join(folder, BEFORE_FILES.absent)];
  const headersOf = (columns: readonly Column[]): string[] => columns.map(({ header }) => header);
  const files = [
    await openCsvFile(before, headersOf([...prepared.columns, ...lost]), `${prepared.path}.before`),
    await openCsvFile(
      absent,
      [...headersOf(prepared.columns), ...(input.shared === undefined ? [] : [SHARED_COLUMN])],
      `${prepared.path}.absent`,
    ),
  ] as const;
  try {
    await writeRows(input, files);
    for (const file of files) await file.finish();
  } catch (error) {
    for (const file of files) await file.abandon().catch(() => undefined);
    throw error;
  }
  return { before: { path: before, rows: files[0].rows }, absent: { path: absent, rows: files[1].rows } };
}

async function writeRows(
  { prepared, definition, lost, records, shared, signal, onRow }: BeforeImageInput,
  [before, absent]: readonly [CsvFileWriter, CsvFileWriter],
): Promise<void> {
  const finder = recordFinder(prepared.columns, definition);
  const priorOf = priorReader([...prepared.columns, ...lost], definition);
  const whole = isWhole(definition);
  const resource = resourceNamed(definition.resource);
  const sharedOf = ({ key }: RowIdentity): string[] =>
    shared === undefined ? [] : [shared.has(joinKey(sharedKey(resource, key))) ? 'there' : 'absent'];
  for await (const { n, cells, identity } of touchedRows(prepared, definition, signal)) {
    onRow(n, prepared.rows);
    const found = whole ? parentLines(identity, records) : finder.find(identity, records);
    if (found.length === 0) await absent.add([...cells, ...sharedOf(identity)]);
    for (const record of found) {
      if (records.mark(record) === 'first') await before.add(priorOf(record, cells));
    }
  }
  onRow(prepared.rows, prepared.rows);
}

/** Creates a reader of the prior cells of a row's record. */
function priorReader(all: readonly Column[], definition: ImportDefinitionSpec) {
  const { keys } = resourceNamed(definition.resource);
  const targets = listTargets(all, definition.resource);
  const isMadeAnew = takesAway(definition);
  const marker = removeMarker(definition);
  const places = all.map((_, column) => targets.flatMap((target, place) => (target.column === column ? [place] : [])));
  return (record: KeptRow, cells: readonly string[]): string[] =>
    all.map(({ fields }, column) => {
      const own = places[column] ?? [];
      const key = keys.findIndex((name) => fields.includes(name.toLowerCase()));
      if (own.length === 0) return (key < 0 ? cells[column] : record.key[key]) ?? '';
      const prior = priorText(record, own);
      const emptied = prior === '' && !isMadeAnew && !isEmpty(cells[column] ?? '');
      return emptied ? marker : (prior ?? '');
    });
}

/** Undefined if the workspace does not show the value, or if the cell fills fields with different values. */
function priorText({ values }: KeptRow, places: readonly number[]): string | undefined {
  const texts = new Set(places.map((place) => values[place]?.[1]));
  return texts.size === 1 ? [...texts][0] : undefined;
}
