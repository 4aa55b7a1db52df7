import { itemPages, PLACED, type PlacedItem, readPlaced } from '../../store/item-pages.js';
import type { Clause } from '../../store/search.js';
import type { Query } from '../search.js';
import { refuse } from '../service-error.js';
import type { Workspace } from '../workspace.js';
import { compileCriteria } from './criteria.js';
import { loadNames } from './item-fields.js';

/**
 * The items that the parameter `criteria` of a search means: a JSON text in the form that exports take (interface 4.6;
 * wire-facts 3, "criteria").
 */
export function criteriaClause(value: Query[string], { settings }: Workspace): Clause | undefined {
  if (value === undefined) return undefined;
  const criteria = parsed(value);
  const test = compileCriteria(criteria, loadNames(settings));
  const found = [...candidates(numbersIn(criteria), settings)].filter(test).map(({ guid }) => guid);
  return { sql: 't.guid IN (SELECT value FROM json_each(?))', values: [JSON.stringify(found)] };
}

function parsed(value: Exclude<Query[string], undefined>): readonly unknown[] {
  try {
    const criteria: unknown = JSON.parse(String(value));
    if (Array.isArray(criteria)) return criteria;
  } catch {
    // Refused below.
  }
  throw refuse.invalid('criteria', 'it is not a JSON array.');
}

/** The numbers that items must have, where every row of the criteria names one: they are found by an index. */
function numbersIn(criteria: readonly unknown[]): readonly string[] | undefined {
  const rows = criteria.filter((row) => Array.isArray(row));
  const numbers = rows.map((row) => row.find(isNumber)?.value);
  return numbers.includes(undefined) ? undefined : (numbers as string[]);
}

const isNumber = (condition: unknown): condition is { readonly value: string } => {
  const { attribute, operator, value } = (condition ?? {}) as Readonly<Record<string, unknown>>;
  return String(attribute).toLowerCase() === 'number' && operator === 'IS_EQUAL_TO' && typeof value === 'string';
};

function* candidates(numbers: readonly string[] | undefined, database: Workspace['settings']): Generator<PlacedItem> {
  if (numbers === undefined) {
    for (const page of itemPages(database)) yield* page;
    return;
  }
  const sql = `SELECT ${PLACED} FROM main.items i WHERE i.number COLLATE NOCASE IN (SELECT value FROM json_each(?))`;
  yield* database.all(sql, JSON.stringify(numbers)).map(readPlaced);
}
