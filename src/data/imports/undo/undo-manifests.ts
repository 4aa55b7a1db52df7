import { COMMAND_LINE } from '#base/diagnostics.js';
import { toImportSpec } from '#core/jobs/import.js';
import { type ImportDefinitionSpec, importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import { readAllRelatedColumns } from '../../bulk/read-back/related-records.js';
import { readLostColumns } from '../../bulk/undo/keep-rows.js';
import { ROW_KINDS, type UndoKind } from '../../bulk/undo/undo-context.js';
import type { FoundImport } from '../known-imports.js';
import { rebuildManifest } from '../prepare-found.js';
import { type Original, undoName, undoSpec } from './undo-definition.js';

/** A definition as a manifest. */
export const definitionManifest = (name: string, spec: ImportDefinitionSpec): Manifest =>
  manifestAt(COMMAND_LINE, addressOf(importDefinition.name, name), spec as unknown as JsonObject);

/** The definition of an import, and the columns of its before image. */
export async function readOriginal(found: FoundImport, image: string): Promise<Original> {
  const spec = parseImportDefinition(found.request.definition.spec);
  const { definition: name } = toImportSpec(found.request.spec);
  const lost = await readLostColumns(image, spec);
  return { name, spec, lost, related: await readAllRelatedColumns(image) };
}

/** The manifests of what must be read to undo an import: its definition, those that undo it, and their references. */
export function undoManifests(found: FoundImport, original: Original): Manifest[] {
  const twin = (kind: UndoKind): Manifest =>
    definitionManifest(undoName(original.name, kind), undoSpec(kind, original));
  return [...originalManifests(found), ...[...ROW_KINDS, ...original.related.keys()].map(twin)];
}

/** The manifests of an import and of its definition, as they were sent. */
export function originalManifests(found: FoundImport): Manifest[] {
  const { definition } = toImportSpec(found.request.spec);
  const spec = parseImportDefinition(found.request.definition.spec);
  return [rebuildManifest(found), definitionManifest(definition, spec)];
}
