import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { createRowFields } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { KeyIndex } from '../../bulk/rows/key-index.js';
import { readAllRows } from '../../bulk/rows/spooled-rows.js';

/** What finding the records of rows needs of them. */
export type RowsRead = Pick<PreparedImport, 'path' | 'rows' | 'columns'>;

interface Rows {
  readonly prepared: RowsRead;
  /** Rows that were committed before, without marks. */
  readonly before?: KeyedRows;
  readonly definition: ImportDefinitionSpec;
  readonly mostSearched?: number;
}

/** The most numbers to search for one by one. */
const MOST_SEARCHED = 5000;

/** The items that rows name in their first key. */
export interface WantedItems {
  /** Each once; absent if they are too many to search for, or if rows name items by GUID. */
  readonly numbers?: readonly string[];
  /** How many numbers there are, each counted once. */
  readonly count: number;
  /** Whether every row names its item by number. */
  readonly isByNumber: boolean;
  /** Whether a number or GUID is among them. */
  has(key: string): boolean;
  /** All numbers in the order of the rows, each once, in groups of `size`. */
  groups(size: number): AsyncGenerator<readonly string[]>;
}

/** Collects the items that the rows of an import are about; of a BOM, its parents. */
export async function wantedItems(rows: Rows): Promise<WantedItems> {
  const { mostSearched = MOST_SEARCHED } = rows;
  const known = new KeyIndex();
  const numbers: string[] = [];
  let byGuid = false;
  let count = 0;
  for await (const { text, is } of firstKeys(rows)) {
    if (is === 'guid') byGuid = true;
    if (known.firstRow(text, 1) !== undefined || is === 'guid') continue;
    count += 1;
    if (count <= mostSearched) numbers.push(text);
  }
  const isSearchable = !byGuid && count <= mostSearched;
  return {
    ...(isSearchable ? { numbers } : {}),
    count,
    isByNumber: !byGuid,
    has: (key) => known.has(key),
    groups: (size) => groupsIn(rows, size),
  };
}

async function* firstKeys({ prepared, before, definition }: Rows) {
  const fields = createRowFields(prepared.columns, definition);
  for await (const { cells } of readAllRows(prepared)) {
    const guid = fields.text(cells, 'guid').toUpperCase();
    const text = guid || fields.text(cells, 'number') || fields.text(cells, FREE_TEXT);
    if (text !== '') yield { text, is: guid === '' ? ('number' as const) : ('guid' as const) };
  }
  for (const {
    key: [text = ''],
  } of before?.unmarked() ?? [])
    if (text !== '') yield { text, is: 'number' as const };
}

async function* groupsIn(rows: Rows, size: number): AsyncGenerator<readonly string[]> {
  const known = new KeyIndex();
  let group: string[] = [];
  for await (const { text, is } of firstKeys(rows)) {
    if (is === 'guid' || known.firstRow(text, 1) !== undefined) continue;
    group.push(text);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
