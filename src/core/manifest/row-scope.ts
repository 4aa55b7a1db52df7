import { nearestHint } from '#base/nearest.js';
import type { SchemaNode } from '../model/fields.js';
import { type Pointer, pointerKeys } from '../model/pointer.js';
import type { RowTable, TableRow } from './row-table.js';

/** A value that comes from empty cells alone: it is left out. */
export const ABSENT = Symbol('absent');

/** A row that is filled into a document. */
export interface RowScope {
  readonly table: RowTable;
  readonly row: TableRow;
  /** The schema of the document, which says whether a cell is text, a number, or true or false. */
  readonly schema: SchemaNode;
  /** The columns that were read, by their place in the document. */
  readonly columns: Map<Pointer, readonly string[]>;
  /** How many references led to an empty cell, and how many to a filled one. */
  readonly counts: { empty: number; filled: number };
  /** The variables that say which rows are read. */
  readonly filledBy?: string;
}

/** Returns the value, or ABSENT if it comes from empty cells alone. */
export function unlessEmpty(scope: RowScope | undefined, make: () => unknown): unknown {
  if (scope === undefined) return make();
  const { empty, filled } = scope.counts;
  const value = make();
  const { counts } = scope;
  return counts.empty > empty && counts.filled === filled ? ABSENT : value;
}

/** Reads the cell that `${row.HEADER}` means, as the schema wants it; what no schema wants stays text. */
export function readCell(scope: RowScope, header: string, at: Pointer) {
  const { table, row, columns, counts, schema } = scope;
  const place = table.find(header);
  if (place?.is !== 'at') return place === undefined ? noColumn(table, header) : severalColumns(table, header);
  const text = (row.cells[place.index] ?? '').trim();
  columns.set(at, [...new Set([...(columns.get(at) ?? []), header])]);
  if (text === '') counts.empty += 1;
  else counts.filled += 1;
  return { value: typedCell(text, nodeAt(schema, at)) };
}

/** The node of a schema at a place; undefined if the schema says nothing of it. */
function nodeAt(schema: SchemaNode, at: Pointer): SchemaNode | undefined {
  return pointerKeys(at).reduce<SchemaNode | undefined>((node, key) => node?.items ?? node?.properties?.[key], schema);
}

function typedCell(text: string, node: object = {}): unknown {
  const { type } = node as { readonly type?: string };
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
}

function noColumn({ name, headers }: RowTable, header: string) {
  const known = headers.filter((one) => one.trim() !== '');
  const all = `Its columns are ${known.map((one) => `"${one}"`).join(', ')}.`;
  return { code: 'row-column', message: `${name} has no column "${header}".`, hint: nearestHint(header, known) ?? all };
}

const severalColumns = ({ name }: RowTable, header: string) => ({
  code: 'row-column',
  message: `${name} has several columns "${header}".`,
  hint: `Write "${header}#1", "${header}#2" and so on.`,
});
