import type { Diagnostic } from '#base/diagnostics.js';
import { excerpt, quoted } from '#base/printable.js';
import type { Origins } from '../model/document.js';
import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, isObject, type Json } from '../model/json.js';
import { dottedPath, type Pointer, pointerTo } from '../model/pointer.js';
import { type Place, rowOrigins } from './layered-origins.js';
import { ABSENT } from './row-scope.js';
import { type RowTable, rowText, type TableRow } from './row-table.js';

/** What one row says of a value: the value, and its place in the document of that row. */
export interface RowPart extends Place {
  readonly value: unknown;
  readonly row: TableRow;
}

/** Parts of one value, one for each row that says something of it. */
export type RowParts = readonly [RowPart, ...RowPart[]];

/** What is known while the rows of an object are merged. */
export interface MergeContext {
  /** The object, in messages. */
  readonly name: string;
  /** The place of each value of the result. */
  readonly places: Map<Pointer, Place>;
  readonly found: Diagnostic[];
  readonly table: RowTable;
}

/**
 * Merges what the rows of one object say of a value at `at`: maps by their members, lists into one entry for each that
 * differs, keyed entries by their keys. Two texts or numbers contradict each other: an error that names both cells.
 */
export function mergeRows(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const [{ value, pointer, origins }] = parts;
  const isScalar = !Array.isArray(value) && !isObject(value);
  merging.places.set(at, { origins: isScalar ? origins : originsOfAll(parts, merging.table), pointer });
  if (Array.isArray(value)) return mergeLists(parts, at, schema, merging);
  if (isObject(value)) return mergeMaps(parts, at, schema, merging);
  const other = parts.find((part) => !Object.is(part.value, value));
  if (other !== undefined) merging.found.push(contradiction(parts[0], other, at, merging.name));
  return value as Json;
}

/** Positions of a value that several rows make. */
function originsOfAll(parts: RowParts, table: RowTable): Origins {
  const text = rowText(
    table,
    parts.map(({ row }) => row),
  );
  return rowOrigins(parts[0].origins, new Map(), () => text);
}

function mergeMaps(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const members = grouped(
    parts.flatMap((part) =>
      Object.entries(part.value as object).map(([key, value]) => ({
        key,
        part: { ...part, value, pointer: pointerTo(part.pointer, key) },
      })),
    ),
  );
  return Object.fromEntries(
    [...members].map(([key, of]) => [key, mergeRows(of, pointerTo(at, key), schema?.properties?.[key], merging)]),
  );
}

function mergeLists(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const { keyed } = traitsOf(schema);
  const entries = parts.flatMap((part) =>
    (part.value as unknown[]).map((value, index) => ({ ...part, value, pointer: pointerTo(part.pointer, index) })),
  );
  const present = entries.filter(({ value }) => value !== ABSENT);
  const groups = grouped(present.map((part) => ({ key: identityOf(part.value as Json, keyed), part })));
  return [...groups.values()].map((of, index) => mergeRows(of, pointerTo(at, index), schema?.items, merging));
}

/** Entries without a key are each one of their own: the schema then says what they lack. */
function identityOf(entry: Json, keyed: readonly string[] | undefined): string {
  if (keyed === undefined || !isObject(entry) || entryKey(entry, keyed) === '') return canonical(entry);
  return matchKey(entry, keyed);
}

/** Groups parts by their keys, in the order of the first of each. */
export function grouped(all: readonly { readonly key: string; readonly part: RowPart }[]): Map<string, RowParts> {
  const groups = new Map<string, [RowPart, ...RowPart[]]>();
  for (const { key, part } of all) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return groups;
}

function contradiction(first: RowPart, other: RowPart, at: Pointer, name: string): Diagnostic {
  const [one, two] = [first, other].map(({ value, pointer, origins }) => {
    return { text: excerpt(quoted(value)), origin: origins.value(pointer) };
  }) as [Cell, Cell];
  return {
    severity: 'error',
    code: 'rows-contradict',
    message: `${name} has two values for "${dottedPath(at).replace(/^spec\./, '')}": ${one.text} (${one.origin.row}) and ${two.text} (${two.origin.row}).`,
    hint: 'Correct one of the cells, or leave it empty: the rows of one object must agree where they say something.',
    origin: two.origin,
  };
}

interface Cell {
  readonly text: string;
  readonly origin: ReturnType<Origins['value']>;
}
