import type { ImportSource } from '#core/jobs/source.js';
import type { Column, Roles } from './column.js';
import { roleNamed } from './column-names.js';
import type { Role } from './meanings.js';

/** The two parts of a source, in the order in which most lists have them. */
const PAIRS: readonly (readonly [maker: Role, number: Role])[] = [
  ['manufacturer', 'mpn'],
  ['supplier', 'supplierPartNumber'],
];

/** Names of the added columns. */
const ADDED: Partial<Record<Role, string>> = {
  manufacturer: 'Maker',
  mpn: 'Maker Part Number',
  supplier: 'Supplier Name',
  supplierPartNumber: 'Supplier Number',
};

/** A source and the roles of its columns, with those that were divided. */
export interface Divided {
  readonly source: ImportSource;
  readonly roles: Roles;
  readonly remarks: readonly string[];
}

/** Divides columns that have a maker, or a supplier, and its part number in one cell. */
export function splitMakers(source: ImportSource, roles: Roles): Divided {
  return PAIRS.reduce<Divided>((divided, pair) => splitPair(divided, pair), { source, roles, remarks: [] });
}

function splitPair({ source, roles, remarks }: Divided, [maker, number]: readonly [Role, Role]): Divided {
  const [one, other] = [roles.get(maker), roles.get(number)];
  const column = one ?? other;
  if (column?.divider === undefined || (one !== undefined && other !== undefined)) return { source, roles, remarks };
  const [first, second] = inOrder(column, maker, number);
  const part = (role: Role, which: 'first' | 'second') =>
    [ADDED[role] ?? role, { split: column.name, at: column.divider as string, part: which }] as const;
  const added = [part(first, 'first'), part(second, 'second')];
  const named = ([name]: (typeof added)[number]): Column => ({ ...column, name, header: name });
  return {
    source: { ...source, columns: { ...source.columns, ...Object.fromEntries(added) } },
    roles: new Map([...roles, ...added.map((one, index) => [index === 0 ? first : second, named(one)] as const)]),
    remarks: [
      ...remarks,
      `"${column.name}" has two values in a cell; it is divided at ${JSON.stringify(column.divider)} into ${first === maker ? 'maker and number' : 'number and maker'}.`,
    ],
  };
}

/** A header such as "Number / Maker" says which of the two comes first. */
function inOrder({ header }: Column, maker: Role, number: Role): readonly [Role, Role] {
  const [first] = header.split(/[/:=|,]/).map((text) => roleNamed(text));
  return first === number && /[/:=|,]/.test(header) ? [number, maker] : [maker, number];
}
