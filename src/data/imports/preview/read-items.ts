import { throwIfInterrupted } from '#base/errors.js';
import type { JsonObject } from '#core/model/json.js';
import type { ItemReads } from '#service/item-reads.js';
import type { RequestBudget } from './request-budget.js';

/** Which items, files or supplier items are read, and what is done with them. */
export interface ItemReading {
  readonly what: 'items' | 'files' | 'supplier items';
  /**
   * Their numbers, each once, and as many together as one search finds; absent where they are too many to be searched for, or
   * where rows name them by GUID.
   */
  readonly groups?: readonly (readonly string[])[];
  readonly reads: Pick<ItemReads, 'withNumbers' | 'moreThan' | 'pages'>;
  /** Exports, where they are allowed and can name these items. */
  readonly exporting?: ExportWay;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  /** Takes each item once; of those that come by pages also others than are meant. */
  readonly add: (item: JsonObject) => void;
  /** What came before counts for nothing: everything comes again. */
  readonly restart: () => void;
  readonly onRead: (count: number) => void;
}

/** Exports as a way to read: what they cost in requests, and how it is gone. */
export interface ExportWay {
  readonly price: number;
  readonly read: () => Promise<ItemsRead>;
}

/** How items were read, or why not. */
export type ItemsRead = { readonly by: 'pages' | 'searches' | 'export' } | { readonly why: string };

/** New entries of a page that overlaps with the one before. */
const NEW_IN_PAGE = 399;
const MOST_RESTARTS = 3;

/**
 * Reads items in the cheapest way: by searches for their numbers, page by page, or by exports where they are allowed. Whether
 * pages are cheaper depends on how many items the workspace has; one more request finds that out where there is a choice.
 */
export async function readItems(reading: ItemReading): Promise<ItemsRead> {
  const { groups, budget, reads, exporting } = reading;
  const searches = groups?.length ?? Number.POSITIVE_INFINITY;
  const exports = exporting?.price ?? Number.POSITIVE_INFINITY;
  if (budget.left() < 1) return { why: budget.over };
  if (groups !== undefined && searches <= 1) return searchItems(groups, reading);
  const mostPages = Math.min(searches, exports, budget.left() - 1);
  const tooMany =
    mostPages > 0 && mostPages < Number.POSITIVE_INFINITY && (await reads.moreThan(NEW_IN_PAGE * mostPages));
  if (!tooMany) return byPages(reading);
  if (exporting !== undefined && exports < searches && exports <= budget.left()) return exporting.read();
  return groups !== undefined && searches <= budget.left() ? searchItems(groups, reading) : { why: budget.over };
}

/** Searches compare without regard to letter case, so that one item may come to several of them. */
export async function searchItems(
  groups: readonly (readonly string[])[],
  reading: ItemReading,
): Promise<{ readonly by: 'searches' }> {
  let count = 0;
  for (const group of groups) {
    throwIfInterrupted(reading.signal, `reading ${reading.what}`);
    const numbers = new Set(group);
    for (const item of await reading.reads.withNumbers(group)) {
      if (!numbers.has(String(item.number))) continue;
      reading.add(item);
      count += 1;
    }
    reading.onRead(count);
  }
  return { by: 'searches' };
}

async function byPages(reading: ItemReading): Promise<ItemsRead> {
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const end = await readAll(reading);
    if (end === 'whole') return { by: 'pages' };
    if (end === 'over budget') return { why: reading.budget.over };
    reading.restart();
  }
  return { why: `the ${reading.what} kept changing while they were read` };
}

async function readAll({ reads, signal, add, onRead, budget, what }: ItemReading) {
  let count = 0;
  for await (const page of reads.pages()) {
    throwIfInterrupted(signal, `reading ${what}`);
    if (page === 'changed') return 'changed';
    for (const item of page) add(item);
    count += page.length;
    onRead(count);
    if (budget.left() < 1 && page.length >= NEW_IN_PAGE) return 'over budget';
  }
  return 'whole';
}
