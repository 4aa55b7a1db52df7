import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json } from '../model/json.js';
import type { SpecFinding } from '../model/kind.js';
import { unknownWord } from '../model/known-words.js';
import { type Pointer, pointerTo } from '../model/pointer.js';

/** Reports violations of field traits that a plain schema cannot express, each at its pointer. */
export const traitFindings = (value: unknown, schema: object): SpecFinding[] =>
  findingsIn(value, schema as SchemaNode, '');

function findingsIn(value: unknown, schema: SchemaNode | undefined, pointer: Pointer): SpecFinding[] {
  if (typeof value === 'string') return unknownValue(value, schema, pointer);
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, index) => findingsIn(item, schema?.items, pointerTo(pointer, index)));
    return [...repeatedEntries(value, schema, pointer), ...inner];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    findingsIn(entry, schema?.properties?.[key], pointerTo(pointer, key)),
  );
}

/** An open enumeration accepts any value: the service decides, and the user gets a finding. */
function unknownValue(text: string, schema: SchemaNode | undefined, pointer: Pointer): SpecFinding[] {
  const { known } = traitsOf(schema);
  if (known === undefined || known.includes(text)) return [];
  return [{ pointer, ...unknownWord(text, `has the value "${text}"`, known) }];
}

function repeatedEntries(list: readonly Json[], schema: SchemaNode | undefined, pointer: Pointer): SpecFinding[] {
  const { keyed } = traitsOf(schema);
  if (keyed === undefined) return [];
  const seen = new Map<string, number>();
  return list.flatMap((entry, index) => {
    const key = matchKey(entry, keyed);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      return [];
    }
    const message = `has two entries for ${entryKey(entry, keyed)}: entries ${first + 1} and ${index + 1}.`;
    return [{ code: 'entry-repeated', pointer: pointerTo(pointer, index), message }];
  });
}
