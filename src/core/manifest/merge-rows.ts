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
export interface RowPart {
  readonly value: unknown;
  readonly pointer: Pointer;
  readonly of: RowDocument;
}

/** A row, and the positions of the document that it alone would be. */
export interface RowDocument {
  readonly row: TableRow;
  readonly origins: Origins;
}

/** Parts of one value, one for each row that says something of it. */
export type RowParts = readonly [RowPart, ...RowPart[]];

/** What is known while the rows of an object are merged. */
export interface MergeContext {
  /** The object, in messages. */
  readonly name: string;
  /** Takes the place of each value of the result, if it is wanted. */
  readonly places?: Map<Pointer, Place>;
  readonly found: Diagnostic[];
  readonly table: RowTable;
}

/**
 * Merges what the rows of one object say of a value at `at`: maps by their members, lists into one entry for each that
 * differs, keyed entries by their keys. Two texts or numbers contradict each other: an error that names both cells.
 */
export function mergeRows(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const [{ value }] = parts;
  merging.places?.set(at, placeOf(parts, merging.table));
  if (Array.isArray(value)) return mergeLists(parts, at, schema, merging);
  if (isObject(value)) return mergeMaps(parts, at, schema, merging);
  const other = parts.find((part) => !Object.is(part.value, value));
  if (other !== undefined) merging.found.push(contradiction(parts[0], other, at, merging.name));
  return value as Json;
}

/** The place of a text or number is a cell, that of a list or map is all of its rows. */
function placeOf(parts: RowParts, table: RowTable): Place {
  const [{ value, pointer, of }] = parts;
  const { origins } = of;
  if (typeof value !== 'object' || value === null) return { origins, pointer };
  const text = rowText(
    table,
    parts.map((part) => part.of.row),
  );
  return { origins: rowOrigins(origins, new Map(), () => text), pointer };
}

function mergeMaps(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const members = new Groups();
  for (const { value, pointer, of } of parts) {
    for (const [key, entry] of Object.entries(value as object)) {
      members.add(key, { value: entry, pointer: pointerTo(pointer, key), of });
    }
  }
  return Object.fromEntries(
    [...members.all].map(([key, of]) => [key, mergeRows(of, pointerTo(at, key), schema?.properties?.[key], merging)]),
  );
}

function mergeLists(parts: RowParts, at: Pointer, schema: SchemaNode | undefined, merging: MergeContext): Json {
  const { keyed } = traitsOf(schema);
  const entries = new Groups();
  for (const { value, pointer, of } of parts) {
    for (const [index, entry] of (value as unknown[]).entries()) {
      if (entry === ABSENT) continue;
      entries.add(identityOf(entry as Json, keyed), { value: entry, pointer: pointerTo(pointer, index), of });
    }
  }
  return [...entries.all.values()].map((of, index) => mergeRows(of, pointerTo(at, index), schema?.items, merging));
}

/** Entries without a key are each one of their own: the schema then says what they lack. */
function identityOf(entry: Json, keyed: readonly string[] | undefined): string {
  if (keyed === undefined || !isObject(entry) || entryKey(entry, keyed) === '') return canonical(entry);
  return matchKey(entry, keyed);
}

/** Parts by their keys, in the order of the first of each. */
export class Groups {
  readonly all = new Map<string, [RowPart, ...RowPart[]]>();

  add(key: string, part: RowPart): void {
    const group = this.all.get(key);
    if (group === undefined) this.all.set(key, [part]);
    else group.push(part);
  }
}

function contradiction(first: RowPart, other: RowPart, at: Pointer, name: string): Diagnostic {
  const [one, two] = [first, other].map(({ value, pointer, of }) => {
    return { text: excerpt(quoted(value)), origin: of.origins.value(pointer) };
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
