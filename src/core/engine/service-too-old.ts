import type { Diagnostic } from '#base/diagnostics.js';
import type { Manifest } from '../model/document.js';
import { type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { releaseMonth } from '../model/release-month.js';

/** A part of a manifest that services before a release do not know. */
export interface Novelty {
  readonly manifest: Manifest;
  /** The pointer into the whole manifest, so that it can be found in the file. */
  readonly pointer: Pointer;
  readonly what: string;
  readonly since: string;
}

/** Finds everything that came with a release, so that the release is requested only where it matters. */
export function noveltiesIn(
  manifests: readonly Manifest[],
  typeOf: (kind: string) => Pick<Kind, 'schema' | 'since'> | undefined,
): Novelty[] {
  return manifests.flatMap((manifest) => {
    const type = typeOf(manifest.kind);
    const own = type?.since === undefined ? [] : [{ pointer: '/kind', what: manifest.kind, since: type.since }];
    const inSpec = walk(manifest.spec, type?.schema as SchemaNode | undefined, '/spec');
    return [...own, ...inSpec].map((found) => ({ manifest, ...found }));
  });
}

type Found = Omit<Novelty, 'manifest'>;

function walk(value: Json, schema: SchemaNode | undefined, pointer: Pointer): Found[] {
  if (schema === undefined) return [];
  if (typeof value === 'string') {
    const since = traitsOf(schema).since?.[value];
    return since === undefined ? [] : [{ pointer, what: value, since }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => walk(item, schema.items, pointerTo(pointer, index)));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    walk(entry, schema.properties?.[key], pointerTo(pointer, key)),
  );
}

/** Reports each novelty that the service is too old for. A release that cannot be parsed decides nothing. */
export function sinceFindings(novelties: readonly Novelty[], release: string, environment: string): Diagnostic[] {
  const has = releaseMonth(release);
  return novelties.flatMap(({ manifest, pointer, what, since }): Diagnostic[] => {
    const needs = releaseMonth(since);
    if (has === undefined || needs === undefined || has >= needs) return [];
    const message = `${manifest.address} uses ${what}, which requires release ${since}; environment "${environment}" runs ${release}.`;
    const hint = 'Remove it for this workspace, or wait until the workspace is updated.';
    return [{ severity: 'error', code: 'release-too-old', message, hint, origin: manifest.origins.value(pointer) }];
  });
}
