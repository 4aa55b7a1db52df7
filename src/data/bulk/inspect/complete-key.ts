import type { ImportSource } from '#core/jobs/source.js';
import { type ChosenKey, isUsable, isUsableRefDes, MADE } from './choose-key.js';
import type { Column } from './column.js';
import { columnTexts, withoutValues } from './draft.js';
import { freeName, type KnownTable } from './known-table.js';
import type { Role } from './meanings.js';
import { emptied } from './placeholder-texts.js';
import { eachRowCells } from './row-cells.js';
import { rowsText } from './rows-text.js';

/** A row without a number of its own. */
interface Unnumbered {
  readonly row: number;
  readonly key: string;
  /** `part`: it has a quantity, designators, a maker's number or several other cells; in a list without these, a name. */
  readonly is: 'part' | 'unknown';
  /** What may number it instead, one for each stand-in. Undefined for a text that stands for no value. */
  readonly texts: readonly (string | undefined)[];
}

/** Columns that number the rows without a number of their own, as texts of an added column. */
interface StandIn {
  readonly texts: readonly string[];
  readonly columns: readonly Column[];
  /** Different parts may have one `name`. */
  readonly is: 'number' | 'name';
}

/** "10-Mar" and "4.71E+12" were numbers of parts before a spreadsheet program read them. */
const DAMAGED =
  /^(?:\d{4}-\d\d-\d\d(?:T[\d:.]+)?|\d{1,2}[-. ]\s?(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\.?(?:[- ]\d{2,4})?|\d[.,]\d+E\+\d+)$/i;

/** Numbers parts without a number of their own by their maker's number or by what describes them, and names all odd ones. */
export async function completeKey(path: string, table: KnownTable, key: ChosenKey): Promise<ChosenKey> {
  const named = table.columns.find(({ name }) => name === key.column);
  if (named === undefined || named.filled === 0) return key;
  const column = withoutMakers(named, table);
  const standIns = standInsFor(column, table, key);
  const { rows, damaged } = await readOddRows(path, table, column, standIns);
  const remarks = [...key.remarks, ...damagedTexts(damaged, column)];
  const used = usedStandIns(rows, standIns);
  if (used.length > 0) return withStandIns({ ...key, remarks }, column, table, { rows, used });
  const marked = rows.filter((one) => one.key !== '');
  if (marked.length === 0) return { ...key, remarks };
  const { where = {} } = withoutValues<Pick<ImportSource, 'where'>>({}, column.name, [
    '',
    ...column.placeholders.keys(),
  ]);
  const left = `Open: ${rowsText(marked.map(({ row }) => row))}: left out, since ${JSON.stringify(marked[0]?.key)} in "${column.name}" stands for no number. Give these parts one in the file.`;
  return { ...key, source: { ...key.source, where }, remarks: [...remarks, left] };
}

/** The name of a maker in place of its number is not a number, unless it says what the part is in other columns, too. */
function withoutMakers(column: Column, { roles }: KnownTable): Column {
  const makers = column === roles.get('mpn') ? roles.get('manufacturer')?.values : undefined;
  const others = (['value', 'name', 'package'] as const).flatMap((role) => roles.get(role)?.values ?? []);
  const isMaker = (value: string): boolean =>
    makers?.has(value) === true && !/\d/.test(value) && !others.some((values) => values.has(value));
  const found = [...(column.values ?? [])].filter(([value]) => isMaker(value));
  return found.length === 0 ? column : { ...column, placeholders: new Map([...column.placeholders, ...found]) };
}

function standInsFor(column: Column, { roles, assembly, source }: KnownTable, { is }: ChosenKey): StandIn[] {
  const all = [
    ['mpn'],
    ['value', 'package'],
    ['name', 'package'],
    ['name'],
    ['description'],
    ['description', 'value'],
  ] as const;
  const described = all.flatMap((asked): StandIn[] => {
    const columns = asked.flatMap((role) => roles.get(role) ?? []);
    if (columns.length < asked.length || !columns.every((one) => isUsable(one) && one.name !== column.name)) return [];
    const names = columns.map(({ name }) => name);
    const [only, other] = names;
    if (only === undefined || other !== undefined) {
      const texts = [names.map((name) => `{${name}}`).join(' ')];
      return [{ texts, columns, is: asked[0] === 'description' ? 'name' : 'number' }];
    }
    return [{ texts: columnTexts(source, only), columns, is: asked[0] === 'mpn' ? 'number' : 'name' }];
  });
  const refDes = roles.get('refDes');
  if (is !== 'proposed' || !isUsableRefDes(refDes)) return described;
  return [...described, { texts: [`${assembly}-{${refDes.name}}`], columns: [refDes], is: 'number' }];
}

async function readOddRows(path: string, table: KnownTable, column: Column, standIns: readonly StandIn[]) {
  const { roles, source, makerRows = [] } = table;
  const columnsOf = (...asked: readonly Role[]) => asked.flatMap((role) => roles.get(role) ?? []);
  const counted = columnsOf('quantity', 'refDes', 'mpn');
  const evidence = counted.length > 0 ? counted : columnsOf('name');
  const columns = [column, ...evidence, ...standIns.flatMap((one) => one.columns)];
  const others = table.columns.filter((one) => one.name !== '' && !columns.includes(one));
  const rows: Unnumbered[] = [];
  const damaged: { readonly row: number; readonly value: string }[] = [];
  await eachRowCells(
    path,
    source,
    [...columns, ...others].map(({ name }) => name),
    (cells, row) => {
      const [key = ''] = cells;
      if (DAMAGED.test(key)) damaged.push({ row, value: key });
      if ((key !== '' && !column.placeholders.has(key)) || makerRows.includes(row)) return;
      const textOf = (at: number) => (columns[at]?.placeholders.has(cells[at] ?? '') === true ? undefined : cells[at]);
      const beside = cells.slice(columns.length).filter((cell) => cell !== '').length;
      const is = beside > 1 || evidence.some((_, index) => textOf(index + 1)) ? 'part' : 'unknown';
      let at = 1 + evidence.length;
      const texts = standIns.map((one) => {
        const parts = one.columns.map(() => textOf(at++));
        return parts.includes(undefined) ? undefined : parts.join(' ').trim();
      });
      rows.push({ row, key, is, texts });
    },
  );
  return { rows, damaged };
}

/** All that may number a row: rows of which nothing differs are of one part. */
const describe = ({ texts }: Unnumbered): string => texts.join('\n');

/** The stand-ins that number parts without a number and no other row, so that no two parts become one. */
function usedStandIns(rows: readonly Unnumbered[], standIns: readonly StandIn[]): readonly StandIn[] {
  const fit = standIns.filter(({ is }, at) => {
    const filled = rows.filter(({ texts }) => texts[at]);
    const texts = new Set(filled.map((row) => row.texts[at]));
    const unknown = filled.filter((row) => row.is === 'unknown').length;
    const isOfPart = rows.every((row) => row.texts[at] !== undefined) && unknown * 3 <= filled.length;
    return isOfPart && (is === 'number' || texts.size === new Set(filled.map(describe)).size);
  });
  const parts = rows.filter((row) => row.is === 'part');
  const firsts = parts.map(({ texts }) => fit.find((one) => texts[standIns.indexOf(one)] !== ''));
  return firsts.includes(undefined) ? [] : fit.filter((one) => firsts.includes(one));
}

function withStandIns(
  key: ChosenKey,
  { name, placeholders }: Column,
  { columns, source }: KnownTable,
  { rows, used }: { readonly rows: readonly Unnumbered[]; readonly used: readonly StandIn[] },
): ChosenKey {
  const made = freeName(columns, MADE, `Own ${MADE}`);
  const texts = [...columnTexts(source, name), ...used.flatMap((one) => one.texts)];
  const values = placeholders.size === 0 ? {} : { values: { ...key.source.values, [name]: emptied(placeholders) } };
  const parts = rows.filter(({ texts: own }) => own.some((text) => text));
  const by = used.flatMap((one) => one.columns.map((column) => `"${column.name}"`)).join(', ');
  const which = `${rowsText(parts.map(({ row }) => row))} ${parts.length === 1 ? 'has' : 'have'} no number in "${name}"`;
  const remark = `Open: ${which}, so ${by} is used instead. Give the parts their numbers in the file if they have some.`;
  return {
    ...key,
    ...{ column: made, of: name, remarks: [...key.remarks, remark] },
    source: { ...key.source, columns: { ...key.source.columns, [made]: texts }, ...values },
  };
}

function damagedTexts(
  found: readonly { readonly row: number; readonly value: string }[],
  { name, filled }: Column,
): string[] {
  const [first] = found;
  if (first === undefined || found.length * 2 > filled) return [];
  const rows = rowsText(found.map(({ row }) => row));
  return [
    `Open: ${rows}: ${JSON.stringify(first.value)} in "${name}" looks like a number that a spreadsheet program turned into a date or rounded. Correct it in the file, in a cell that is formatted as text.`,
  ];
}
