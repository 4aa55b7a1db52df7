import { dirname, join } from 'node:path';
import { makeFolder } from '#base/files/make-folder.js';
import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { attribute } from '#core/lookups/attribute.js';
import { category } from '#core/lookups/category.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { lookupBodies, readLookup } from '#service/read-lookup.js';
import type { Column } from '../bulk/preflight/columns.js';
import { type LostColumn, lostColumns, takesAway } from '../bulk/read-back/lost-columns.js';
import {
  RELATED_KINDS,
  RELATED_RESOURCES,
  type RelatedKind,
  relatedColumns,
  relatedDefinition,
  writeRelated,
} from '../bulk/read-back/related-records.js';
import { type Job, jobDefinition } from './job.js';
import { type RecordsRead, readAllRecords } from './preview/read-records.js';
import type { KnownItem } from './preview/records/fill-context.js';

/**
 * Reads the names of the fields and custom attributes that records have and an import can fill: one request. A list of
 * attributes that has no required field does not show the fields of the service, so all of them are kept.
 */
async function lostNames({ resource }: ImportDefinitionSpec, reader: Reader): Promise<readonly string[]> {
  const { world, hasAttributes, lost = [], requiredToCreate } = resourceNamed(resource);
  if (hasAttributes !== true) return lost;
  const { objects } = await lookupBodies({ lookup: attribute, partition: world }, reader);
  const writable = objects.filter(({ creatable }) => creatable !== false);
  const custom = new Set(writable.flatMap((body) => attribute.namesOf(body).slice(0, 1)));
  const listed = new Set(writable.map(({ apiName }) => String(apiName)));
  const isWhole = requiredToCreate.some((name) => listed.has(name));
  return [...lost.filter((name) => !isWhole || name.includes('.') || listed.has(name)), ...custom];
}

/** Reads the paths of categories if records are created again with them: no record shows the path of its own. */
async function readCategoryPaths(
  { resource }: ImportDefinitionSpec,
  reader: Reader,
  identities: Identities,
): Promise<void> {
  const { world, lost = [] } = resourceNamed(resource);
  if (!lost.includes('category.path')) return;
  await readLookup({ lookup: category, partition: world }, { reader, onRead: () => undefined }, identities);
}

/** The columns for what records lose beyond the columns of the import: none if it removes no record. */
export async function lostByRemoval(job: Job, reader: Reader, identities: Identities): Promise<readonly LostColumn[]> {
  const definition = jobDefinition(job);
  if (!takesAway(definition)) return [];
  await readCategoryPaths(definition, reader, identities);
  return lostColumns(job.prepared.columns, definition, await lostNames(definition, reader));
}

/** What reading the records that go with deleted ones needs. */
interface RelatedReading {
  readonly reader: Reader;
  readonly identities: Identities;
  readonly signal: AbortSignal;
  /** The folder of the before image. */
  readonly image: string;
  readonly known: Map<string, KnownItem>;
}

/**
 * Writes the records that go with those that an import deletes: lines and uses in other BOMs, associated files, sourcing.
 * Returns why they cannot be read, if so.
 */
export async function captureRelated(job: Job, reading: Omit<RelatedReading, 'known'>): Promise<string | undefined> {
  const definition = jobDefinition(job);
  const { takesAlong = [] } = resourceNamed(definition.resource);
  if (!hasMode(definition, 'DELETE')) return undefined;
  const known = new Map<string, KnownItem>();
  for (const kind of RELATED_KINDS) {
    if (!takesAlong.includes(RELATED_RESOURCES[kind])) continue;
    const why = await captureKind(kind, job, { ...reading, known });
    if (why !== undefined) return why;
  }
  return undefined;
}

async function captureKind(kind: RelatedKind, job: Job, reading: RelatedReading): Promise<string | undefined> {
  const { prepared } = job;
  const { image, reader } = reading;
  const columns = relatedColumns(kind, await lostNames(relatedDefinition(kind), reader));
  const folder = join(dirname(prepared.path), kind);
  await makeFolder(folder, 0o700);
  const read = await readRelated(
    kind,
    [...identityColumns(prepared.columns), ...columns.slice(1)],
    folder,
    job,
    reading,
  );
  if ('why' in read) return read.why;
  try {
    await writeRelated(kind, columns, { image, records: read.records, temporary: `${prepared.path}.${kind}` });
    return undefined;
  } finally {
    read.records.close();
  }
}

function readRelated(
  kind: RelatedKind,
  columns: readonly Column[],
  folder: string,
  { prepared: { path, rows } }: Job,
  { reader, identities, signal, known }: RelatedReading,
): Promise<RecordsRead> {
  return readAllRecords({
    ...{ prepared: { path, rows, columns }, definition: relatedDefinition(kind), folder, reader, identities, signal },
    ...(kind === 'lines' ? { whereUsed: true } : {}),
    ...{ known, onRead: () => undefined },
  });
}

/** The columns of an import without what does not identify its records. */
const identityColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.map((column) => ({ ...column, fields: column.fields.filter((field) => ['number', 'guid'].includes(field)) }));
