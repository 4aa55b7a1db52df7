import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { KeyIndex } from '../../bulk/rows/key-index.js';
import { readSpooledRows } from '../../bulk/rows/spooled-rows.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';

interface Rows {
  readonly prepared: PreparedImport;
  /** Further rows, which were committed last. */
  readonly before?: PreparedImport;
  readonly definition: ImportDefinitionSpec;
}

/** More numbers than these are not searched for one by one. */
const MOST_SEARCHED = 5000;

/** The items that rows name in their first key. */
export interface WantedItems {
  /** Each once; absent where they are too many to be searched for, or where rows name items by GUID. */
  readonly numbers?: readonly string[];
  /** Whether a number or GUID is among them. */
  has(key: string): boolean;
}

/** The items that the rows of an import are about: of a BOM its parents. */
export async function wantedItems({ prepared, before, definition }: Rows): Promise<WantedItems> {
  const known = new KeyIndex();
  const numbers: string[] = [];
  let byGuid = false;
  for await (const { text, is } of firstKeys(before === undefined ? [prepared] : [prepared, before], definition)) {
    if (is === 'guid') byGuid = true;
    if (known.firstRow(text, 1) === undefined && numbers.length <= MOST_SEARCHED) numbers.push(text);
  }
  const searchable = !byGuid && numbers.length <= MOST_SEARCHED;
  return { ...(searchable ? { numbers } : {}), has: (key: string) => known.has(key) };
}

async function* firstKeys(sources: readonly PreparedImport[], definition: ImportDefinitionSpec) {
  for (const { path, rows, columns } of sources) {
    const fields = rowFieldsOf(columns, definition);
    for await (const { cells } of readSpooledRows(path, { first: 1, last: rows })) {
      const guid = fields.text(cells, 'guid').toUpperCase();
      const text = guid || fields.text(cells, 'number') || fields.text(cells, FREE_TEXT);
      if (text !== '') yield { text, is: guid === '' ? ('number' as const) : ('guid' as const) };
    }
  }
}
