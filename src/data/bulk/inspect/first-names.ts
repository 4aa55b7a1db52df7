import { joinKey, KeyIndex } from '../rows/key-index.js';
import { type Draft, whereFilled, withoutValues, withRemark, withSource } from './draft.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** More of them are no mistakes of the list. */
const MOST_PAIRS = 20;
/** Names beyond them are not compared. */
const MOST_NAMES = 50_000;
const PAIR = 'Number and Name';

interface Unlike {
  /** Texts of number and name in rows that do not name their item. */
  readonly pairs: Set<string>;
  readonly rows: number[];
  /** What is said of those whose names have other figures than the names that count. */
  readonly unlike: string[];
  /** The texts of the others. */
  readonly others: Map<number, string>;
  /** All rows that were read. */
  all: number;
  /** Rows without a name. */
  nameless: number;
  /** Those of them whose item has a name in another row. */
  named: number;
}

/** Leaves out the rows whose item has another name in an earlier row; undefined if these are too many to be mistakes. */
export async function keepFirstNames(path: string, draft: Draft): Promise<Draft | undefined> {
  const [number, name] = ['number', 'name'].map((field) => textOf(draft, draft.mapping.get(field) ?? ''));
  if (number === undefined || name === undefined || number === name || draft.source.columns?.[PAIR] !== undefined)
    return undefined;
  const columns = { ...draft.source.columns, [PAIR]: `${number}: ${name}` };
  const found = await unlikeNames(path, { ...draft, source: { ...draft.source, columns } }, name);
  const { pairs, rows, all, nameless, named } = found;
  const [, only] = /^\{([^{}]*)\}$/.exec(name) ?? [];
  if (only !== undefined && nameless > 0 && nameless === named && draft.source.where?.[only] === undefined)
    return withNamed(draft, only);
  if (pairs.size === 0 || pairs.size > MOST_PAIRS || (rows.length > 1 && rows.length * 4 > all)) return undefined;
  return withRemarks(
    withSource(draft, { columns, ...withoutValues({ where: draft.source.where ?? {} }, PAIR, [...pairs]) }),
    found,
  );
}

/** Asks about names that may be of different parts, and says which other ones do not count. */
function withRemarks(draft: Draft, { unlike, others }: Unlike): Draft {
  const [other] = others.values();
  return [
    ...(unlike.length === 0
      ? []
      : [
          `Open: parts of one number have names with other figures, and become one item: ${unlike.join('; ')}. Give different parts different numbers.`,
        ]),
    ...(other === undefined
      ? []
      : [
          `Open: items have several names, and the first one counts, without ${JSON.stringify(other)} in ${rowsText([...others.keys()])}. Correct the names or the numbers in the file.`,
        ]),
  ].reduce(withRemark, draft);
}

/** Amounts and sizes in a name, with their units. */
const figuresIn = (text: string): string => (text.toLowerCase().match(/\d+(?:[.,]\d+)*\s?\p{L}*/gu) ?? []).join();

/** Leaves out the rows without a name: all items have one in other rows. */
function withNamed(draft: Draft, column: string): Draft {
  const { [draft.mapping.get('name') ?? '']: _, ...columns } = draft.source.columns ?? {};
  const { columns: __, ...others } = draft.source;
  const source = Object.keys(columns).length === 0 ? others : { ...others, columns };
  const remarks = draft.remarks.filter((remark) => !/^Open: .* no name in /.test(remark));
  const mapping = new Map([...draft.mapping, ['name', column]]);
  return withRemark(
    whereFilled({ ...draft, source, remarks, mapping }, column),
    `Rows without "${column}" are left out here: their items have a name in other rows.`,
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
  const found: Unlike = { pairs: new Set(), rows: [], unlike: [], others: new Map(), all: 0, nameless: 0, named: 0 };
  const counted = new Map<string, string>();
  const isNamed = (cells: readonly string[]): boolean => cells.slice(1, -1).some((cell) => cell !== '');
  await eachRowCells(path, source, columns, (cells, row) => {
    if (isNamed(cells)) named.firstRow(cells[0] ?? '', row);
  });
  await eachRowCells(path, source, columns, (cells, row) => {
    found.all += 1;
    const [number = ''] = cells;
    if (!isNamed(cells)) found.nameless += 1;
    if (!isNamed(cells) && named.has(number)) found.named += 1;
    const pair = cells.at(-1) ?? '';
    const firstRow = pairs.firstRow(joinKey([number, pair]), row) ?? row;
    const isLost = named.has(number) && (!isNamed(cells) || named.firstRow(number, row) !== firstRow);
    if (isLost) noteLost(found, row, pair, counted.get(number));
    else if (isNamed(cells) && counted.size < MOST_NAMES && !counted.has(number)) counted.set(number, pair);
  });
  return found;
}

function noteLost({ pairs, rows, unlike, others }: Unlike, row: number, pair: string, first: string = pair): void {
  rows.push(row);
  if (pairs.size <= MOST_PAIRS) pairs.add(pair);
  const isLike = pair.endsWith(': ') || figuresIn(first) === figuresIn(pair);
  if (unlike.length > MOST_PAIRS || isLike) others.set(row, pair);
  else unlike.push(`${JSON.stringify(pair)} in row ${row} beside ${JSON.stringify(first)}`);
}
