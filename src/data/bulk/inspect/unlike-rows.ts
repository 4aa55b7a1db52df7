import type { ChosenKey } from './choose-key.js';
import type { Column, Roles } from './column.js';
import { type Draft, withRemark } from './draft.js';
import type { Meaning } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

/** What two rows of one item have in common. */
const OF_ITEMS: readonly Meaning[] = ['revision', 'lifecycle', 'description', 'value', 'package'];
/** What they have in common besides, if their number is none of the company. */
const OF_PARTS: readonly Meaning[] = ['mpn', 'supplierPartNumber'];

/** Adds a remark about rows that become one item though they describe different ones. */
export async function withUnlikeRows(
  path: string,
  draft: Draft,
  { columns, roles, rows, key }: { columns: readonly Column[]; roles: Roles; rows: number; key: ChosenKey },
): Promise<Draft> {
  const number = draft.mapping.get('number');
  const asked = key.is === 'own' ? OF_ITEMS : [...OF_ITEMS, ...OF_PARTS];
  const compared = asked.flatMap((role) => roles.get(role) ?? []).filter((column) => columns.includes(column));
  if (draft.kind !== 'items' || number === undefined || compared.length === 0 || rows > MOST_ALIKE) return draft;
  const first = new Map<string, { readonly row: number; readonly cells: readonly string[] }>();
  const unlike: string[] = [];
  const names = compared.map(({ name }) => name);
  await eachRowCells(path, draft.source, [number, ...names], ([text = '', ...cells], row) => {
    const known = first.get(text);
    const at = known === undefined ? -1 : cells.findIndex((cell, index) => differ(cell, known.cells[index] ?? ''));
    if (known === undefined) first.set(text, { row, cells });
    else if (at !== -1)
      unlike.push(`row ${row} has the number of row ${known.row} (${JSON.stringify(text)}) but another "${names[at]}"`);
  });
  const [one] = unlike;
  if (one === undefined) return draft;
  const more = unlike.length === 1 ? '' : ` (${unlike.length - 1} more)`;
  return withRemark(draft, `Open: ${one}${more}, and they become one item. Give different parts different numbers.`);
}

const differ = (one: string, other: string): boolean =>
  one !== '' && other !== '' && one.toLowerCase() !== other.toLowerCase();
