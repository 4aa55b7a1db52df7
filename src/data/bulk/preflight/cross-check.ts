import { excerpt } from '#base/printable.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { placeOfRow, rowName } from '../source/row-place.js';
import { createRowFields } from './row-fields.js';

/** An import of a plan with its definition. */
export interface CheckedImport {
  readonly prepared: PreparedImport;
  readonly definition: ImportDefinitionSpec;
}

const ITEMS = 'ITEM_SPECS';
const NAMED = 3;

const isItems = ({ prepared, definition }: CheckedImport): boolean =>
  prepared.resource.toUpperCase() === ITEMS && definition.mode.toUpperCase() !== 'DELETE';

/** Fields that refer to an item, for resources that are imported after items. */
const itemFields = ({ prepared }: CheckedImport): readonly string[] =>
  resourceNamed(prepared.resource).after.includes(ITEMS) ? ['number', 'item.number'] : [];

/** Findings about rows that refer to items, from the item lists of a plan. */
export interface CrossChecked {
  readonly findings: readonly Finding[];
  /** Item lists without any of its items. Empty if an item is in no list: it may be in any, under another number. */
  readonly apart: ReadonlySet<CheckedImport>;
}

interface ItemList {
  readonly of: CheckedImport;
  readonly numbers: KeyIndex;
}

/**
 * Finds item numbers that rows of a plan refer to and no item list of it has, one finding a column: they must be in the
 * workspace, or these rows fail once the items were committed. Without an item list nothing is compared.
 */
export async function crossCheck(imports: readonly CheckedImport[]): Promise<ReadonlyMap<CheckedImport, CrossChecked>> {
  const referring = imports.filter((one) => itemFields(one).length > 0);
  const checked = new Map<CheckedImport, CrossChecked>();
  if (referring.length === 0) return checked;
  const lists = await Promise.all(imports.filter(isItems).map(itemListOf));
  if (lists.length === 0) return checked;
  for (const one of referring) checked.set(one, await checkAgainst(one, lists));
  return checked;
}

async function itemListOf(of: CheckedImport): Promise<ItemList> {
  const numbers = new KeyIndex();
  for await (const { value, n } of valuesIn(of, 'number')) numbers.firstRow(value, n);
  return { of, numbers };
}

async function checkAgainst(one: CheckedImport, lists: readonly ItemList[]): Promise<CrossChecked> {
  const apart = new Set(lists);
  const isKnown = (number: string): boolean => {
    const holding = lists.filter(({ numbers }) => numbers.has(number));
    for (const list of holding) apart.delete(list);
    return holding.length > 0;
  };
  const findings: Finding[] = [];
  for (const field of itemFields(one)) findings.push(...(await unknownItems(one, field, isKnown)));
  return { findings, apart: new Set(findings.length > 0 ? [] : [...apart].map(({ of }) => of)) };
}

/** The values of a field in all rows, with the numbers of the data rows; none if no column has it. */
export async function* valuesIn({ prepared, definition }: CheckedImport, field: string) {
  const fields = createRowFields(prepared.columns, definition);
  if (fields.column(field) === undefined) return;
  for await (const { n, cells } of readAllRows(prepared)) {
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
  const named = first.map(({ value, row }) => `"${excerpt(value)}" in row ${rowName(one.prepared, row)}`).join(', ');
  const numbers = count === 1 ? '1 item is' : `${count} items are`;
  const message = `${numbers} not in the item lists of this plan: ${named}${count > NAMED ? ' and others' : ''}.`;
  const column = columns.find(({ fields }) => fields.includes(field))?.header ?? field;
  return [
    {
      severity: 'warning',
      code: 'not-in-items',
      message,
      hint: 'Import what is missing first, unless the workspace already has it; otherwise these rows fail.',
      ...placeOfRow(one.prepared, example.row),
      ...{ column, value: example.value },
    },
  ];
}
