import type { TableRow } from '#core/manifest/row-table.js';
import type { Column } from '../column.js';
import { cellValue, difference, joinCells, type NamedRows, referenceTo, rowsBy } from './list-rows.js';
import { type Fields, type ListOfObjects, leftOut, NO_FIELDS } from './object-fields.js';
import { truthWord } from './object-words.js';

/** A field of an address, and its columns. */
type Line = readonly [field: string, columns: readonly Column[]];
/** The columns of a label; none: all addresses have the same one. */
type Label = readonly Column[];

/** How an address is named that is the only one of its supplier. */
export const ONLY_LABEL = 'Office';

const LINES = ['address1', 'address2', 'city', 'state', 'province', 'postalCode', 'country'] as const;

/** Proposes the addresses of suppliers. Each has a label, which identifies it. */
export function addressFields(list: ListOfObjects): Fields {
  const lines = LINES.flatMap((field): Line[] => {
    const [column] = list.columns(field);
    const more = field === 'address1' ? list.columns('houseNumber') : [];
    return column === undefined ? [] : [[field, [column, ...more]]];
  });
  const label = lines.length === 0 ? undefined : labelOf(list, lines);
  if (label === undefined) return NO_FIELDS;
  const groups = addressesBy(list, lines, label);
  const checked = lines.map(([field, columns]) => {
    const why = difference(groups, (row) => joinCells(row, columns));
    return { field, columns, why };
  });
  const left = checked.flatMap(({ field, columns, why }) =>
    why === undefined ? [] : [leftOut(`addresses[].${field}`, referenceTo(...columns), columns[0] as Column, why)],
  );
  const kept = checked.filter(({ why }) => why === undefined);
  const primary = primaryField(list, lines, groups);
  const entry = {
    label: label.length === 0 ? ONLY_LABEL : referenceTo(...label),
    ...Object.fromEntries(kept.map(({ field, columns }) => [field, referenceTo(...columns)])),
    ...primary.spec,
  };
  return {
    spec: { addresses: [entry] },
    values: { ...labelValues(list, lines, label), ...primary.values },
    remarks: [...labelRemark(list, label), ...left.flatMap(({ remarks = [] }) => remarks), ...(primary.remarks ?? [])],
    open: [...left.flatMap(({ open = [] }) => open), ...(primary.open ?? [])],
  };
}

const hasAddress = (row: TableRow, lines: readonly Line[]): boolean =>
  lines.some(([, columns]) => joinCells(row, columns) !== '');

/** The rows of each address. */
function addressesBy({ groups }: Pick<ListOfObjects, 'groups'>, lines: readonly Line[], label: Label): NamedRows {
  const found = [...groups].flatMap(([name, rows]) =>
    [...rowsBy(rows, (row) => (hasAddress(row, lines) ? joinCells(row, label) || ONLY_LABEL : ''))].map(
      ([text, own]) => [`${name}, ${text}`, own] as const,
    ),
  );
  return new Map(found);
}

/**
 * Chooses a label that no two addresses of a supplier have: that of a column, else one for all, else the city, then with
 * the street. One supplier whose rows contradict each other does not change the labels of all.
 */
function labelOf(list: ListOfObjects, lines: readonly Line[]): Label | undefined {
  const column = (field: string): readonly Column[] => lines.find(([name]) => name === field)?.[1] ?? [];
  const named = list.columns('addressLabel').slice(0, 1);
  const [city, street] = [column('city'), column('address1')];
  const labels = [named, [...named, ...city], [...named, ...street], [...named, ...city, ...street]];
  const addresses = list.rows.filter((row) => hasAddress(row, lines));
  const isOwn = (label: Label): boolean => label === named && named.length > 0;
  // The value of an empty cell would make an address of a row without one.
  const mayBeEmpty = (label: Label): boolean => isOwn(label) && addresses.length === list.rows.length;
  const whole = labels.filter(
    (label) => label.length === 0 || mayBeEmpty(label) || addresses.every((row) => joinCells(row, label) !== ''),
  );
  return whole.find((label) => contradicted(list, lines, label) <= (isOwn(label) ? 1 : 0)) ?? whole.at(-1);
}

/** Number of suppliers with rows that say different things about one address. */
function contradicted({ groups }: ListOfObjects, lines: readonly Line[], label: Label): number {
  return [...groups].filter(([name, rows]) => {
    const addresses = addressesBy({ groups: new Map([[name, rows]]) }, lines, label);
    return lines.some(([, columns]) => difference(addresses, (row) => joinCells(row, columns)) !== undefined);
  }).length;
}

/** An address without a label in a column of labels has that of an only one. */
function labelValues({ rows }: ListOfObjects, lines: readonly Line[], label: Label): NonNullable<Fields['values']> {
  const [column] = label;
  const isLacking = rows.some((row) => hasAddress(row, lines) && joinCells(row, label) === '');
  return column === undefined || !isLacking ? {} : { [column.name]: { '': ONLY_LABEL } };
}

function labelRemark(list: ListOfObjects, label: Label): string[] {
  if (label.length === 0)
    return [`No column names the addresses, and no supplier has two: each gets the label "${ONLY_LABEL}".`];
  const [named] = list.columns('addressLabel');
  if (label.length === 1 && label[0] === named) return [];
  const names = label.map(({ name }) => `"${name}"`).join(' and ');
  return [`Open: the label identifies an address, and no column has one for each: it consists of ${names}.`];
}

/** Proposes which address is the primary one, if the list says it of each address of a supplier that has one. */
function primaryField(list: ListOfObjects, lines: readonly Line[], addresses: NamedRows): Fields {
  const [column] = list.columns('primary');
  if (column === undefined) return NO_FIELDS;
  const why = whyNotPrimary(list, lines, addresses, column);
  if (why !== undefined) return leftOut('addresses[].primary', referenceTo(column), column, why);
  const words = rowsBy(list.rows, (row) => cellValue(row, column)).keys();
  const changed = [...words].filter((word) => !/^(?:true|false)$/i.test(word));
  const isSparse = list.rows.some((row) => hasAddress(row, lines) && cellValue(row, column) === '');
  const isBare = list.rows.some((row) => !hasAddress(row, lines));
  const values = Object.fromEntries([
    ...changed.map((word) => [word, truthWord(word) === true]),
    ...(isSparse && !isBare ? [['', false]] : []),
  ]);
  return { spec: { primary: referenceTo(column) }, values: { [column.name]: values } };
}

function whyNotPrimary(
  { rows, groups }: ListOfObjects,
  lines: readonly Line[],
  addresses: NamedRows,
  column: Column,
): string | undefined {
  const said = (row: TableRow): string => cellValue(row, column);
  const odd = rows.find((row) => said(row) !== '' && truthWord(said(row)) === undefined);
  if (odd !== undefined) return `row ${odd.row} says "${said(odd)}", which is neither yes nor no`;
  const lone = rows.find((row) => said(row) !== '' && !hasAddress(row, lines));
  if (lone !== undefined) return `row ${lone.row} has no address`;
  const differing = difference(addresses, said);
  if (differing !== undefined) return differing;
  const isBare = rows.some((row) => !hasAddress(row, lines));
  for (const [name, own] of groups) {
    const main = own.filter((row) => truthWord(said(row)) === true);
    const places = [...addresses].filter(([, of]) => of.some((row) => main.includes(row)));
    if (places.length > 1) return `"${name}" has two primary addresses (rows ${main.map(({ row }) => row).join(', ')})`;
    const unsaid = own.find((row) => hasAddress(row, lines) && said(row) === '');
    if (main.length > 0 && unsaid !== undefined && isBare) return `row ${unsaid.row} does not say it`;
  }
  return undefined;
}
