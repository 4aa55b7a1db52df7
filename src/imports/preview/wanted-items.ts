import { FREE_TEXT } from '../../bulk/preflight/columns.js';
import { rowFieldsOf } from '../../bulk/preflight/row-fields.js';
import type { PreparedImport } from '../../bulk/prepare.js';
import { KeyIndex } from '../../bulk/rows/key-index.js';
import { readSpooledRows } from '../../bulk/rows/spooled-rows.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';

interface Rows {
  readonly prepared: PreparedImport;
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
export async function wantedItems({ prepared, definition }: Rows): Promise<WantedItems> {
  const fields = rowFieldsOf(prepared.columns, definition);
  const known = new KeyIndex();
  const numbers: string[] = [];
  let byGuid = false;
  for await (const { n, cells } of readSpooledRows(prepared.path, { first: 1, last: prepared.rows })) {
    const guid = fields.text(cells, 'guid').toUpperCase();
    const number = fields.text(cells, 'number') || fields.text(cells, FREE_TEXT);
    if (guid !== '') {
      byGuid = true;
      known.firstRow(guid, n);
    } else if (number !== '' && known.firstRow(number, n) === undefined && numbers.length <= MOST_SEARCHED)
      numbers.push(number);
  }
  const searchable = !byGuid && numbers.length <= MOST_SEARCHED;
  return { ...(searchable ? { numbers } : {}), has: (key: string) => known.has(key) };
}
