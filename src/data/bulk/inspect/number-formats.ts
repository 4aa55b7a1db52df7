import { plainNumber } from '../source/plain-number.js';
import type { Role } from './column-names.js';
import type { Column, Roles } from './column-roles.js';
import { type Draft, flowText, withRemark, withSource } from './draft.js';

interface KnownColumns {
  readonly columns: readonly Column[];
  readonly roles: Roles;
}

/** Adds the number formats of the mapped columns that are not digits with a point. */
export function withNumbers(draft: Draft, { roles, columns }: KnownColumns, wanted: readonly Role[]): Draft {
  const used = wanted.flatMap((role) => roles.get(role) ?? []);
  const mark = decimalIn(columns);
  const formats = used.flatMap((column) => {
    const numbers =
      column.eitherNumber !== undefined && mark === 'comma' ? { ...column.numbers, decimal: mark } : column.numbers;
    return numbers === undefined || Object.keys(numbers).length === 0 ? [] : [[column.name, numbers] as const];
  });
  const formatted =
    formats.length === 0
      ? draft
      : withSource(draft, { numbers: { ...draft.source.numbers, ...Object.fromEntries(formats) } });
  return mark === undefined ? used.reduce(withEither, formatted) : formatted;
}

/** The decimal mark of a list, if the unambiguous columns agree on one. */
function decimalIn(columns: readonly Column[]): 'point' | 'comma' | undefined {
  const marks = new Set(columns.flatMap(({ decimal }) => decimal ?? []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

function withEither(draft: Draft, { name, eitherNumber, numbers }: Column): Draft {
  if (eitherNumber === undefined) return draft;
  const read = plainNumber(eitherNumber, { ...numbers, decimal: 'point' });
  return withRemark(
    draft,
    `Open: "${eitherNumber}" in "${name}" is read as ${read}. If its mark is the other one, write \`numbers: { ${flowText(name)}: { decimal: comma } }\`.`,
  );
}

/** Adds a remark about units in quantities: a quantity is only a number, and its unit belongs to the item. */
export function withUnits(draft: Draft, quantity: Column | undefined): Draft {
  const [unit] = [quantity?.numbers?.unit ?? []].flat();
  return quantity === undefined || unit === undefined
    ? draft
    : withRemark(
        draft,
        `Open: "${quantity.name}" has units, such as "${unit}", which are left out. A column with the unit of each item can be mapped to uom in the items.`,
      );
}
