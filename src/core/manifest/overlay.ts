import type { Diagnostic } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '../catalog.js';
import { type Address, addressOf } from '../model/address.js';
import type { Document } from '../model/document.js';
import type { SchemaNode } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import type { Pointer } from '../model/pointer.js';
import { layeredOrigins, type Place } from './layered-origins.js';
import { DELETED, mergeValue, ROOT } from './merge-value.js';
import type { ParsedYaml } from './parse.js';

/** The overlay on the manifests of an environment. */
export interface Overlay {
  /** Its name in messages. */
  readonly environment: string;
  /** Parts of manifests, by address; later ones are merged onto earlier ones. */
  readonly documents: readonly Document[];
  /** `ignored` if the manifests are not those that it was written for: only some of them, or already merged ones. */
  readonly missing: 'refused' | 'ignored';
  /** Its schemas define which entries of a list are the same. */
  readonly catalog: Pick<Catalog, 'manifestTypeNamed'>;
}

/** Merges an overlay into manifests: the stage between interpolate and validate. Drops manifests that it deletes. */
export function applyOverlay(documents: readonly Document[], overlay: Overlay): ParsedYaml {
  const known = new Set(documents.flatMap((document) => addressIn(document) ?? []));
  const byAddress = new Map<Address, Document[]>();
  for (const document of overlay.documents) {
    const address = addressIn(document);
    if (address !== undefined) byAddress.set(address, [...(byAddress.get(address) ?? []), document]);
  }
  const results = documents.map((document) => {
    const address = addressIn(document);
    return mergeAll(document, (address === undefined ? undefined : byAddress.get(address)) ?? [], overlay);
  });
  return {
    documents: results.flatMap(({ document }) => document ?? []),
    diagnostics: [
      ...overlay.documents.flatMap((document) => targetFinding(document, known, overlay) ?? []),
      ...results.flatMap(({ diagnostics }) => diagnostics),
    ],
  };
}

type MergeOptions = Pick<Overlay, 'missing' | 'catalog'>;

interface Merged {
  /** Absent if the overlay deletes it. */
  readonly document?: Document;
  readonly diagnostics: readonly Diagnostic[];
}

function mergeAll(base: Document, overlays: readonly Document[], merging: MergeOptions): Merged {
  let merged: Merged = { document: base, diagnostics: [] };
  for (const overlay of overlays) {
    if (merged.document === undefined) break;
    const { document, diagnostics } = merge(merged.document, overlay, merging);
    merged = {
      ...omitUndefined({ document }),
      diagnostics: [...merged.diagnostics, ...diagnostics],
    };
  }
  return merged;
}

function merge(base: Document, overlay: Document, { missing, catalog }: MergeOptions): Merged {
  const places = new Map<Pointer, Place>();
  const found: Diagnostic[] = [];
  const sides = {
    base: base.value as Json,
    overlay: overlay.value as Json,
    schema: schemaFor(base.value as JsonObject, catalog),
  };
  const value = mergeValue(sides, ROOT, { base: base.origins, overlay: overlay.origins, places, found, missing });
  if (value === DELETED) return { diagnostics: found };
  return { document: { value, origins: layeredOrigins(base.origins, places) }, diagnostics: found };
}

function schemaFor({ kind }: JsonObject, { manifestTypeNamed }: Overlay['catalog']): SchemaNode {
  const spec = manifestTypeNamed(String(kind))?.schema as SchemaNode | undefined;
  return spec === undefined ? {} : { properties: { spec } };
}

/** The address that a document names; undefined if it names none. */
export function addressIn({ value }: Pick<Document, 'value'>): Address | undefined {
  if (!isObject(value)) return undefined;
  const { kind, metadata } = value as JsonObject;
  const name = isObject(metadata) ? metadata.name : undefined;
  return typeof kind === 'string' && typeof name === 'string' ? addressOf(kind, name) : undefined;
}

function targetFinding(
  document: Document,
  known: ReadonlySet<Address>,
  { environment, missing }: Overlay,
): Diagnostic | undefined {
  const { origins } = document;
  const address = addressIn(document);
  if (address === undefined) {
    const message = 'An overlay must say which manifest it changes: it needs `kind` and `metadata.name`.';
    return { severity: 'error', code: 'overlay-shape', message, origin: origins.value('') };
  }
  if (known.has(address) || missing === 'ignored') return undefined;
  const message = `The overlay of environment "${environment}" changes ${address}, which no manifest describes.`;
  const add = `To add an object in this environment only, put its manifest below \`environments.${environment}.manifests\`.`;
  const nearest = nearestHint(address, [...known]);
  const hint = nearest === undefined ? add : `${nearest} ${add}`;
  return { severity: 'error', code: 'overlay-target', message, hint, origin: origins.value('/metadata/name') };
}
