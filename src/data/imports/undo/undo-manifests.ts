import { COMMAND_LINE } from '#base/diagnostics.js';
import { importSpecOf } from '#core/jobs/import.js';
import { type ImportDefinitionSpec, importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import { UNDO_KINDS, type UndoKind } from '../../bulk/undo/undo-context.js';
import type { FoundImport } from '../known-imports.js';
import { rebuildManifest } from '../prepare-found.js';
import { undoName, undoSpec } from './undo-definition.js';

/** A definition as a manifest. */
export const definitionManifest = (name: string, spec: ImportDefinitionSpec): Manifest =>
  manifestAt(COMMAND_LINE, addressOf(importDefinition.name, name), spec as unknown as JsonObject);

/** The manifests of what must be read to undo an import: its definition, those that undo it, and their references. */
export function undoManifests(found: FoundImport): Manifest[] {
  const spec = parseImportDefinition(found.request.definition.spec);
  const { definition: name } = importSpecOf(found.request.spec);
  const twin = (kind: UndoKind): Manifest =>
    definitionManifest(undoName(name, kind), undoSpec(kind, { name, spec, lines: 'as mapped' }));
  return [rebuildManifest(found), definitionManifest(name, spec), ...UNDO_KINDS.map(twin)];
}
