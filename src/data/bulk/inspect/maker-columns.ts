import type { Column, Roles } from './column.js';
import { roleNamed } from './column-names.js';
import type { Meaning } from './meanings.js';

const OF_SOURCES: ReadonlySet<Meaning | undefined> = new Set([
  ...(['manufacturer', 'mpn', 'supplier', 'supplierPartNumber'] as const),
]);

/** The columns about makers and suppliers of a part, which say nothing about the part itself. */
export function sourceColumns(columns: readonly Column[], roles: Roles): readonly Column[] {
  const taken = new Map([...roles].map(([role, { name }]) => [name, role]));
  return columns.filter(({ name, header }) => OF_SOURCES.has(taken.get(name) ?? roleNamed(header)));
}
