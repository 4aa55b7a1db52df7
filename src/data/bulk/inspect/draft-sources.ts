import type { ChosenKey } from './choose-key.js';
import type { Column } from './column.js';
import { MOST_LINES } from './column-facts.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type Draft, whereFilled, withoutValues, withRemark, withSource } from './draft.js';
import { blankDraft, freeName, type KnownTable, withMakerRows } from './known-table.js';
import type { MakerColumns } from './maker-rows.js';
import type { Role } from './meanings.js';
import { withoutPlaceholders } from './placeholders.js';

/** Drafts the sources of a list: makers and suppliers, each with further ones of a row. */
export function draftSources(table: KnownTable, key: ChosenKey): Draft[] {
  const { roles } = table;
  return [
    sourcesOf(table, key, roles.get('manufacturer'), roles.get('mpn') ?? otherNumber(table, key), 'sources'),
    sourcesOf(table, key, roles.get('supplier'), supplierNumber(table, key), 'supplier sources'),
    ...shopSources(table, key),
    ...furtherSources(table, key),
  ].filter((draft) => draft !== undefined);
}

/** A number column that does not number the items, or is a maker's by its name, has the numbers of the manufacturers. */
function otherNumber({ roles }: KnownTable, { column, of = column }: ChosenKey): Column | undefined {
  const number = roles.get('number');
  return number?.name === of && roleNamed(number.header) !== 'mpn' ? undefined : number;
}

/** Numbers of suppliers; in a list without makers, those of a number column that does not number the items. */
const supplierNumber = (table: KnownTable, key: ChosenKey): Column | undefined =>
  table.roles.get('supplierPartNumber') ?? (table.roles.has('manufacturer') ? undefined : otherNumber(table, key));

/** Shops that headers of their numbers name, and how they write themselves. */
const SHOPS: readonly (readonly [header: RegExp, name: string])[] = [
  [/^digi ?key\b/, 'Digi-Key'],
  [/^mouser\b/, 'Mouser'],
  [/^farnell\b/, 'Farnell'],
  [/^newark\b/, 'Newark'],
  [/^arrow\b/, 'Arrow'],
  [/^avnet\b/, 'Avnet'],
  [/^tme\b/, 'TME'],
  [/^rs\b/, 'RS'],
];

/** Drafts the numbers of shops that only headers name. */
function shopSources(table: KnownTable, key: ChosenKey): (Draft | undefined)[] {
  const { columns, roles } = table;
  const known = roles.has('supplier') ? roles.get('supplierPartNumber') : undefined;
  return columns.map((column) => {
    const [, shop] = SHOPS.find(([header]) => header.test(bareHeader(column.header))) ?? [];
    if (shop === undefined || column === known || column.filled === 0 || column.name === key.column) return undefined;
    if (roleNamed(column.header) !== 'supplierPartNumber') return undefined;
    const name = freeName(columns, 'Supplier', 'Shop');
    const supplier = { ...column, name, filled: table.rows, lines: [], placeholders: new Map<string, number>() };
    const draft = sourcesOf(table, key, supplier, column, `${shop} sources`);
    return draft && withSource(draft, { constants: { ...draft.source.constants, [name]: shop } });
  });
}

/** The columns of makers and of their numbers, those of further sources too. */
export function makerColumns(table: KnownTable, key: ChosenKey): MakerColumns {
  const { roles } = table;
  const maker = roles.get('manufacturer');
  const number = roles.get('mpn') ?? (maker === undefined ? undefined : otherNumber(table, key));
  const { places, find } = numberedColumns(table);
  const further = places.map((place) => [find('manufacturer', place), find('mpn', place)] as const);
  return [[maker, number] as const, ...further].flatMap(([one, of]) => (of === undefined ? [] : [[one, of] as const]));
}

/** "Manufacturer 2", "Source 2 MPN", "Manufacturer 2 Part Number" and "Alternate MPN". */
const NUMBERED = [
  /^(?<base>.*?)[\s#_-]*(?<place>[2-9])$/,
  /^(?:approved[\s_-]+)?(?:source|avl|aml|option|choice)[\s#_-]*(?<place>[2-9])[\s.:_-]+(?<base>.+)$/i,
  /^(?<base>\p{L}+)[\s#_-]*(?<place>[2-9])[\s.:_-]+(?<rest>.+)$/u,
  /^(?:alt|alternate|alternative|2nd|second)\.?[\s_-]+(?<base>.+)$/i,
];

/** Columns with a place in their name. */
function numberedColumns({ columns }: KnownTable) {
  const numbered = columns.flatMap((column) => {
    const name = column.filled === 0 ? '' : column.name.trim();
    const [found] = NUMBERED.flatMap((pattern) => {
      const { base = '', rest = '', place = 'alternate' } = pattern.exec(name)?.groups ?? {};
      const role = roleNamed(`${base} ${rest}`.trim());
      return role === undefined ? [] : [{ column, role, place }];
    });
    return found ?? [];
  });
  const find = (role: Role, place: string) => numbered.find((one) => one.role === role && one.place === place)?.column;
  return { places: [...new Set(numbered.map(({ place }) => place))].sort(), find };
}

/** Drafts further sources of a row. */
function furtherSources(table: KnownTable, key: ChosenKey): (Draft | undefined)[] {
  const { places, find } = numberedColumns(table);
  return places.flatMap((place) => [
    sourcesOf(table, key, find('manufacturer', place), find('mpn', place), `sources ${place}`),
    sourcesOf(table, key, find('supplier', place), find('supplierPartNumber', place), `supplier sources ${place}`),
  ]);
}

/** Drafts the rows that have both a manufacturer or supplier and its number. */
function sourcesOf(
  table: KnownTable,
  key: ChosenKey,
  supplier: Column | undefined,
  number: Column | undefined,
  name: string,
): Draft | undefined {
  if (supplier === undefined || number === undefined) return undefined;
  const mapping = new Map([
    ['number', key.column],
    ['supplier.name', supplier.name],
    ['supplierItem.number', number.name],
  ]);
  const blank: Draft = { ...blankDraft(table, key, name), kind: 'sources', resource: 'ITEM_SOURCING', mapping };
  const draft = withMakerRows(blank, table, key);
  const both = [supplier, number];
  const { severalMakers: splitRows } = table;
  if (splitRows !== undefined && both.every((column) => splitRows.columns.includes(column.name)))
    return withoutPlaceholders(whereEach(withSource(draft, { splitRows }), table, both), both);
  if (both.some(({ lines }) => lines.length > MOST_LINES)) return undefined;
  const several = both.filter(({ lines }) => lines.length > 0);
  return withoutPlaceholders(several.reduce(withoutLines, whereEach(draft, table, both)), both);
}

/** Limits a draft to rows with a value in each of these columns. */
const whereEach = (draft: Draft, { rows }: KnownTable, columns: readonly Column[]): Draft =>
  columns.filter(({ filled }) => filled < rows).reduce((one, { name }) => whereFilled(one, name), draft);

/** Leaves out cells with several lines: it is unknown which of them is meant. */
function withoutLines(draft: Draft, { name, lines }: Column): Draft {
  const left = withSource(draft, withoutValues(draft.source, name, ['', ...lines]));
  return withRemark(
    left,
    `Open: ${lines.length === 1 ? '1 value' : `${lines.length} values`} of "${name}" ${lines.length === 1 ? 'has' : 'have'} several lines, and these rows give no source. Split them in the file to import them.`,
  );
}
