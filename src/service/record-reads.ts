import type { JsonObject } from '#core/model/json.js';
import type { Reader } from './client.js';
import type { ItemReads } from './item-reads.js';
import { eachPage, hasMoreThan, listPages, listWhole } from './list-pages.js';

/** Operations that read sourcing and files (endpoints.md; wire-facts 8.3 and 8.4). */
export interface RecordReads {
  /** The sourcing relationships of an item: one request, or more where there are several pages. */
  sourcingOfItem(item: string): Promise<readonly JsonObject[]>;
  /** The sourcing relationships of a supplier item, each with its item: as many requests. */
  sourcingOfSupplierItem(supplierItem: string): Promise<readonly JsonObject[]>;
  /** The files of an item, each with its association: one request. */
  filesOfItem(item: string): Promise<readonly JsonObject[]>;
  /** One supplier item, whole. */
  supplierItem(guid: string): Promise<JsonObject>;
  supplier(guid: string): Promise<JsonObject>;
  /** One file, whole. */
  file(guid: string): Promise<JsonObject>;
  /** Reads files: those of some numbers, one request for each, or all of them page by page. */
  readonly files: NumberedReads;
  /** Reads supplier items in the same ways; two suppliers may use one number. */
  readonly supplierItems: NumberedReads;
}

type NumberedReads = Pick<ItemReads, 'withNumbers' | 'moreThan' | 'pages'>;

/** Opens these reads over the client. */
export const openRecordReads = (reader: Reader): RecordReads => ({
  sourcingOfItem: (item) => listPages(reader, `/items/${item}/sourcing`, 'paged'),
  sourcingOfSupplierItem: (supplierItem) => listPages(reader, `/supplieritems/${supplierItem}/sourcing`, 'paged'),
  filesOfItem: (item) => listWhole(reader, `/items/${item}/files`),
  supplierItem: (guid) => reader.get(`/supplieritems/${guid}`),
  supplier: (guid) => reader.get(`/suppliers/${guid}`),
  file: (guid) => reader.get(`/files/${guid}`),
  files: readsAt('/files', reader),
  supplierItems: readsAt('/supplieritems', reader),
});

const readsAt = (path: string, reader: Reader): NumberedReads => ({
  async withNumbers(numbers) {
    const found = await Promise.all(numbers.map((number) => listPages(reader, path, 'paged', { number })));
    return found.flat();
  },
  moreThan: (count) => hasMoreThan(reader, path, count),
  pages: () => eachPage(reader, path, {}),
});
