import { rowSourceSchema } from '../jobs/source.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { typeName } from './type-name.js';

/** The field beside `kind` by which one manifest describes an object for each item of a list or map. */
export const FOR_EACH = 'forEach';

/** The hint for what only a manifest of several objects has. */
export const FOR_EACH_HINT = 'Add `forEach:` beside `kind:`, with a list or a map, such as `forEach: ${var.plants}`.';

/** For editors; the values are checked when the items are known. */
export const FOR_EACH_SCHEMA = {
  description:
    'A list, a map, or a variable that is one, such as ${var.plants}: the manifest describes an object for each item, which is ${each.key} and ${each.value} in it. Or { file: suppliers.csv }: it describes an object for each name in the rows of a file, whose cells are ${row.COLUMN}.',
  type: ['array', 'object', 'string'],
  if: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema.
  then: rowSourceSchema,
};

/** Whether a `forEach`, as it is written, means the rows of a file. */
export const isRowSource = (given: unknown): given is JsonObject => isObject(given) && typeof given.file === 'string';

/** The item of one copy: a map's key and value; for a list, the text, or the position (from 0) and the map. */
export interface Item {
  readonly key: unknown;
  readonly value: unknown;
}

/** Far more objects than any workspace has of one kind. */
export const MOST_ITEMS = 10_000;

/** Returns the items of a list or map, or the reason why the manifest `rest` cannot use it. */
export function listItems(list: unknown, rest: JsonObject): Item[] | { code: string; message: string; hint?: string } {
  if (typeof list !== 'object' || list === null) {
    const message = `\`forEach\` must be a list or a map; here it is ${typeName(list)}.`;
    return { code: 'for-each', message, hint: LIST_HINT };
  }
  const items = Array.isArray(list)
    ? list.map((value: Json, index) => ({ key: typeof value === 'object' ? index : value, value }))
    : Object.entries(list).map(([key, value]) => ({ key, value }));
  if (items.length > MOST_ITEMS) {
    const message = `\`forEach\` has ${items.length} items; at most ${MOST_ITEMS} are allowed.`;
    return { code: 'for-each', message };
  }
  if (items.length > 1 && !namesItem(rest)) {
    return {
      code: 'for-each-name',
      message: 'Every item of `forEach` would describe the same object.',
      hint: 'Use `${each.key}` or `${each.value}` in `metadata.name`.',
    };
  }
  return items;
}

const LIST_HINT = 'Give a list, a map, or a variable that is one: `forEach: ${var.plants}`.';

const namesItem = ({ metadata }: JsonObject): boolean =>
  isObject(metadata) && typeof metadata.name === 'string' && metadata.name.includes('${each.');
