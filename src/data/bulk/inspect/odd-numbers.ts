import type { ImportSource } from '#core/jobs/source.js';
import { plainNumber } from '../source/plain-number.js';
import { exactText, MOST_TEXTS } from './count-numbers.js';
import { type Draft, flowText, withRemark, withSource } from './draft.js';
import type { KnownTable } from './known-table.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** Cells of one kind, with what is read in their place and their rows. */
type Odd = Map<string, { readonly read: string; readonly rows: number[] }>;

/** A column whose cells are read, and what they become. */
interface Asked {
  readonly column: string;
  readonly are: 'costs' | 'quantities' | 'units';
}

/** Reads numbers that are about right as if they were exact, and costs that are no numbers as empty cells. */
export async function withOddNumbers(path: string, draft: Draft, table: KnownTable): Promise<Draft> {
  let read = draft;
  for (const asked of askedIn(draft, table)) read = await withRead(path, read, asked);
  return read;
}

function askedIn({ kind, mapping, source }: Draft, { roles, columns }: KnownTable): Asked[] {
  const mapped = (field: string): string[] => columns.flatMap(({ name }) => (name === mapping.get(field) ? name : []));
  if (kind === 'BOM') return mapped('quantity').map((column) => ({ column, are: 'quantities' }));
  if (kind !== 'items') return [];
  const quantity = roles.get('quantity')?.name;
  const hasUnit = Object.values(source.columns ?? {}).some(
    (added) => typeof added === 'object' && 'unit' in added && added.unit === quantity,
  );
  return [
    ...mapped('standardCost').map((column): Asked => ({ column, are: 'costs' })),
    ...(hasUnit && quantity !== undefined ? [{ column: quantity, are: 'units' } as const] : []),
  ];
}

async function withRead(path: string, draft: Draft, { column, are }: Asked): Promise<Draft> {
  const format = draft.source.numbers?.[column];
  const known = draft.source.values?.[column] ?? {};
  const numberIn = (cell: string): string | undefined =>
    format === undefined ? (/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(cell) ? cell : undefined) : plainNumber(cell, format);
  const [about, texts]: [Odd, Odd] = [new Map(), new Map()];
  const count = { filled: 0, texts: 0 };
  await eachRowCells(path, unconverted(draft.source, column), [column], ([cell = ''], row) => {
    if (cell === '' || known[cell] !== undefined) return;
    count.filled += 1;
    const exact = exactText(cell);
    const read = exact === undefined || are === 'units' ? exact : numberIn(exact);
    if (read !== undefined) note(about, cell, read, row);
    else if (are === 'costs' && numberIn(cell) === undefined) {
      count.texts += 1;
      note(texts, cell, '', row);
    }
  });
  const isCost = are === 'costs' && count.texts <= count.filled * MOST_TEXTS;
  const odd = new Map([...about, ...(isCost ? texts : [])]);
  if (odd.size === 0) return draft;
  const values = { ...known, ...Object.fromEntries([...odd].map(([cell, { read }]) => [cell, read])) };
  const made = withSource(draft, { values: { ...draft.source.values, [column]: values } });
  return [
    ...(are === 'units' || about.size === 0 ? [] : [aboutText(column, about)]),
    ...(isCost && texts.size > 0 ? [noCostText(column, texts)] : []),
  ].reduce(withRemark, made);
}

/** A source that gives the cells of a column as the file has them. */
function unconverted(source: ImportSource, column: string): ImportSource {
  const { [column]: _, ...numbers } = source.numbers ?? {};
  const { [column]: __, ...values } = source.values ?? {};
  return { ...source, numbers, values };
}

function note(odd: Odd, cell: string, read: string, row: number): void {
  const found = odd.get(cell) ?? { read, rows: [] };
  found.rows.push(row);
  odd.set(cell, found);
}

const shownIn = (odd: Odd): string =>
  [...odd]
    .map(([cell, { read, rows }]) => `${JSON.stringify(cell)}${read === '' ? '' : ` as ${read}`} (${rowsText(rows)})`)
    .join(', ');

const aboutText = (column: string, odd: Odd): string =>
  `Open: "${column}" has numbers that are about right, which are read as if they were exact: ${shownIn(odd)}. Correct them under \`values: { ${flowText(column)}: … }\`.`;

const noCostText = (column: string, odd: Odd): string =>
  `Open: "${column}" has costs that are no numbers, and are not imported: ${shownIn(odd)}.`;
