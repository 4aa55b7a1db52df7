import { quoted } from '#base/printable.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { isObject, type JsonObject } from '#core/model/json.js';
import { openRecordReads, type RecordReads } from '#service/record-reads.js';
import type { ItemsRead } from '../read-items.js';
import { type FillContext, readPerItem } from './fill-context.js';
import { remember, supplierNames } from './supplier-names.js';

/** Whether a field, in lower case, is a sourcing relationship's own; the others are attributes of its supplier item. */
export const isFieldOfSourcing = (field: string): boolean =>
  field.startsWith('supplieritem.') || resourceNamed('ITEM_SOURCING').shared?.ownOfRecord.test(field) === true;

/** Reads sourcing: a request for each existing item, and one for each supplier item that its answer shows in part. */
export function fillSourcing(filling: FillContext): Promise<ItemsRead> {
  const { reader, records, valuesOf, budget } = filling;
  const reads = openRecordReads(reader);
  const supplierItems = openSupplierItems(reads, filling);
  return readPerItem(filling, {
    what: 'items with sourcing',
    read: reads.sourcingOfItem,
    take: async ({ guid, number, found }) => {
      for (const relation of found) {
        const shown = shownIn(relation);
        if (shown === 'two') return indirect(number);
        // The service creates it by itself: it has no supplier item, and no row describes it.
        if (shown === undefined) continue;
        const source = await supplierItems.whole(relation, shown);
        if (source === undefined) return unnamed(number);
        if (source === 'over budget') return budget.over;
        records.add([number, source.supplier, source.number], valuesOf(source.record), guid);
      }
      return undefined;
    },
  });
}

const indirect = (number: string): string =>
  `item ${quoted(number)} has sourcing with two supplier items, and which of them rows mean is unknown`;

const unnamed = (number: string): string =>
  `the sourcing of item ${quoted(number)} does not show its supplier items by supplier and number`;

/** The most requests for one relationship: a supplier item and its supplier. */
const MOST_EACH = 2;

/**
 * The supplier item of a relationship as its answer shows it: under the name that rows use for it, or as manufacturer's
 * and vendor's item, which are one if it is bought directly (wire-facts 8.4).
 */
function shownIn({ supplierItem, vendorItem, mfrItem }: JsonObject): JsonObject | 'two' | undefined {
  if (isObject(supplierItem)) return supplierItem;
  const [one, other] = [vendorItem, mfrItem].filter((item) => isObject(item) && typeof item.guid === 'string');
  if (!isObject(one)) return undefined;
  return isObject(other) && other.guid !== one.guid ? 'two' : one;
}

interface Source {
  readonly supplier: string;
  readonly number: string;
  /** The relationship with its supplier item, whose custom attributes are its own. */
  readonly record: JsonObject;
}

function openSupplierItems(reads: RecordReads, { valuesOf, budget }: FillContext) {
  const items = new Map<string, Promise<JsonObject>>();
  const nameOf = supplierNames(reads);
  const sourceOf = async (relation: JsonObject, item: JsonObject): Promise<Source | undefined> => {
    const supplier = await nameOf(item.supplier);
    if (supplier === undefined || typeof item.number !== 'string') return undefined;
    const own = Array.isArray(item.additionalAttributes) ? { additionalAttributes: item.additionalAttributes } : {};
    return { supplier, number: item.number, record: { ...relation, supplierItem: item, ...own } };
  };
  return {
    /** The source as rows see it; undefined if no answer shows what identifies it. */
    async whole(relation: JsonObject, shown: JsonObject): Promise<Source | 'over budget' | undefined> {
      const source = typeof shown.number === 'string' ? await sourceOf(relation, shown) : undefined;
      if (source !== undefined && !valuesOf(source.record).includes(null)) return source;
      const guid = String(shown.guid);
      if (!items.has(guid) && budget.left() < MOST_EACH) return 'over budget';
      return sourceOf(relation, await remember(items, guid, reads.supplierItem));
    },
  };
}
