import { KeyIndex, keyOf } from '../rows/key-index.js';
import { type Draft, withoutValues, withRemark, withSource } from './draft.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** More of them are no mistakes of the list. */
const MOST_PAIRS = 20;
const PAIR = 'Number and Name';

interface Unlike {
  /** Texts of number and name in rows that do not name their item. */
  readonly pairs: Set<string>;
  readonly rows: number[];
  /** All rows that were read. */
  all: number;
}

/** Leaves out the rows whose item has another name in an earlier row; undefined if these are too many to be mistakes. */
export async function keepFirstNames(path: string, draft: Draft): Promise<Draft | undefined> {
  const [number, name] = ['number', 'name'].map((field) => textOf(draft, draft.mapping.get(field) ?? ''));
  if (number === undefined || name === undefined || number === name || draft.source.columns?.[PAIR] !== undefined)
    return undefined;
  const columns = { ...draft.source.columns, [PAIR]: `${number}: ${name}` };
  const { pairs, rows, all } = await unlikeNames(path, { ...draft, source: { ...draft.source, columns } }, name);
  if (pairs.size === 0 || pairs.size > MOST_PAIRS || (rows.length > 1 && rows.length * 4 > all)) return undefined;
  return withRemark(
    withSource(draft, { columns, ...withoutValues({ where: draft.source.where ?? {} }, PAIR, [...pairs]) }),
    `Open: items have several names, and the first one counts, without ${JSON.stringify([...pairs][0])} in ${rowsText(rows)}. Correct the names or the numbers in the file.`,
  );
}

/** The text that composes a column from those of the file; of several, the first. */
function textOf({ source }: Draft, column: string): string | undefined {
  const made = source.columns?.[column];
  if (made === undefined) return `{${column}}`;
  return typeof made === 'string' ? made : Array.isArray(made) ? made[0] : undefined;
}

async function unlikeNames(path: string, { source, mapping }: Draft, name: string): Promise<Unlike> {
  const columns = [
    mapping.get('number') ?? '',
    ...[...name.matchAll(/\{([^{}]*)\}/g)].map(([, one = '']) => one),
    PAIR,
  ];
  const [named, pairs] = [new KeyIndex(), new KeyIndex()];
  const found: Unlike = { pairs: new Set(), rows: [], all: 0 };
  const isNamed = (cells: readonly string[]): boolean => cells.slice(1, -1).some((cell) => cell !== '');
  await eachRowCells(path, source, columns, (cells, row) => {
    if (isNamed(cells)) named.firstRow(cells[0] ?? '', row);
  });
  await eachRowCells(path, source, columns, (cells, row) => {
    found.all += 1;
    const [number = ''] = cells;
    const pair = cells.at(-1) ?? '';
    const first = pairs.firstRow(keyOf([number, pair]), row) ?? row;
    const isLost = named.has(number) && (!isNamed(cells) || named.firstRow(number, row) !== first);
    if (!isLost) return;
    found.rows.push(row);
    if (found.pairs.size <= MOST_PAIRS) found.pairs.add(pair);
  });
  return found;
}
