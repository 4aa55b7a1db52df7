import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JsonObject } from '#core/model/json.js';
import type { Reader } from '#service/client.js';
import { openRecordReads, type RecordReads } from '#service/record-reads.js';
import { recordFinder, sharedKey } from '../bulk/compare/find-records.js';
import type { KeyedRows } from '../bulk/compare/keyed-rows.js';
import type { PreparedImport } from '../bulk/prepare.js';
import { touchedRows } from '../bulk/read-back/touched-rows.js';
import { joinKey, KeyIndex } from '../bulk/rows/key-index.js';
import { readItems } from './preview/read-items.js';
import { supplierNames } from './preview/records/supplier-names.js';
import { openBudget } from './preview/request-budget.js';

interface SharedInput {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  /** The records that exist for the rows. */
  readonly records: KeyedRows;
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

/**
 * The existing supplier items that rows of new sources name, by `sharedKey`; the import creates the others. Undefined
 * if rows share nothing, name no new record, or reading fails. Reads by searches, or by fewer pages.
 */
export async function existingShared(input: SharedInput): Promise<KeyIndex | undefined> {
  const { definition, reader, signal } = input;
  if (resourceNamed(definition.resource).shared === undefined) return undefined;
  const { numbers, keys } = await namedByNew(input);
  if (numbers.length === 0) return undefined;
  const reads = openRecordReads(reader);
  let found: JsonObject[] = [];
  const wanted = new Set(numbers);
  const read = await readItems({
    ...{ what: 'supplier items', groups: numbers.map((number) => [number]), reads: reads.supplierItems },
    ...{ budget: openBudget(reader, Number.POSITIVE_INFINITY), signal, onRead: () => undefined },
    restart: () => {
      found = [];
    },
    add: (item) => {
      if (wanted.has(String(item.number))) found.push(item);
    },
  });
  return 'why' in read ? undefined : thereOf(found, keys, reads);
}

/** The numbers of the supplier items that rows of new sources name, and their whole keys. */
async function namedByNew({ prepared, definition, records, signal }: SharedInput) {
  const resource = resourceNamed(definition.resource);
  const finder = recordFinder(prepared.columns, definition);
  const numbers = new Set<string>();
  const keys = new KeyIndex();
  for await (const { n, identity } of touchedRows(prepared, definition, signal)) {
    if (finder.find(identity, records).length > 0) continue;
    const key = sharedKey(resource, identity.key);
    keys.firstRow(joinKey(key), n);
    numbers.add(key.at(-1) ?? '');
  }
  return { numbers: [...numbers], keys };
}

async function thereOf(found: readonly JsonObject[], keys: KeyIndex, reads: RecordReads): Promise<KeyIndex> {
  const there = new KeyIndex();
  const nameOf = supplierNames(reads);
  for (const { number, supplier } of found) {
    const name = await nameOf(supplier);
    const key = joinKey([name ?? '', String(number)]);
    if (name !== undefined && keys.has(key)) there.firstRow(key, 1);
  }
  return there;
}
