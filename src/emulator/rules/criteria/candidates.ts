import type { Database } from '../../store/database.js';
import { itemPages, PLACED, type PlacedItem, readPlaced } from '../../store/item-pages.js';

/**
 * Yields the items that may meet criteria, in pages: all items, or, if every row names the number of an item, only the
 * items with these numbers, which an index finds.
 */
export function* candidates(criteria: readonly unknown[], database: Database): Generator<readonly PlacedItem[]> {
  const numbers = numbersIn(criteria);
  if (numbers === undefined) {
    yield* itemPages(database);
    return;
  }
  const sql = `SELECT ${PLACED} FROM main.items i WHERE i.number COLLATE NOCASE IN (SELECT value FROM json_each(?))`;
  for (let first = 0; first < numbers.length; first += PAGE) {
    yield database.all(sql, JSON.stringify(numbers.slice(first, first + PAGE))).map(readPlaced);
  }
}

const PAGE = 500;

function numbersIn(criteria: readonly unknown[]): readonly string[] | undefined {
  const rows = criteria.map(conditionsIn).filter((row) => row !== undefined);
  const numbers = rows.map((row) => row.find(isNumber)?.value);
  return numbers.includes(undefined)
    ? undefined
    : [...new Set((numbers as string[]).map((text) => text.toLowerCase()))];
}

const isNumber = (condition: unknown): condition is { readonly value: string } => {
  const { attribute, operator, value } = (condition ?? {}) as Readonly<Record<string, unknown>>;
  return String(attribute).toLowerCase() === 'number' && operator === 'IS_EQUAL_TO' && typeof value === 'string';
};

/** The conditions of an entry of criteria: those of a row, or the one that it is; undefined for a word between entries. */
export function conditionsIn(entry: unknown): readonly unknown[] | undefined {
  if (Array.isArray(entry)) return entry;
  return typeof entry === 'object' && entry !== null ? [entry] : undefined;
}
