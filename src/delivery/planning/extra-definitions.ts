import type { Catalog } from '#core/catalog.js';
import { type Linked, link } from '#core/engine/link.js';
import type { Selection } from '#core/engine/selection.js';
import { importJob } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import type { Manifest } from '#core/model/document.js';

/**
 * Returns the import definitions that a selected import uses and the selection leaves out. They are not planned, but
 * their manifests show whether its rows were imported before.
 */
export function extraDefinitions({ linked, leftOut }: Selection): Manifest[] {
  const imports = linked.manifests.filter(({ kind }) => kind === importJob.name);
  const used = new Set(imports.map(({ spec }) => spec.definition));
  return leftOut.filter(({ kind, metadata }) => kind === importDefinition.name && used.has(metadata.name));
}

/** Adds such definitions to the manifests that decide what is read. */
export const withDefinitions = (linked: Linked, definitions: readonly Manifest[], { schemaOf }: Catalog): Linked =>
  definitions.length === 0
    ? linked
    : { ...link([...linked.manifests, ...definitions], schemaOf), described: linked.described };
