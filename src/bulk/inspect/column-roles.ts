import type { ColumnFacts } from './column-facts.js';
import { bareHeader, type Role, roleNamed } from './column-names.js';
import type { ColumnSummary } from './column-summary.js';

/** A column as proposals know it. */
export interface Column extends ColumnSummary, ColumnFacts {
  /** From 0, within the table. */
  readonly index: number;
}

/** The columns that are left for a role, the best first; a column has one role. */
export type Roles = ReadonlyMap<Role | 'path', Column>;

/** What each column holds: by its name, corrected by its cells, and by these alone where its name says nothing. */
export function rolesOf(columns: readonly Column[], rows: number): Roles {
  const filled = columns.filter((column) => column.filled > 0);
  const found = new Map<Role | 'path', Column>();
  const take = (role: Role | 'path', column: Column | undefined): void => {
    if (column !== undefined && !found.has(role) && ![...found.values()].includes(column)) found.set(role, column);
  };
  for (const column of filled) {
    const role = roleOf(column, rows);
    const known = role === undefined ? undefined : found.get(role);
    if (role === undefined || (known !== undefined && known.filled >= column.filled * 0.8)) continue;
    found.set(role, column);
  }
  const rest = (): Column[] =>
    filled.filter((column) => ![...found.values()].includes(column) && roleNamed(column.header) === undefined);
  take(
    'path',
    filled.find(({ arePaths }) => arePaths),
  );
  take(
    'refDes',
    rest().find(({ areDesignators }) => areDesignators),
  );
  take(
    'manufacturer',
    rest().find(({ areMakers }) => areMakers),
  );
  take(
    'lineNumber',
    rest().find(({ isSequence }) => isSequence),
  );
  const isQuantity = ({ type, filled: count, distinct, isSequence }: Column): boolean =>
    type === 'integer' && count === rows && distinct < rows && !isSequence;
  if (found.has('refDes') || filled.every(({ header }) => roleNamed(header) === undefined))
    take('quantity', rest().find(isQuantity));
  return found;
}

const MAY_BE_LINE = /^(?:items?|pos|position|id|no|nr|num|component|index|(?:item|pos|position) (?:no|nr|num|number))$/;

type Correction = (column: Column, bare: string, rows: number) => Role | undefined;

/** What cells make of a name that may mean several things. */
const CORRECTIONS: Partial<Record<Role, Correction>> = {
  lineNumber: ({ isSequence, arePaths, type, key, filled }, bare, rows) => {
    if (arePaths) return undefined;
    if (isSequence) return 'lineNumber';
    if (MAY_BE_LINE.test(bare) && key === 'likely') return 'number';
    return type === 'integer' && filled <= rows ? 'lineNumber' : undefined;
  },
  number: ({ isSequence }, bare) => (isSequence && MAY_BE_LINE.test(bare) ? 'lineNumber' : 'number'),
  name: ({ type }, bare) => (bare === 'nombre' && type === 'integer' ? 'quantity' : 'name'),
  level: ({ areLevels }) => (areLevels ? 'level' : undefined),
  quantity: ({ notNumbers, filled }) => (notNumbers * 10 < filled ? 'quantity' : undefined),
  cost: ({ notNumbers }) => (notNumbers === 0 ? 'cost' : undefined),
  refDes: ({ areDesignators }, bare) => (bare === 'location' && !areDesignators ? undefined : 'refDes'),
};

/** The role that the name says, where the cells do not say otherwise. */
function roleOf(column: Column, rows: number): Role | undefined {
  const role = roleNamed(column.header);
  const correct = role === undefined ? undefined : CORRECTIONS[role];
  return correct === undefined ? role : correct(column, bareHeader(column.header), rows);
}
