import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Linked } from '#core/engine/link.js';
import { importJob, toImportSpec } from '#core/jobs/import.js';
import type { ImportSource } from '#core/jobs/source.js';
import { type ImportDefinitionSpec, importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { type JsonObject, withoutNulls } from '#core/model/json.js';
import { findFile } from '#data/bulk/source/find-file.js';
import { openSource } from '#data/bulk/source/open-source.js';
import type { SourceTable } from '#data/bulk/source/source-table.js';
import { attributeFields, type FileMap, mapColumns } from '#data/imports/column-map.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findUniqueByName } from '#project/live/find-unique-by-name.js';
import { liveObjects } from '#project/live/live-objects.js';
import { openProject } from '#project/project.js';

/** The file to check, and the mapping to check it against. */
export interface MapFileOptions extends ProjectOptions {
  readonly source: ImportSource;
  /** The name of an import definition, or of an Import manifest, whose source options are used too. */
  readonly by: { readonly definition: string } | { readonly manifest: string };
}

/** Checks a mapping against the headers of a file and the attributes of the workspace. Sends no write. */
export async function mapFile(options: MapFileOptions, host: Host): Promise<FileMap> {
  const { linked, config } = await openProject(options, host);
  const { name, source: given } = nameAndSource(options, linked);
  const { path, file } = await findFile(resolve(host.cwd, given.file), given);
  const source = { ...given, file };
  const table = await openSource(path, source);
  await closeTable(table);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const { spec, definedIn } = await definitionOf(name, linked, connection, host);
    const fields = await attributeFields(spec.resource, connection);
    return {
      ...mapColumns(table, source, spec, fields),
      environment: connection.environment,
      workspace: connection.workspace.name,
      definition: name,
      definedIn,
    };
  });
}

/** Closes the table: only its headers are needed. */
async function closeTable({ rows }: SourceTable): Promise<void> {
  for await (const _ of rows) break;
}

function nameAndSource({ by, source }: MapFileOptions, { manifests }: Linked): { name: string; source: ImportSource } {
  if ('definition' in by) return { name: by.definition, source };
  const imports = manifests.filter(({ kind }) => kind === importJob.name);
  const found = imports.find(({ metadata }) => metadata.name === by.manifest);
  if (found === undefined) {
    const known = imports.map(({ metadata }) => metadata.name);
    const hint =
      nearestHint(by.manifest, known) ?? '`dexsync import map FILE --definition NAME` works without a manifest.';
    throw new DexsyncError('UNKNOWN_NAME', `No manifest describes Import/${by.manifest}.`, { hint });
  }
  const spec = toImportSpec(found.spec);
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
  const live = findUniqueByName(all, wanted, connection.environment, 'rename');
  return { spec: parseImportDefinition(live.spec), definedIn: 'workspace' };
}
