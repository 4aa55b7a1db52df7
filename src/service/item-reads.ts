import { type JsonObject, objectsIn } from '../model/json.js';
import type { Reader } from './client.js';
import { listWhole } from './list-pages.js';

/** What reading items and their BOM back takes (interface 4.6, wire-facts 3). */
export interface ItemReads {
  /** The items of exactly this number, with all of their attributes: one request. */
  byNumber(number: string): Promise<readonly JsonObject[]>;
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
    bom: (item) => listWhole(reader, `/items/${item}/bom`, { includeAdditionalAttributes: 'true' }),
  };
}
