import { isObject, type JsonObject } from '#core/model/json.js';
import { openRecordReads } from '#service/record-reads.js';
import type { ItemsRead } from '../read-items.js';
import { type FillContext, readPerItem } from './fill-context.js';

/** Whether a field is the own field of a file of an item: rows that name a file fill nothing else. */
export const isFieldOfItemFile = (): boolean => true;

/** Reads the files of items with one request for each existing item. */
export function fillItemFiles(filling: FillContext): Promise<ItemsRead> {
  const { reader, records, valuesOf } = filling;
  return readPerItem(filling, {
    what: 'items with files',
    read: openRecordReads(reader).filesOfItem,
    take: ({ guid, number, found }) => {
      for (const one of found) records.add([number, numberOfFile(one)], valuesOf(one), guid);
      return undefined;
    },
  });
}

const numberOfFile = ({ file }: JsonObject): string => (isObject(file) ? String(file.number) : '');
