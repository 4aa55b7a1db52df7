import { throwIfInterrupted } from '#base/errors.js';
import type { JsonObject } from '#core/model/json.js';
import { PARALLEL_READS } from '#service/read-lookup.js';
import { openRecordReads } from '#service/record-reads.js';
import type { KeptValue } from '../../../bulk/compare/keyed-rows.js';
import { type ItemsRead, readItems } from '../read-items.js';
import type { FillContext } from './fill-context.js';

/** Whether a field, in lower case, is a file's own; the others are its custom attributes. */
export const isFieldOfFile = (field: string): boolean => OWN.test(field);

const OWN =
  /^((author|category)(\..*)?|number|guid|title|name|edition|format|storagemethodname|description|location|private)$/;

/**
 * Reads files by pages, or by a search for each number if those are fewer; then sends a request for each file that rows
 * name and that the list shows only in part.
 */
export async function fillFiles(filling: FillContext): Promise<ItemsRead> {
  const { reader, records, budget, signal, onRead, wanted, valuesOf } = filling;
  const reads = openRecordReads(reader);
  const partly = new Set<string>();
  const keep = (file: JsonObject, values: KeptValue[]): void =>
    records.add([String(file.number)], withoutContent(values, filling), String(file.guid));
  const found = await readItems({
    ...(wanted.numbers === undefined ? {} : { groups: wanted.numbers.map((number) => [number]) }),
    ...{ reads: reads.files, budget, signal, what: 'files', onRead: (count) => onRead('files', count) },
    restart: () => {
      records.clear();
      partly.clear();
    },
    add: (file) => {
      if (!wanted.has(String(file.number)) && !wanted.has(String(file.guid))) return;
      const values = valuesOf(file);
      if (values.includes(null)) partly.add(String(file.guid));
      else keep(file, values);
    },
  });
  if ('why' in found) return found;
  if (partly.size > budget.left()) return { why: budget.over };
  const guids = [...partly];
  for (let first = 0; first < guids.length; first += PARALLEL_READS) {
    throwIfInterrupted(signal, 'reading files');
    for (const file of await Promise.all(guids.slice(first, first + PARALLEL_READS).map(reads.file)))
      keep(file, valuesOf(file));
  }
  return found;
}

/** Drops the name if rows send content: it is unknown whether that differs from the content of the file. */
const withoutContent = (values: readonly KeptValue[], { prepared, targets }: FillContext): readonly KeptValue[] =>
  prepared.files === undefined
    ? values
    : values.map((value, index) => (targets[index]?.field === 'name' ? null : value));
