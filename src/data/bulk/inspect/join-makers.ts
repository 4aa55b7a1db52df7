import type { ImportSource } from '#core/jobs/source.js';
import type { Column, Roles } from './column.js';
import { roleNamed } from './column-names.js';
import { freeName } from './known-table.js';
import type { Role } from './meanings.js';
import { eachRowCells } from './row-cells.js';

/** Roles that several columns of a list may share, each for some of the rows, and the name of the column that has all. */
const JOINED: readonly (readonly [role: Role, name: string])[] = [
  ['manufacturer', 'Maker'],
  ['mpn', 'Maker Part Number'],
  ['description', 'Text'],
];

/** A source with joined columns, and the roles of its columns. */
export interface Joined {
  readonly source: ImportSource;
  readonly roles: Roles;
  readonly remarks: readonly string[];
}

/**
 * Joins columns with the makers, or the descriptions, of different rows, as the parts of several libraries have them.
 * Columns of which a row fills two stay: makers among them are sources of their own.
 */
export async function joinMakers(
  path: string,
  { source, columns, roles }: { readonly columns: readonly Column[] } & Omit<Joined, 'remarks'>,
): Promise<Joined> {
  let joined: Joined = { source, roles, remarks: [] };
  for (const [role, added] of JOINED) {
    const known = roles.get(role);
    const others = columns.filter(
      (column) => column.filled > 0 && mayShare(column, role) && ![...roles.values()].includes(column),
    );
    if (known === undefined || others.length === 0) continue;
    const all = [known, ...others];
    if (!(await areOfDifferentRows(path, source, all))) continue;
    const name = freeName(columns, added, `Any ${added}`);
    joined = {
      source: { ...joined.source, columns: { ...joined.source.columns, [name]: all.map((one) => `{${one.name}}`) } },
      roles: new Map([...joined.roles, [role, joinedColumn(known, others, name)]]),
      remarks: [
        ...joined.remarks,
        `"${name}" has the cells of ${all.map((one) => `"${one.name}"`).join(', ')}: each row fills only one of them.`,
      ],
    };
  }
  return joined;
}

/** Whether a column has the role by its header. Circuit editors number the second one of a name: Description_1. */
const mayShare = ({ header }: Column, role: Role): boolean =>
  roleNamed(header) === role || (role === 'description' && roleNamed(header.replace(/_\d$/, '')) === role);

async function areOfDifferentRows(path: string, source: ImportSource, columns: readonly Column[]): Promise<boolean> {
  let most = 0;
  await eachRowCells(
    path,
    source,
    columns.map(({ name }) => name),
    (cells) => {
      most = Math.max(most, cells.filter((cell) => cell !== '').length);
    },
  );
  return most === 1;
}

function joinedColumn(first: Column, others: readonly Column[], name: string): Column {
  const columns = [first, ...others];
  const sum = (count: (column: Column) => number): number => columns.reduce((all, one) => all + count(one), 0);
  return {
    ...first,
    ...{ name, header: name, filled: sum((one) => one.filled), distinct: sum((one) => one.distinct) },
    lines: columns.flatMap(({ lines }) => lines),
    longest: Math.max(...columns.map(({ longest }) => longest)),
  };
}
