import type { JsonObject } from '#core/model/json.js';
import { numberGroups, openItemReads } from '#service/item-reads.js';
import { KeyIndex } from '../../../bulk/rows/key-index.js';
import { RowRanges } from '../../../bulk/rows/row-ranges.js';
import type { Covering } from '../../covers.js';
import { type ItemReading, type ItemsRead, readItems, searchItems } from '../read-items.js';
import type { FillContext } from './fill-context.js';

/** How items were read, and which of the records the file covers. */
export type CoveredRead = ItemsRead & { readonly covered?: RowRanges };

/**
 * Reads all items that a file covers by pages, and the others that its rows name by searches. If those are too many, or
 * named by GUID, reads all items.
 */
export async function fillCovered(filling: FillContext, covering: Covering): Promise<CoveredRead> {
  const { records, wanted, valuesOf, reader, budget, signal, onRead } = filling;
  const reads = openItemReads(reader);
  const { numbers } = wanted;
  const search = numbers === undefined ? {} : covering.search;
  let covered = new RowRanges();
  let found = new KeyIndex();
  const add = (item: JsonObject): void => {
    const [number, guid] = [String(item.number), String(item.guid)];
    const isCovered = covering.has(item);
    if (!isCovered && !wanted.has(number) && !wanted.has(guid)) return;
    records.add([number], valuesOf(item), guid);
    if (isCovered) covered.add(records.count);
    found.firstRow(number, 1);
  };
  const reading: ItemReading = {
    what: 'items',
    reads: { ...reads, moreThan: (count) => reads.moreThan(count, search), pages: () => reads.pages(search) },
    ...{ budget, signal, add, onRead: (count: number) => onRead('items', count) },
    restart: () => {
      records.clear();
      covered = new RowRanges();
      found = new KeyIndex();
    },
  };
  const all = await readItems(reading);
  if ('why' in all) return all;
  const rest = (numbers ?? []).filter((number) => !found.has(number) && !covering.decides(number));
  const groups = numberGroups(rest);
  if (groups.length > budget.left()) return { why: budget.over };
  await searchItems(groups, reading);
  return { ...all, covered };
}
