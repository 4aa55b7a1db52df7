import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { attribute } from '#core/lookups/attribute.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { JsonObject } from '#core/model/json.js';
import { worldOf } from '#core/model/worlds.js';
import type { Connection } from '#project/connection/connection.js';
import { lookupBodies } from '#service/read-lookup.js';
import { findColumn, foldName } from '../bulk/source/headers.js';
import type { SourceTable } from '../bulk/source/source-table.js';

/** How a mapping, a file and the fields of a workspace fit together. */
export interface FileMap {
  readonly file: string;
  readonly worksheet?: string;
  readonly headerRow: number;
  readonly environment: string;
  readonly workspace: string;
  readonly definition: string;
  readonly definedIn: 'manifests' | 'workspace';
  readonly resource: string;
  readonly mode: string;
  readonly mapped: readonly MappedField[];
  readonly unmapped: readonly UnmappedColumn[];
  /** Fields that a new record must have, and that nothing fills. */
  readonly requiredUnmapped: readonly string[];
  readonly problems: number;
}

/** One field of a mapping, and where its values come from. */
export interface MappedField {
  readonly column: string;
  /** An apiName, or the name of a custom attribute. */
  readonly field: string;
  /** Where its values come from. `repeated`: the file has several columns of that name. */
  readonly from: 'file' | 'constants' | 'missing' | 'repeated';
  /** `reference`: a field of a referenced record, or a key; the list of attributes shows neither. */
  readonly exists: 'yes' | 'no' | 'reference';
  readonly required: boolean;
  readonly type?: string;
  readonly hint?: string;
}

/** A column that is not mapped, with the field that it may be meant for. */
export interface UnmappedColumn {
  readonly column: string;
  /** Names the field of the workspace with the same name. */
  readonly hint?: string;
}

/** An attribute of the workspace, as far as mappings need it. */
export interface Field {
  readonly name: string;
  readonly apiName?: string;
  readonly custom: boolean;
  readonly required: boolean;
  readonly type: string;
}

/** Lists the attributes of a resource's world with one request. */
export async function attributeFields(resource: string, { client }: Connection): Promise<readonly Field[]> {
  const { objects } = await lookupBodies({ lookup: attribute, partition: worldOf(resource) }, client);
  return objects.map(({ name, apiName, custom, required, fieldType }: JsonObject) => ({
    name: String(name),
    ...(typeof apiName === 'string' ? { apiName } : {}),
    custom: custom === true,
    required: required === true,
    type: String(fieldType ?? ''),
  }));
}

/** How mapping, headers and attributes fit together, without their origin. */
export type ColumnMap = Omit<FileMap, 'environment' | 'workspace' | 'definition' | 'definedIn'>;

/** Compares a mapping with the headers of a table and the attributes of the workspace; rows are not read. */
export function mapColumns(
  table: SourceTable,
  source: ImportSource,
  { resource, mode, options }: ImportDefinitionSpec,
  fields: readonly Field[],
): ColumnMap {
  const mapping = (options?.mapping ?? []).filter((entry) => entry.resource.toUpperCase() !== 'IMPORT');
  const mapped = mapping.map((entry) => mappedField(entry, table, source, fields));
  const used = new Set(mapping.flatMap(({ sourceName }) => indexOf(table, sourceName)));
  const targets = new Set(mapped.map(({ field }) => foldName(field)));
  const free = fields.filter(
    ({ name, apiName }) => !targets.has(foldName(name)) && !targets.has(foldName(apiName ?? '')),
  );
  const creates = ['CREATE', 'OVERWRITE'].includes(mode.toUpperCase());
  const { keys, requiredToCreate } = resourceNamed(resource);
  const required = [
    ...keys,
    ...(creates ? [...requiredToCreate, ...free.filter((field) => field.required).map(nameOf)] : []),
  ];
  const requiredUnmapped =
    mapping.length === 0 ? [] : [...new Set(required)].filter((name) => !targets.has(foldName(name)));
  const { file, worksheet, headerRow } = table;
  return {
    file,
    ...omitUndefined({ worksheet }),
    headerRow,
    resource,
    mode,
    mapped,
    unmapped: table.headers.flatMap((column, index) =>
      used.has(index) || column.trim() === '' ? [] : [unmappedColumn(column, free)],
    ),
    requiredUnmapped,
    problems: requiredUnmapped.length + mapped.filter(isProblem).length,
  };
}

const isProblem = ({ from, exists }: MappedField): boolean =>
  from === 'missing' || from === 'repeated' || exists === 'no';

const nameOf = ({ custom, name, apiName }: Field): string => (custom ? name : (apiName ?? name));

function indexOf(table: SourceTable, name: string): readonly number[] {
  const place = findColumn(table.headers, name);
  return place === undefined ? [] : place.is === 'at' ? [place.index] : place.at;
}

type Entry = NonNullable<NonNullable<ImportDefinitionSpec['options']>['mapping']>[number];

function mappedField(entry: Entry, table: SourceTable, source: ImportSource, fields: readonly Field[]): MappedField {
  const { sourceName, apiName, attribute: custom, resource } = entry;
  const field = custom ?? apiName ?? '';
  const found = fields.find(
    (one) => foldName(custom === undefined ? (one.apiName ?? '') : one.name) === foldName(field),
  );
  const isReference =
    custom === undefined && (field.includes('.') || ['guid', ...resourceNamed(resource).keys].includes(field));
  const from = fromOf(sourceName, table, source);
  const exists = found !== undefined ? 'yes' : isReference ? 'reference' : 'no';
  const hint = hintOf(
    from,
    exists,
    sourceName,
    field,
    table,
    fields.filter((one) => one.custom === (custom !== undefined)),
  );
  return {
    column: sourceName,
    field,
    from,
    exists,
    required: found?.required === true || resourceNamed(resource).keys.includes(field),
    ...(found === undefined ? {} : { type: found.type }),
    ...omitUndefined({ hint }),
  };
}

function fromOf(name: string, { headers }: SourceTable, { constants = {} }: ImportSource): MappedField['from'] {
  if (Object.keys(constants).some((constant) => foldName(constant) === foldName(name))) return 'constants';
  const place = findColumn(headers, name);
  if (place === undefined) return 'missing';
  return place.is === 'at' ? 'file' : 'repeated';
}

function hintOf(
  from: MappedField['from'],
  exists: MappedField['exists'],
  column: string,
  field: string,
  { headers, headerHint }: SourceTable,
  fields: readonly Field[],
): string | undefined {
  if (from === 'repeated') return `Map "${column}#1" or "${column}#2".`;
  if (from === 'missing')
    return (
      headerHint ??
      nearestHint(
        column,
        headers.filter((header) => header.trim() !== ''),
      )
    );
  return exists === 'no' ? nearestHint(field, fields.map(nameOf)) : undefined;
}

function unmappedColumn(column: string, free: readonly Field[]): UnmappedColumn {
  const same = free.find(({ name, apiName }) => [foldName(name), foldName(apiName ?? '')].includes(foldName(column)));
  const hint = same === undefined ? undefined : `The workspace has the field "${nameOf(same)}".`;
  return { column: column.trim(), ...omitUndefined({ hint }) };
}
