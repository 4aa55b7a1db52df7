import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex } from '../rows/key-index.js';
import { readSpooledRows } from '../rows/spooled-rows.js';
import { placeOf } from '../source/source-table.js';
import type { Finding } from './findings.js';
import { rowFieldsOf } from './row-fields.js';

/** An import of a plan with its definition. */
export interface CheckedImport {
  readonly prepared: PreparedImport;
  readonly definition: ImportDefinitionSpec;
}

const ITEMS = 'ITEM_SPECS';
const NAMED = 3;

const isItems = ({ prepared, definition }: CheckedImport): boolean =>
  prepared.resource.toUpperCase() === ITEMS && definition.mode.toUpperCase() !== 'DELETE';

/** Fields that name an item, in the rows of what comes after items. */
const itemFields = ({ prepared }: CheckedImport): readonly string[] =>
  resourceNamed(prepared.resource).after.includes(ITEMS) ? ['number', 'item.number'] : [];

/**
 * Item numbers that rows of a plan refer to and that none of its item lists has, one finding a column: they have to be in
 * the workspace already, or these rows fail once the items were committed. Without an item list there is nothing to compare.
 */
export async function crossCheck(imports: readonly CheckedImport[]): Promise<ReadonlyMap<CheckedImport, Finding[]>> {
  const lists = imports.filter(isItems);
  const referring = imports.filter((one) => itemFields(one).length > 0);
  const found = new Map<CheckedImport, Finding[]>();
  if (lists.length === 0 || referring.length === 0) return found;
  const known = new KeyIndex();
  for (const list of lists) for await (const { value, n } of valuesIn(list, 'number')) known.firstRow(value, n);
  for (const one of referring) {
    const findings: Finding[] = [];
    for (const field of itemFields(one)) findings.push(...(await unknownItems(one, field, (key) => known.has(key))));
    if (findings.length > 0) found.set(one, findings);
  }
  return found;
}

async function* valuesIn({ prepared, definition }: CheckedImport, field: string) {
  const fields = rowFieldsOf(prepared.columns, definition);
  if (fields.column(field) === undefined) return;
  for await (const { n, cells } of readSpooledRows(prepared.path, { first: 1, last: prepared.rows })) {
    const value = fields.text(cells, field);
    if (value !== '') yield { n, value };
  }
}

async function unknownItems(
  one: CheckedImport,
  field: string,
  isKnown: (key: string) => boolean,
): Promise<readonly Finding[]> {
  const seen = new KeyIndex();
  const first: { readonly value: string; readonly row: number | undefined }[] = [];
  let count = 0;
  for await (const { n, value } of valuesIn(one, field)) {
    if (isKnown(value) || seen.firstRow(value, n) !== undefined) continue;
    count += 1;
    if (first.length < NAMED) first.push({ value, row: one.prepared.sourceRowOf(n) });
  }
  const [example] = first;
  if (example === undefined) return [];
  const { columns } = one.prepared;
  const named = first.map(({ value, row }) => `"${value}" in row ${row}`).join(', ');
  const numbers = count === 1 ? '1 item is' : `${count} items are`;
  const message = `${numbers} not in the item lists of this plan: ${named}${count > NAMED ? ' and others' : ''}.`;
  const column = columns.find(({ fields }) => fields.includes(field))?.header ?? field;
  return [
    {
      severity: 'warning',
      code: 'not-in-items',
      message,
      hint: 'Import what is missing first, unless the workspace already has it; otherwise these rows fail.',
      ...placeOf(one.prepared),
      ...(example.row === undefined ? {} : { row: example.row }),
      ...{ column, value: example.value },
    },
  ];
}
