import { isObject, type JsonObject } from '#core/model/json.js';
import type { ExportedView } from '#service/item-exports.js';
import { openItemReads } from '#service/item-reads.js';
import { exportPrice, readByExport } from '../export/read-by-export.js';
import type { ExportWay, ItemsRead } from '../read-items.js';
import { eachItem, type FillContext, readPerItem } from './fill-context.js';
import { type CoveredRead, fillCovered } from './fill-covered.js';

/** Reads items by searches, by pages, or by exports. */
export function fillItems(filling: FillContext): Promise<CoveredRead> {
  const { records, valuesOf, covering } = filling;
  if (covering !== undefined) return fillCovered(filling, covering);
  const exporting = exportWay('SPECS', filling);
  return eachItem(filling, exporting, {
    restart: () => records.clear(),
    take: (item) => records.add([String(item.number)], valuesOf(item), String(item.guid)),
  });
}

/** Reads BOMs with one request for each existing parent, unless exports take fewer. */
export async function fillLines(filling: FillContext): Promise<ItemsRead> {
  const { reader, records, wanted, valuesOf } = filling;
  const exporting = exportWay('BOM', filling);
  if (exporting !== undefined && exporting.price <= wanted.count) return exporting.read();
  const reads = openItemReads(reader);
  const read = await readPerItem(filling, {
    what: 'BOMs',
    read: reads.bom,
    take: ({ guid, number, found }) => {
      for (const line of found) records.add([number, numberOfChild(line)], valuesOf(line), guid);
      return undefined;
    },
  });
  if ('why' in read || filling.whereUsed !== true) return read;
  await fillWhereUsed(filling);
  return read;
}

/** Reads the lines by which other items use these ones: a request for each used item, and one for each parent. */
async function fillWhereUsed(filling: FillContext): Promise<ItemsRead> {
  const { reader, records, wanted, valuesOf } = filling;
  const reads = openItemReads(reader);
  const parents = new Map<string, string>();
  const read = await readPerItem(filling, {
    what: 'BOMs',
    isAsked: ({ inAssembly }) => inAssembly,
    read: reads.whereUsed,
    take: ({ found }) => {
      for (const { item } of found) if (isObject(item)) parents.set(String(item.guid), String(item.number));
      return undefined;
    },
  });
  for (const [guid, number] of parents) {
    if (wanted.has(number) || wanted.has(guid)) continue;
    for (const line of await reads.bom(guid)) {
      const child = numberOfChild(line);
      if (wanted.has(child)) records.add([number, child], valuesOf(line), guid);
    }
  }
  return read;
}

const numberOfChild = ({ item }: JsonObject): string => (isObject(item) ? String(item.number) : '');

/** Reading by exports, if rows name items by number, as criteria of exports do (wire-facts 2.1, 3294). */
function exportWay(view: ExportedView, filling: FillContext): ExportWay | undefined {
  const { exporting, wanted, onRead } = filling;
  if (exporting === undefined || !wanted.isByNumber || wanted.count === 0) return undefined;
  const onItems = (count: number): void => onRead(view === 'SPECS' ? 'items' : 'BOM lines', count);
  return {
    price: exportPrice(wanted.count, view),
    read: () => readByExport({ ...filling, ...exporting, view, onItems }),
  };
}
