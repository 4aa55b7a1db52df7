import { isObject, type JsonObject } from '#core/model/json.js';
import type { RecordReads } from '#service/record-reads.js';

/**
 * Finds the names of suppliers, which answers may show by GUID alone (wire-facts 8.4): one request for each of these.
 * Undefined if a supplier has none.
 */
export function supplierNames({ supplier: read }: Pick<RecordReads, 'supplier'>) {
  const known = new Map<string, Promise<JsonObject>>();
  return async (supplier: unknown): Promise<string | undefined> => {
    if (!isObject(supplier)) return undefined;
    if (typeof supplier.name === 'string') return supplier.name;
    const { name } = await remember(known, String(supplier.guid), read);
    return typeof name === 'string' ? name : undefined;
  };
}

/** The most answers that are remembered, so that memory stays flat. */
const MOST_REMEMBERED = 5000;

/** Reads an object once, as long as its answer is remembered. */
export function remember<T>(
  known: Map<string, Promise<T>>,
  guid: string,
  read: (guid: string) => Promise<T>,
): Promise<T> {
  const found = known.get(guid) ?? read(guid);
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(guid, found);
  return found;
}
