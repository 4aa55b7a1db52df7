import { type Json, type JsonObject, objectsIn } from '#core/model/json.js';
import type { Reader } from './client.js';
import { eachPage, hasMoreThan, listPages, listWhole } from './list-pages.js';

/** Parameters by which a search finds items (wire-facts 3). */
export type ItemSearch = Readonly<Record<string, string>>;

/** What reading items and their BOM back takes (interface 4.6, wire-facts 3). */
export interface ItemReads {
  /** The items of exactly this number, with all of their attributes: one request. */
  byNumber(number: string): Promise<readonly JsonObject[]>;
  /** Items of any of these numbers: one request for each of `numberGroups`. */
  withNumbers(numbers: readonly string[]): Promise<readonly JsonObject[]>;
  /** Whether the workspace has more items than this, or more that a search finds: one request. */
  moreThan(count: number, search?: ItemSearch): Promise<boolean>;
  /** All items, or all that a search finds, as they come; `changed`, always the last: they changed under way, and have to be read again. */
  pages(search?: ItemSearch): AsyncGenerator<readonly JsonObject[] | 'changed', void>;
  /** The lines of an item's BOM: one request. */
  bom(item: string): Promise<readonly JsonObject[]>;
}

/** Reads of items over the client (interface 4.6, wire-facts 3), every attribute of them, empty ones too. */
export function openItemReads(reader: Reader): ItemReads {
  const { pageLimit } = reader.profile;
  const whole = { responseview: 'full', includeEmptyAdditionalAttributes: 'true' };
  return {
    async byNumber(number) {
      const { results } = await reader.get('/items', { ...whole, number, offset: 0, limit: pageLimit });
      // A star in a number is a wildcard to the search.
      return objectsIn(results).filter((item) => item.number === number);
    },
    withNumbers: (numbers) =>
      listPages(reader, '/items', 'yes', { ...whole, criteria: JSON.stringify(numberCriteria(numbers)) }),
    moreThan: (count, search = {}) => hasMoreThan(reader, '/items', count, search),
    pages: (search = {}) => eachPage(reader, '/items', { ...whole, ...search }),
    bom: (item) => listWhole(reader, `/items/${item}/bom`, { includeAdditionalAttributes: 'true' }),
  };
}

/** In characters: servers take request lines of 8,000 at least. */
const LONGEST_CRITERIA = 4000;

/** As many numbers as one search can name each (interface 4.6: the criteria stand in the URL). */
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

/** Criteria that items of these numbers meet: rows of conditions, joined by OR (wire-facts 3, "criteria"). */
export const numberCriteria = (numbers: readonly string[]): Json =>
  numbers.flatMap((value, index): Json[] => [
    ...(index === 0 ? [] : ['OR']),
    [{ attribute: 'number', operator: 'IS_EQUAL_TO', value }],
  ]);
