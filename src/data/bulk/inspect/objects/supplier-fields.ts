import type { Column } from '../column.js';
import { bareHeader } from '../column-names.js';
import { flowText } from '../draft.js';
import { cellValue, difference, referenceTo, rowsBy } from './list-rows.js';
import { type Fields, type ListOfObjects, leftOut, NO_FIELDS, textField } from './object-fields.js';
import { statusWord } from './object-words.js';
import { addressFields, ONLY_LABEL } from './supplier-addresses.js';

/** Proposes the fields of suppliers. */
export const supplierFields = (list: ListOfObjects): readonly Fields[] => [
  ...(['description', 'supplierId', 'accountNumber', 'website'] as const).map((field) => textField(list, field)),
  approvalField(list),
  addressFields(list),
  phoneFields(list),
];

/** Proposes the approval, if all words of the list are known to mean one that the service has. */
function approvalField(list: ListOfObjects): Fields {
  const [column] = list.columns('approvalStatus');
  if (column === undefined) return NO_FIELDS;
  const said = [...rowsBy(list.rows, (row) => cellValue(row, column)).keys()];
  const meant = said.map((word) => [word, statusWord(bareHeader(word))] as const);
  const text = referenceTo(column);
  const [unknown] = meant.find(([, status]) => status === undefined) ?? [];
  if (unknown !== undefined) {
    const words = meant.slice(0, SHOWN).map(([word, status = 'unrated']) => `${flowText(word)}: ${status}`);
    const map = `values: { ${flowText(column.name)}: { ${words.join(', ')} } }`;
    const why = `"${unknown}" may mean approved, unrated or disapproved; say it beside \`file\`, such as \`${map}\``;
    return leftOut('approvalStatus', text, column, why);
  }
  const statuses = new Map(meant);
  const why = difference(list.groups, (row) => statuses.get(cellValue(row, column)) ?? '');
  if (why !== undefined) return leftOut('approvalStatus', text, column, why);
  const values = Object.fromEntries(meant.filter(([word, status]) => word !== status)) as Record<string, string>;
  return { spec: { approvalStatus: text }, values: { [column.name]: values } };
}

/** Words of approval in a remark. */
const SHOWN = 8;

const PHONES = [
  ['phone', ONLY_LABEL],
  ['mobile', 'Mobile'],
  ['fax', 'Fax'],
] as const;

/** Proposes an entry for each column of phone numbers. A number identifies its entry, so it has one label. */
function phoneFields(list: ListOfObjects): Fields {
  const all = PHONES.flatMap(([meaning, label]) =>
    list.columns(meaning).map((column, index) => ({ column, label: index === 0 ? label : column.name })),
  );
  const kept: typeof all = [];
  const left: Fields[] = [];
  for (const phone of all) {
    const why = kept.map((other) => numberIn(list, other.column, phone.column)).find((one) => one !== undefined);
    if (why === undefined) kept.push(phone);
    else left.push(leftOut('phoneNumbers[].number', referenceTo(phone.column), phone.column, why));
  }
  const extension = extensionOf(list);
  const phoneNumbers = kept.map(({ column, label }) => ({
    number: referenceTo(column),
    ...(extension !== undefined && column === list.columns('phone')[0] ? { extension: referenceTo(extension) } : {}),
    label,
  }));
  const spec = phoneNumbers.length === 0 ? {} : { phoneNumbers };
  const [remarks, open] = [left.flatMap((one) => one.remarks ?? []), left.flatMap((one) => one.open ?? [])];
  return { spec, remarks, open };
}

/** The number that a supplier has in both columns. */
function numberIn({ groups }: ListOfObjects, one: Column, other: Column): string | undefined {
  for (const [name, rows] of groups) {
    const numbers = new Set(rows.map((row) => cellValue(row, one)));
    const both = rows.find((row) => cellValue(row, other) !== '' && numbers.has(cellValue(row, other)));
    if (both !== undefined) return `"${name}" has ${cellValue(both, other)} in "${one.name}" too`;
  }
  return undefined;
}

/** The column of extensions, if each belongs to a number. */
function extensionOf({ columns, rows }: ListOfObjects): Column | undefined {
  const [extension] = columns('extension');
  const [phone] = columns('phone');
  if (extension === undefined || phone === undefined) return undefined;
  const isAlone = rows.some((row) => cellValue(row, extension) !== '' && cellValue(row, phone) === '');
  return isAlone ? undefined : extension;
}
