import { join } from 'node:path';
import { pathExists } from '#base/files/path-exists.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type RelatedResource, resourceNamed } from '#core/model/import-resources.js';
import type { KeyedRows } from '../compare/keyed-rows.js';
import type { Column } from '../preflight/columns.js';
import { type CsvFileWriter, openCsvFile } from '../rows/csv-file.js';
import { parseCsvFile, readHeader } from '../rows/parse-csv-file.js';
import { type LostColumn, lostColumn } from './lost-columns.js';

/** Records that go with deleted items; a before image has a file of each. */
export const RELATED_RESOURCES = {
  lines: 'ITEM_BOM',
  files: 'ITEM_FILES',
  sourcing: 'ITEM_SOURCING',
} as const satisfies Record<string, RelatedResource>;

/** One of `RELATED_RESOURCES`. */
export type RelatedKind = keyof typeof RELATED_RESOURCES;

export const RELATED_KINDS = Object.keys(RELATED_RESOURCES) as RelatedKind[];

export const isRelated = (kind: string): kind is RelatedKind => Object.hasOwn(RELATED_RESOURCES, kind);

/** The path of a file with related records in the folder of a before image. */
const relatedFile = (image: string, kind: RelatedKind): string => join(image, `${kind}.csv`);

/** What reads related records: a whole BOM, or all files or sources of an item. */
export const relatedDefinition = (kind: RelatedKind): ImportDefinitionSpec => ({
  resource: RELATED_RESOURCES[kind],
  mode: 'REPLACE',
});

/** The columns of a file with related records. */
export function relatedColumns(kind: RelatedKind, names: readonly string[]): readonly LostColumn[] {
  const definition = relatedDefinition(kind);
  const { keys } = resourceNamed(definition.resource);
  return [...keys, ...names].map((name) => lostColumn(name, name, definition));
}

/** Reads the columns of all related records that a before image has. */
export async function readAllRelatedColumns(image: string): Promise<ReadonlyMap<RelatedKind, readonly LostColumn[]>> {
  const all = new Map<RelatedKind, readonly LostColumn[]>();
  for (const kind of RELATED_KINDS) {
    const columns = await readRelatedColumns(image, kind);
    if (columns !== undefined) all.set(kind, columns);
  }
  return all;
}

async function readRelatedColumns(image: string, kind: RelatedKind): Promise<readonly LostColumn[] | undefined> {
  const path = relatedFile(image, kind);
  if (!(await pathExists(path))) return undefined;
  return (await readHeader(path)).map((name) => lostColumn(name, name, relatedDefinition(kind)));
}

/** Writes all of these records; their values are in the order of the columns after the keys. */
export async function writeRelated(
  kind: RelatedKind,
  columns: readonly Column[],
  { image, records, temporary }: { readonly image: string; readonly records: KeyedRows; readonly temporary: string },
): Promise<void> {
  await writeFile(relatedFile(image, kind), columns, temporary, async (add) => {
    for (const { key, values } of records.unmarked()) await add([...key, ...values.map((value) => value?.[1] ?? '')]);
  });
}

/** Writes the related records that belong to restored items; returns how many. */
export async function writeRestored(
  { image, kind, path }: { readonly image: string; readonly kind: RelatedKind; readonly path: string },
  isRestored: (number: string) => boolean,
): Promise<number> {
  const columns = await readRelatedColumns(image, kind);
  if (columns === undefined) return 0;
  const ends = kind === 'lines' ? [0, 1] : [0];
  return writeFile(path, columns, undefined, async (add) => {
    for await (const cells of parseCsvFile(relatedFile(image, kind), { bom: true, from: 2 }))
      if (ends.some((end) => isRestored(cells[end] ?? ''))) await add(cells);
  });
}

/** Writes a CSV file that appears complete or not at all; returns the number of its rows. */
async function writeFile(
  path: string,
  columns: readonly Column[],
  temporary: string | undefined,
  write: (add: CsvFileWriter['add']) => Promise<void>,
): Promise<number> {
  const header = columns.map((column) => column.header);
  const file = await openCsvFile(path, header, temporary);
  try {
    await write(file.add);
    await file.finish();
    return file.rows;
  } catch (error) {
    await file.abandon().catch(() => undefined);
    throw error;
  }
}
