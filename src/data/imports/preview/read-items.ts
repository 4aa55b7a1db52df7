import { throwIfInterrupted } from '#base/errors.js';
import type { JsonObject } from '#core/model/json.js';
import type { ItemReads } from '#service/item-reads.js';
import type { RequestBudget } from './request-budget.js';

/** Which items, files or supplier items are read, and what is done with them. */
export interface ItemReading {
  readonly what: 'items' | 'files' | 'supplier items';
  /**
   * Their numbers, each once, grouped as one search finds them; absent if they are too many to search for, or if rows
   * name them by GUID.
   */
  readonly groups?: readonly (readonly string[])[];
  readonly reads: Pick<ItemReads, 'withNumbers' | 'moreThan' | 'pages'>;
  /** Exports, if they are allowed and can name these items. */
  readonly exporting?: ExportWay;
  /** Numbers that count as one; by default, each is one of its own. */
  readonly fold?: (number: string) => string;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  /** Takes each item once; pages also bring items that are not wanted. */
  readonly add: (item: JsonObject) => void;
  /** Discards all items so far: everything is read again. */
  readonly restart: () => void;
  readonly onRead: (count: number) => void;
}

/** Reading by exports: its price in requests, and how to do it. */
export interface ExportWay {
  readonly price: number;
  readonly read: () => Promise<ItemsRead>;
}

/** How items were read, or why not. */
export type ItemsRead = { readonly by: 'pages' | 'searches' | 'export' } | { readonly why: string };

/** New entries of a page, which overlaps with the one before. */
const NEW_IN_PAGE = 399;
const MOST_RESTARTS = 3;

/**
 * Reads items in the cheapest way: by searches for their numbers, page by page, or by exports if they are allowed.
 * Whether pages are cheaper depends on the number of items; one more request finds that out if there is a choice.
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

/** Searches ignore letter case, so that several of them may return the same item. */
export async function searchItems(
  groups: readonly (readonly string[])[],
  reading: ItemReading,
): Promise<{ readonly by: 'searches' }> {
  const { fold = String } = reading;
  let count = 0;
  for (const group of groups) {
    throwIfInterrupted(reading.signal, `reading ${reading.what}`);
    const numbers = new Set(group.map(fold));
    for (const item of await reading.reads.withNumbers(group)) {
      if (!numbers.has(fold(String(item.number)))) continue;
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
