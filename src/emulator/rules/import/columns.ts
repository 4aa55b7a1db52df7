import type { ImportDefinition } from '../../families/import-definitions.js';
import { SourceError, type SourceRow, UNREADABLE } from '../../sources/source.js';
import { type MappingEntry, REPORT_RESOURCE, type Warning } from '../../store/imports.js';
import { refuse } from '../service-error.js';
import type { Target, Targets } from './targets.js';

/** A column of the file that is imported. */
interface Column {
  readonly index: number;
  readonly sourceName: string;
  readonly target: Target;
  /** Whether the result file shows it (wire-facts 4, "inResponse"). */
  readonly inResponse: boolean;
}

/** The columns of a file, bound to the mapping of its definition. */
export interface Columns {
  readonly width: number;
  readonly columns: readonly Column[];
  /** Index of the column that numberingFreeTextHeader names. */
  readonly freeText: number | undefined;
  readonly warnings: readonly Warning[];
}

/** Wire-facts 2.1, "331". Also used for a missing mapped column, for which no source shows a code. */
const COLUMN_WARNING = 331;

/**
 * Finds the mapped columns in a header, ignoring letter case and surrounding spaces. Columns without a mapping are
 * ignored with a warning; a mapped column that the file lacks counts as empty, with a warning. Throws `ServiceError`
 * 3004 for a mapping to a deleted attribute, and `SourceError` for a column that appears twice.
 */
export function bindColumns(header: readonly string[], definition: ImportDefinition, targets: Targets): Columns {
  const places = placesOf(header);
  const { mapping, numberingFreeTextHeader } = definition.options;
  const { columns, missing } = mapping
    ? bindByMapping(mapping, places, targets)
    : bindByHeader(header, places, targets);
  const freeText = places.get(normal(numberingFreeTextHeader ?? ''))?.[0];
  const used = new Set([...columns.map((column) => column.index), ...(freeText === undefined ? [] : [freeText])]);
  const ignored = header.filter((name, index) => name.trim() !== '' && !used.has(index));
  return {
    width: header.length,
    columns,
    freeText,
    warnings: [
      ...ignored.map((name) => ({ code: COLUMN_WARNING, message: `Column "${name}" is ignored: it is not mapped.` })),
      ...missing.map((name) => ({
        code: COLUMN_WARNING,
        message: `Column "${name}" is mapped, but the file has none.`,
      })),
    ],
  };
}

/** Refuses a row with filled cells beyond the last column, since their place is uncertain. */
export function checkWidth(row: SourceRow, { width }: Columns): void {
  if (row.cells.slice(width).some((cell) => cell !== '')) {
    throw refuse.invalid('row', `it has ${row.cells.length} cells under ${width} columns.`);
  }
}

type Places = ReadonlyMap<string, readonly number[]>;

interface BoundColumns {
  readonly columns: readonly Column[];
  readonly missing: readonly string[];
}

function normal(name: string): string {
  return name.trim().toLowerCase();
}

function placesOf(header: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (const [index, name] of header.entries()) {
    if (normal(name) === '') continue;
    places.set(normal(name), [...(places.get(normal(name)) ?? []), index]);
  }
  return places;
}

function bindByMapping(mapping: readonly MappingEntry[], places: Places, targets: Targets): BoundColumns {
  const columns: Column[] = [];
  const missing: string[] = [];
  for (const { resource, apiName, sourceName, inResponse } of mapping) {
    if (resource === REPORT_RESOURCE) continue;
    const target = targets.byApiName.get(apiName.toLowerCase());
    if (!target) throw refuse.unrecognized(apiName);
    const index = onlyPlace(places, sourceName);
    if (index === undefined) missing.push(sourceName);
    else columns.push({ index, sourceName, target, inResponse });
  }
  return { columns, missing };
}

/** Binds columns by the apiName or the name of a field (wire-facts 4, "mapping omitted"). */
function bindByHeader(header: readonly string[], places: Places, targets: Targets): BoundColumns {
  const taken = new Set<Target>();
  const columns = header.flatMap((sourceName) => {
    const target = targets.byHeader.get(normal(sourceName));
    const index = target && !taken.has(target) ? onlyPlace(places, sourceName) : undefined;
    if (!target || index === undefined) return [];
    taken.add(target);
    return [{ index, sourceName, target, inResponse: true }];
  });
  return { columns, missing: [] };
}

function onlyPlace(places: Places, name: string): number | undefined {
  const [index, ...others] = places.get(normal(name)) ?? [];
  if (others.length > 0) throw new SourceError(UNREADABLE, `Column "${name}" appears ${others.length + 1} times.`);
  return index;
}
