import { plainNumber } from '../source/plain-number.js';
import type { Column, Roles } from './column.js';
import { type Draft, flowText, withRemark, withSource } from './draft.js';
import type { Role } from './meanings.js';

interface KnownColumns {
  readonly columns: readonly Column[];
  readonly roles: Roles;
  /** Of a text file. */
  readonly delimiter?: string;
}

type Mark = 'point' | 'comma';

/** Adds the number formats of the mapped columns that are not digits with a point. */
export function withNumbers(draft: Draft, { roles, columns, delimiter }: KnownColumns, wanted: readonly Role[]): Draft {
  const used = wanted.flatMap((role) => roles.get(role) ?? []);
  const certain = decimalIn(columns);
  const markOf = ({ eitherNumber = '' }: Column): Mark => certain ?? likelyMark(eitherNumber, delimiter);
  const formats = used.flatMap((column) => {
    // Cells with a point are numbers as they are.
    const isComma = column.marks === 'both' || (column.eitherNumber !== undefined && markOf(column) === 'comma');
    const numbers = isComma ? { ...column.numbers, decimal: 'comma' as const } : column.numbers;
    return numbers === undefined || Object.keys(numbers).length === 0 ? [] : [[column.name, numbers] as const];
  });
  const formatted =
    formats.length === 0
      ? draft
      : withSource(draft, { numbers: { ...draft.source.numbers, ...Object.fromEntries(formats) } });
  return certain === undefined
    ? used.reduce((one, column) => withEither(one, column, markOf(column)), formatted)
    : formatted;
}

/** Spreadsheet programs separate columns by semicolons where the comma is the decimal mark. */
const likelyMark = (number: string, delimiter: string | undefined): Mark =>
  delimiter === ';' && number.includes(',') ? 'comma' : 'point';

/** The decimal mark of a list, if the unambiguous columns agree on one. */
function decimalIn(columns: readonly Column[]): Mark | undefined {
  const marks = new Set(columns.flatMap(({ decimal }) => decimal ?? []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

function withEither(draft: Draft, { name, eitherNumber, numbers }: Column, decimal: Mark): Draft {
  if (eitherNumber === undefined) return draft;
  const read = plainNumber(eitherNumber, { ...numbers, decimal });
  const other = decimal === 'point' ? 'comma' : 'point';
  return withRemark(
    draft,
    `Open: "${eitherNumber}" in "${name}" is read as ${read}. If its mark is the other one, write \`numbers: { ${flowText(name)}: { decimal: ${other} } }\`.`,
  );
}
