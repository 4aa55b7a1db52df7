import { type Json, type JsonObject, objectsIn } from '#core/model/json.js';
import type { Reader } from './client.js';
import { eachPage, hasMoreThan, listPages, listWhole } from './list-pages.js';

/** Parameters by which a search finds items (wire-facts 3). */
export type ItemSearch = Readonly<Record<string, string>>;

/** Operations that read items and their BOMs (interface 4.6, wire-facts 3). */
export interface ItemReads {
  /** Returns the items with exactly this number, with all of their attributes: one request. */
  byNumber(number: string): Promise<readonly JsonObject[]>;
  /** Returns items with any of these numbers: one request for each of `numberGroups`. */
  withNumbers(numbers: readonly string[]): Promise<readonly JsonObject[]>;
  /** Whether the workspace, or a search, has more items than this: one request. */
  moreThan(count: number, search?: ItemSearch): Promise<boolean>;
  /** Yields all items, or those that a search finds; a last `changed` means that they changed: read them again. */
  pages(search?: ItemSearch): AsyncGenerator<readonly JsonObject[] | 'changed', void>;
  /** Returns the lines of an item's BOM: one request. */
  bom(item: string): Promise<readonly JsonObject[]>;
  /** Returns the lines that have an item as their child, each with its parent as `item` (wire-facts 8.1): one request. */
  whereUsed(item: string): Promise<readonly JsonObject[]>;
}

/** Opens reads of items over the client (interface 4.6, wire-facts 3), with every attribute, empty ones too. */
export function openItemReads(reader: Reader): ItemReads {
  const { pageLimit } = reader.profile;
  const whole = { responseview: 'full', includeEmptyAdditionalAttributes: 'true' };
  return {
    async byNumber(number) {
      const { results } = await reader.get('/items', { ...whole, number, offset: 0, limit: pageLimit });
      // The search treats a star in a number as a wildcard.
      return objectsIn(results).filter((item) => item.number === number);
    },
    withNumbers: (numbers) =>
      listPages(reader, '/items', 'paged', { ...whole, criteria: JSON.stringify(numberCriteria(numbers)) }),
    moreThan: (count, search = {}) => hasMoreThan(reader, '/items', count, search),
    pages: (search = {}) => eachPage(reader, '/items', { ...whole, ...search }),
    bom: (item) => listWhole(reader, `/items/${item}/bom`, { includeAdditionalAttributes: 'true' }),
    whereUsed: (item) => listWhole(reader, `/items/${item}/whereused`),
  };
}

/** In characters: servers accept request lines of at least 8,000. */
const LONGEST_CRITERIA = 4000;

/** Splits numbers into groups that one search each can name (interface 4.6: the criteria are part of the URL). */
export function numberGroups(numbers: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const number of numbers) {
    const more = encodeURIComponent(JSON.stringify(numberCriteria([number]))).length;
    if (length + more > LONGEST_CRITERIA) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(number);
    length += more;
  }
  return groups;
}

/** Returns criteria that match items with these numbers: rows of conditions joined by OR (wire-facts 3, "criteria"). */
export const numberCriteria = (numbers: readonly string[]): Json =>
  numbers.flatMap((value, index): Json[] => [
    ...(index === 0 ? [] : ['OR']),
    [{ attribute: 'number', operator: 'IS_EQUAL_TO', value }],
  ]);
