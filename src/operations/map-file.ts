import { resolve } from 'node:path';
import { findFile } from '../bulk/source/find-file.js';
import { findColumn, folded } from '../bulk/source/headers.js';
import { openSource } from '../bulk/source/read.js';
import type { SourceTable } from '../bulk/source/source-table.js';
import { type Connection, withConnection } from '../connection/connection.js';
import type { Linked } from '../engine/link.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import { importJob, importSpecOf } from '../jobs/import.js';
import type { ImportSource } from '../jobs/source.js';
import { type ImportDefinitionSpec, importDefinition, parseImportDefinition } from '../kinds/import-definition.js';
import { liveObjects } from '../live/live-objects.js';
import { onlyNamed } from '../live/only-named.js';
import { attribute } from '../lookups/attribute.js';
import { addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import { importResource } from '../model/import-resources.js';
import { type JsonObject, withoutNulls } from '../model/json.js';
import { worldOf } from '../model/worlds.js';
import { nearestHint } from '../nearest.js';
import { openProject } from '../project/project.js';
import { lookupBodies } from '../service/read-lookup.js';

export interface MapFileOptions extends ProjectOptions {
  readonly source: ImportSource;
  /** By the name of an import definition, or by that of an Import manifest, whose source options are used too. */
  readonly by: { readonly definition: string } | { readonly manifest: string };
}

/** How a mapping, a file and the fields of a workspace fit together. */
export interface FileMap {
  readonly file: string;
  readonly worksheet?: string;
  readonly headerRow: number;
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

export interface MappedField {
  readonly column: string;
  /** An apiName, or the name of a custom attribute. */
  readonly field: string;
  /** Where its values come from. `repeated`: the file has several columns of that name. */
  readonly from: 'file' | 'constants' | 'missing' | 'repeated';
  /** `reference`: a field of a record that is referred to, or a key, which the list of attributes does not show. */
  readonly exists: 'yes' | 'no' | 'reference';
  readonly required: boolean;
  readonly type?: string;
  readonly hint?: string;
}

export interface UnmappedColumn {
  readonly column: string;
  /** The field that is called most like it. */
  readonly hint?: string;
}

/** Checks a mapping against the headers of a file and the attributes of the workspace. Sends no write. */
export async function mapFile(options: MapFileOptions, host: Host): Promise<FileMap> {
  const { linked, config } = await openProject(options, host);
  const { name, source: given } = askedFor(options, linked);
  const { path, file } = await findFile(resolve(host.cwd, given.file), given);
  const source = { ...given, file };
  const table = await openSource(path, source);
  await closed(table);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const { spec, definedIn } = await definitionOf(name, linked, connection, host);
    const fields = await fieldsOf(spec.resource, connection);
    return {
      ...compared(table, source, spec, fields),
      workspace: connection.workspace.name,
      definition: name,
      definedIn,
    };
  });
}

/** Only the headers are wanted. */
async function closed({ rows }: SourceTable): Promise<void> {
  for await (const _ of rows) break;
}

function askedFor({ by, source }: MapFileOptions, { manifests }: Linked): { name: string; source: ImportSource } {
  if ('definition' in by) return { name: by.definition, source };
  const imports = manifests.filter(({ kind }) => kind === importJob.name);
  const found = imports.find(({ metadata }) => metadata.name === by.manifest);
  if (found === undefined) {
    const known = imports.map(({ metadata }) => metadata.name);
    const hint = nearestHint(by.manifest, known) ?? '`dexsync import map FILE --definition NAME` needs no manifest.';
    throw new DexsyncError('UNKNOWN_NAME', `No manifest describes Import/${by.manifest}.`, { hint });
  }
  const spec = importSpecOf(found.spec);
  return { name: spec.definition, source: { ...spec.source, ...source } };
}

async function definitionOf(
  name: string,
  { manifests }: Linked,
  connection: Connection,
  host: Host,
): Promise<{ spec: ImportDefinitionSpec; definedIn: FileMap['definedIn'] }> {
  const isIt = ({ kind, metadata }: Manifest): boolean => kind === importDefinition.name && metadata.name === name;
  const described = manifests.find(isIt);
  if (described !== undefined) {
    return { spec: parseImportDefinition(withoutNulls(described.spec) as JsonObject), definedIn: 'manifests' };
  }
  const all = await liveObjects(importDefinition, name, connection, host);
  const wanted = { address: addressOf(importDefinition.name, name), name };
  const live = onlyNamed(all, wanted, connection.workspace, 'rename');
  return { spec: parseImportDefinition(live.spec), definedIn: 'workspace' };
}

interface Field {
  readonly name: string;
  readonly apiName?: string;
  readonly custom: boolean;
  readonly required: boolean;
  readonly type: string;
}

async function fieldsOf(resource: string, { client }: Connection): Promise<readonly Field[]> {
  const bodies = await lookupBodies({ lookup: attribute, partition: worldOf(resource) }, client);
  return bodies.map(({ name, apiName, custom, required, fieldType }: JsonObject) => ({
    name: String(name),
    ...(typeof apiName === 'string' ? { apiName } : {}),
    custom: custom === true,
    required: required === true,
    type: String(fieldType ?? ''),
  }));
}

type Compared = Omit<FileMap, 'workspace' | 'definition' | 'definedIn'>;

function compared(
  table: SourceTable,
  source: ImportSource,
  { resource, mode, options }: ImportDefinitionSpec,
  fields: readonly Field[],
): Compared {
  const mapping = (options?.mapping ?? []).filter((entry) => entry.resource.toUpperCase() !== 'IMPORT');
  const mapped = mapping.map((entry) => mappedField(entry, table, source, fields));
  const used = new Set(mapping.flatMap(({ sourceName }) => indexOf(table, sourceName)));
  const targets = new Set(mapped.map(({ field }) => folded(field)));
  const free = fields.filter(({ name, apiName }) => !targets.has(folded(name)) && !targets.has(folded(apiName ?? '')));
  const creates = ['CREATE', 'OVERWRITE'].includes(mode.toUpperCase());
  const { keys, requiredToCreate } = importResource(resource);
  const required = [
    ...keys,
    ...(creates ? [...requiredToCreate, ...free.filter((field) => field.required).map(nameOf)] : []),
  ];
  const requiredUnmapped =
    mapping.length === 0 ? [] : [...new Set(required)].filter((name) => !targets.has(folded(name)));
  const { file, worksheet, headerRow } = table;
  return {
    file,
    ...(worksheet === undefined ? {} : { worksheet }),
    headerRow,
    resource,
    mode,
    mapped,
    unmapped: table.headers.flatMap((column, index) =>
      used.has(index) || column.trim() === '' ? [] : [unmapped(column, free)],
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
  const found = fields.find((one) => folded(custom === undefined ? (one.apiName ?? '') : one.name) === folded(field));
  const isReference =
    custom === undefined && (field.includes('.') || ['guid', ...importResource(resource).keys].includes(field));
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
    required: found?.required === true || importResource(resource).keys.includes(field),
    ...(found === undefined ? {} : { type: found.type }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function fromOf(name: string, { headers }: SourceTable, { constants = {} }: ImportSource): MappedField['from'] {
  if (Object.keys(constants).some((constant) => folded(constant) === folded(name))) return 'constants';
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

function unmapped(column: string, free: readonly Field[]): UnmappedColumn {
  const same = free.find(({ name, apiName }) => [folded(name), folded(apiName ?? '')].includes(folded(column)));
  const hint = same === undefined ? undefined : `The workspace has the field "${nameOf(same)}".`;
  return { column: column.trim(), ...(hint === undefined ? {} : { hint }) };
}
