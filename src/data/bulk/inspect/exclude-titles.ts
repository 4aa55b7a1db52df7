import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { LEFT_OUT, withoutValues } from './draft.js';
import { freeName } from './known-table.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';
import { placeNames } from './title-column.js';

/** A source without the titles of sections, and a sentence about them. */
export interface WithoutTitles {
  readonly source: ImportSource;
  readonly remark?: string;
  /** A question about a row that stays. */
  readonly open?: string;
  /** A column of the source that only says which rows are left out. */
  readonly added?: string;
}

/** In a narrower list a cell alone may be a record. */
const LEAST_COLUMNS = 3;
/** The greatest share of rows that are titles: more of them are records of which little is known. */
const MOST = 1 / 2;

/** Columns of which one is filled in each row besides its title. */
const MOST_BESIDE = 3;

/** Leaves out rows with one cell between rows with several: titles of sections would become records. */
export async function excludeTitles(
  path: string,
  source: ImportSource,
  columns: readonly Column[],
  rows: number,
): Promise<WithoutTitles> {
  const places = placeNames(source);
  const filled = columns.filter(({ filled: count, name }) => count > 0 && name !== '' && !places.includes(name));
  const ruled = filled.find(({ values }) => [...(values?.keys() ?? [])].some(isRule));
  if (ruled !== undefined) return withoutSigns(source, ruled, [...(ruled.values?.keys() ?? [])].filter(isRule));
  const signs = filled.find(({ alone }) => [...alone.keys()].some(isSign));
  if (signs !== undefined) return withoutSigns(source, signs, [...signs.alone.keys()].filter(isSign));
  const [titled, ...others] = filled.filter(({ alone }) => alone.size > 0);
  if (titled === undefined || others.length > 0 || filled.length < LEAST_COLUMNS) return { source };
  const titles = [...titled.alone.keys()];
  const count = [...titled.alone.values()].reduce((sum, times) => sum + times, 0);
  if (count > rows * MOST) return { source };
  const shown = `${count === 1 ? '1 row' : `${count} rows`} with a title alone, such as "${titles[0]}" in "${titled.name}"`;
  const remark = `${LEFT_OUT}${shown}.`;
  const beside = await filledBeside(path, source, titled, filled);
  const [only, ...more] = beside;
  if (only !== undefined && more.length === 0) return { source: withoutValues(source, only, ['']), remark };
  // A title may be a record in another row: its value then does not say which row is meant.
  if (titled.distinct === titled.filled) return { source: withoutValues(source, titled.name, titles), remark };
  if (only === undefined)
    return {
      source,
      remark: `Open: ${shown}, would become ${count === 1 ? 'a record' : 'records'}. Leave them out by \`where\`.`,
    };
  const added = freeName(columns, 'Rest of Row', 'Cells beside Title');
  const made = { ...source, columns: { ...source.columns, [added]: beside.map((name) => `{${name}}`).join('') } };
  return { source: withoutValues(made, added, ['']), remark, added };
}

/** A text without letters and digits. */
const isSign = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** What divides the header from the rows in Markdown. */
const isRule = (text: string): boolean => /^:?-{3,}:?$|^:-+:?$|^-+:$/.test(text);

function withoutSigns(source: ImportSource, { name }: Column, signs: readonly string[]): WithoutTitles {
  const shown = signs.map((sign) => JSON.stringify(sign)).join(', ');
  return {
    source: withoutValues(source, name, signs),
    remark: `${LEFT_OUT}rows with nothing but ${shown} in "${name}".`,
  };
}

/** The fewest columns of which each row besides the titles fills at least one; none if many would be needed. */
async function filledBeside(
  path: string,
  source: ImportSource,
  titled: Column,
  filled: readonly Column[],
): Promise<readonly string[]> {
  const names = filled.flatMap((column) => (column === titled || column.placeholders.size > 0 ? [] : [column.name]));
  const all = filled.filter((column) => column !== titled).map(({ name }) => name);
  let left: (readonly number[])[] = [];
  await eachRowCells(path, source, [...names, ...all], (cells) => {
    if (cells.slice(names.length).every((cell) => cell === '') || left.length > MOST_ALIKE) return;
    left.push(names.flatMap((_, index) => (cells[index] === '' ? [] : [index])));
  });
  const chosen: string[] = [];
  while (left.length > 0 && chosen.length < MOST_BESIDE) {
    const counts = names.map((_, index) => left.filter((one) => one.includes(index)).length);
    const best = counts.indexOf(Math.max(...counts));
    chosen.push(names[best] ?? '');
    left = left.filter((one) => !one.includes(best));
  }
  return left.length > 0 ? [] : chosen;
}
