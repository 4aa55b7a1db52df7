import { type Diagnostic, withHint } from '../diagnostics.js';
import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { nearestHint } from '../nearest.js';
import type { Subject } from './schema-check.js';

type UnplacedFinding = Omit<Diagnostic, 'origin'>;

/** What the traits of the fields find that a plain schema cannot say, each at its place. */
export function traitFindings(value: unknown, { schema, base, origins, name }: Subject): Diagnostic[] {
  return findingsIn(value, schema as SchemaNode, base, name).map(([pointer, finding]) => ({
    ...finding,
    origin: origins.value(pointer),
  }));
}

type PlacedFinding = readonly [Pointer, UnplacedFinding];

function findingsIn(value: unknown, schema: SchemaNode | undefined, pointer: Pointer, name: string): PlacedFinding[] {
  if (typeof value === 'string') return unknownValue(value, schema, pointer, name);
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, index) => findingsIn(item, schema?.items, pointerTo(pointer, index), name));
    return [...repeatedEntries(value, schema, pointer, name), ...inner];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    findingsIn(entry, schema?.properties?.[key], pointerTo(pointer, key), name),
  );
}

/** An open enumeration takes any value: the service decides, the user is told. */
function unknownValue(text: string, schema: SchemaNode | undefined, pointer: Pointer, name: string): PlacedFinding[] {
  const { known } = traitsOf(schema);
  if (known === undefined || known.includes(text)) return [];
  const message = `${name} has the value "${text}", which dexsync does not know; the service decides whether it is valid.`;
  return [[pointer, withHint({ severity: 'warning', code: 'value-unknown', message }, nearestHint(text, known))]];
}

function repeatedEntries(
  list: readonly Json[],
  schema: SchemaNode | undefined,
  pointer: Pointer,
  name: string,
): PlacedFinding[] {
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
    const message = `${name} has two entries for ${entryKey(entry, keyed)}: entries ${first + 1} and ${index + 1}.`;
    return [
      [pointerTo(pointer, index), { severity: 'error', code: 'entry-repeated', message }] satisfies PlacedFinding,
    ];
  });
}
