import { resourceNamed } from '../../model/import-resources.js';
import type { JsonObject } from '../../model/json.js';
import type { ItemReads } from '../../service/item-reads.js';

/** The live records that rows of a resource are about. */
export interface LiveRecords {
  /** Those of a row with this key; undefined where its items are not there. */
  find(key: readonly string[]): Promise<readonly JsonObject[] | undefined>;
  /** All that a parent has, for what replaces it whole. */
  all(parent: string): Promise<readonly JsonObject[]>;
}

/** One request an item, and one or more for its BOM; the last parent is remembered, since its rows stand together. */
export function liveRecordsOf(resource: string, reads: ItemReads): LiveRecords {
  if (resourceNamed(resource).readBack === 'items') {
    const find = async ([number = '']: readonly string[]): Promise<readonly JsonObject[]> => reads.byNumber(number);
    return { find, all: (number) => find([number]) };
  }
  let last: { readonly number: string; readonly lines: readonly JsonObject[] | undefined } | undefined;
  const linesOf = async (number: string): Promise<readonly JsonObject[] | undefined> => {
    if (last?.number === number) return last.lines;
    const [parent] = await reads.byNumber(number);
    const lines = parent === undefined ? undefined : await reads.bom(String(parent.guid));
    last = { number, lines };
    return lines;
  };
  return {
    async find([parent = '', child = '']) {
      return (await linesOf(parent))?.filter(({ item }) => (item as JsonObject | undefined)?.number === child);
    },
    all: async (parent) => (await linesOf(parent)) ?? [],
  };
}
