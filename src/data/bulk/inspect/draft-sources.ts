import { type ChosenKey, countValues } from './choose-key.js';
import { type Column, matchingShare } from './column.js';
import { MOST_LINES } from './column-facts.js';
import { roleNamed } from './column-names.js';
import { columnOption, type Draft, flowText, whereFilled, withRemark, withSource } from './draft.js';
import { blankDraft, freeName, type KnownTable, withMakerRows } from './known-table.js';
import type { MakerColumns } from './maker-rows.js';
import type { Role } from './meanings.js';
import { markedIn, withoutMarked, withoutPlaceholders } from './placeholders.js';
import { isSymbol } from './role-by-name.js';
import { findShop, isForeign, isOfShopForm, isOtherForm, shopInHeader } from './shops.js';
import { dividedBySeller } from './sold-elsewhere.js';
import { withoutLineBreaks, withoutLines, withoutRefused } from './unusable-sources.js';

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

/** A number column that does not number the items, or has makers' numbers by its name or their forms. */
export function otherNumber({ roles }: KnownTable, { column, of = column }: ChosenKey): Column | undefined {
  const number = roles.get('number');
  if (number?.name !== of || roleNamed(number.header) === 'mpn') return number;
  return isPartNumber(number) && areOfManyForms(number) ? number : undefined;
}

const isPartNumber = ({ header }: Column): boolean => roleNamed(header) === 'number' && !isSymbol(header);

/** Whether numbers have different forms, as those of several makers have: a company gives its numbers one form or a few. */
function areOfManyForms({ values, filled }: Column): boolean {
  const forms = new Map<string, number>();
  for (const [value, count] of values ?? []) {
    const form = value.replaceAll(/\p{L}+/gu, 'A').replaceAll(/\d+/g, '9');
    forms.set(form, (forms.get(form) ?? 0) + count);
  }
  return forms.size > 2 && Math.max(...forms.values()) * 2 <= filled;
}

/**
 * Numbers of suppliers; those of the items, if people say who the suppliers are; in a list without makers, those of a
 * number column that does not number the items.
 */
export function supplierNumber(table: KnownTable, key: ChosenKey): Column | undefined {
  const known = table.roles.get('supplierPartNumber');
  if (known !== undefined) return shopInHeader(known) === undefined ? known : undefined;
  const isGiven = table.meanings?.[table.roles.get('supplier')?.name ?? ''] === 'supplier';
  if (isGiven) return table.columns.find(({ name }) => name === (key.of ?? key.column));
  const isAnywhere = [...(table.roles.get('supplier')?.values?.keys() ?? [])].some((name) => ANYWHERE.test(name));
  return table.roles.has('manufacturer') || isAnywhere ? undefined : otherNumber(table, key);
}

/** In a column of suppliers: the numbers of the list are not theirs. */
const ANYWHERE = /^(?:any|local|various|online)\b/i;

/** Drafts the numbers of shops that no cell of their rows names. */
function shopSources(table: KnownTable, key: ChosenKey): (Draft | undefined)[] {
  const { columns, roles } = table;
  const known: string[] = [];
  return columns.flatMap((column) => {
    const isSupplied = roles.has('supplier') && shopInHeader(column) === undefined;
    if (isSupplied || column.filled === 0) return undefined;
    if (roleNamed(column.header) !== 'supplierPartNumber' && roles.get('supplierPartNumber') !== column)
      return undefined;
    const shop = findShop(column, columns);
    if (shop === undefined) return undefined;
    const constants = Object.keys(table.source.constants ?? {}).map((header) => ({ header }));
    const name = freeName([...columns, ...constants], 'Supplier', 'Shop');
    const none = new Map<string, number>();
    const filled = Math.max(table.rows, column.filled);
    const supplier = { ...column, name, filled, lines: [], placeholders: none, values: none };
    const sourcesAt = (seller: string): Draft | undefined => {
      known.push(seller);
      const place = known.filter((one) => one === seller).length;
      const draft = sourcesOf(table, key, supplier, column, `${seller} sources${place === 1 ? '' : ` ${place}`}`);
      const own = draft && seller === shop ? withoutMarked(draft, markedIn(column, isOtherForm(column))) : draft;
      const named = own && withSource(own, { constants: { ...own.source.constants, [name]: seller } });
      return named && roleNamed(column.header) === 'mpn' ? withRemark(named, shopNumbersText(column, seller)) : named;
    };
    return dividedBySeller(column, sourcesAt, shop);
  });
}

const shopNumbersText = ({ name }: Column, shop: string): string =>
  `Open: "${name}" has numbers of ${shop} by their form, not those of makers. If they are the makers', inspect the file again with \`${columnOption(name, 'mpn')}\`.`;

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
  /^(?<base>.*?)[\s#_[(-]*(?<place>[2-9])[\])]?$/,
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
  if (countValues(supplier) === 0 || countValues(number) === 0 || matchingShare(supplier, PAGE) > 0.5) return undefined;
  const mapping = new Map([
    ['number', key.column],
    ['supplier.name', supplier.name],
    ['supplierItem.number', number.name],
  ]);
  const blank: Draft = { ...blankDraft(table, key, name), kind: 'sources', resource: 'ITEM_SOURCING', mapping };
  const draft = withMakerRows(blank, table, key);
  const both = [supplier, number] as const;
  const { severalMakers: splitRows } = table;
  if (splitRows !== undefined && both.every((column) => splitRows.columns.includes(column.name)))
    return withoutRefused(withoutPlaceholders(whereEach(withSource(draft, { splitRows }), table, both), both), table);
  if (both.some(({ lines }) => lines.length > MOST_LINES)) return undefined;
  const several = both.filter(({ lines }) => lines.length > 0);
  // A name in two lines beside one number is one name.
  const fit = several.length === 1 && several[0] === supplier ? withoutLineBreaks : withoutLines;
  const whole = several.reduce(fit, whereEach(draft, table, both));
  const named = withUnnumbered(
    withUnnamed(withItemNumbers(whole, table, key, both), number, supplier),
    number,
    supplier,
  );
  const marked = textsWithoutName(both, table);
  const isEmpty = marked.some((one) =>
    both.some(({ name, values }) => name === one.name && values?.size === one.values.size),
  );
  return isEmpty ? undefined : withoutRefused(withoutMarked(withoutPlaceholders(named, both), marked), table);
}

/** Words that name no maker, shop or number. */
const NO_NAME =
  /^(?:dn[pif]|null|none|nil|unknown|various|generic|obsolete|unbekannt|diverse|desconocido|inconnu|(?:links?|see|siehe|voir|ver) .*)$/i;
/** Words of suppliers for parts that somebody makes on their own. */
const NO_SUPPLIER =
  /^(?:custom(?:[- ]?made)?|own|self|(?:in|at)[- ]?(?:house|home)|(?:home|self)[- ]?made|made|(?:3d[- ]?)?(?:print(?:ed)?|(?:ge)?druckt?)|eigen\w*|selbst\w*|fait maison)$/i;
/** The page of a shop or a maker is not its name. */
const PAGE = /^https?:\/\//i;
/** Texts in a column of numbers of a shop. */
const SENTENCE = /,\s|\S\s+\S+\s+\S+\s+\S/;

/** Texts in columns of names and numbers that are none: such words, sentences, and names of makers among the numbers. */
function textsWithoutName([supplier, number]: readonly [Column, Column], { roles }: KnownTable) {
  const known = roles.get('manufacturer')?.values;
  // Columns that one is divided into have the texts of that one.
  const makers = known === number.values ? undefined : known;
  const isOfShop = roleNamed(number.header) === 'supplierPartNumber';
  const isOfMaker = number === roles.get('mpn');
  const isNoNumber = (value: string): boolean =>
    NO_NAME.test(value) ||
    NO_SUPPLIER.test(value) ||
    (isOfMaker && isOfShopForm(value)) ||
    (isOfShop && SENTENCE.test(value)) ||
    isForeign(number, value) ||
    makers?.has(value) === true;
  const isNoSupplier = (value: string): boolean => NO_NAME.test(value) || NO_SUPPLIER.test(value) || PAGE.test(value);
  return [...markedIn(supplier, isNoSupplier), ...markedIn(number, isNoNumber)];
}

/** Says that numbers of the items are taken for those of their makers, too. */
function withItemNumbers(
  draft: Draft,
  { roles }: KnownTable,
  { column, of = column }: ChosenKey,
  [supplier, number]: readonly [Column, Column],
): Draft {
  if (number !== roles.get('number') || number.name !== of || !isPartNumber(number)) return draft;
  const why = `"${number.name}" numbers the items and has many forms, as numbers of several makers have`;
  const what = `so it is taken for those of "${supplier.name}", too. Remove this import if they are numbers of your company.`;
  return withRemark(draft, `Open: ${why}, ${what}`);
}

/** Says how many numbers give no source, and what to do if a supplier is named once for several rows. */
function withUnnamed(draft: Draft, number: Column, supplier: Column): Draft {
  const unnamed = countValues(number) - supplier.filled;
  if (unnamed <= 0) return draft;
  const fill =
    unnamed * 4 < countValues(number)
      ? ''
      : ` If a name is that of the rows below it, too, inspect the file again with \`--fill-down ${flowText(supplier.name)}\`.`;
  return withRemark(
    draft,
    `Open: ${unnamed === 1 ? '1 number' : `${unnamed} numbers`} in "${number.name}" ${unnamed === 1 ? 'gives' : 'give'} no source, since "${supplier.name}" is empty there.${fill}`,
  );
}

/** Says how many makers or suppliers give no source, since their rows have no number. */
function withUnnumbered(draft: Draft, number: Column, supplier: Column): Draft {
  const missing = countValues(supplier) - countValues(number);
  // A shop that no column names is the same in each row.
  if (missing <= 0 || supplier.values?.size === 0) return draft;
  const [rows, give] = missing === 1 ? ['1 row has', 'gives'] : [`${missing} rows have`, 'give'];
  return withRemark(
    draft,
    `Open: ${rows} a value in "${supplier.name}" and none in "${number.name}", and ${give} no source. To keep these names, map "${supplier.name}" to an attribute of the items.`,
  );
}

/** Limits a draft to rows with a value in each of these columns. */
const whereEach = (draft: Draft, { rows }: KnownTable, columns: readonly Column[]): Draft =>
  columns.filter(({ filled }) => filled < rows).reduce((one, { name }) => whereFilled(one, name), draft);
