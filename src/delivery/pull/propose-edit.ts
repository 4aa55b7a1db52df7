import { stringify } from 'yaml';
import type { Diagnostic } from '#base/diagnostics.js';
import { quoted } from '#base/printable.js';
import type { Catalog } from '#core/catalog.js';
import type { Bound } from '#core/engine/bind.js';
import { withoutReferences } from '#core/manifest/interpolate.js';
import { PATCH } from '#core/manifest/merge-value.js';
import { matchKey, type SchemaNode, traitsOf } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { dottedPath, type Pointer, pointerKeys } from '#core/model/pointer.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import type { Edited } from './edited-files.js';
import type { Edit } from './edits.js';

/** The environment that is pulled from, and the folder of its overlay, if it has one. */
export interface PulledFrom {
  readonly environment: string;
  readonly overlay?: string;
  readonly catalog: Catalog;
}

const REASONS: Readonly<Record<Exclude<Edited, 'made'>, string>> = {
  expression: 'its value is an expression',
  'for-each': 'one manifest describes several objects with `forEach`',
  unsafe: 'an anchor, an alias or an overlay gives the value',
};

/** Proposes to allow values that look like typos, where the metadata cannot be edited. */
export const proposeKnown = ({ manifest: { address, origins } }: Bound, why: Exclude<Edited, 'made'>): Diagnostic => ({
  severity: 'warning',
  code: 'edit-proposed',
  message: `${address} has values in the workspace that look like typos, and its metadata was not edited, because ${REASONS[why]}.`,
  hint: 'Add `known: any` to its metadata.',
  origin: origins.value('/metadata'),
});

/** Proposes the change that a person has to make, ready to be put into an overlay. */
export function proposeEdit(
  { manifest: { address, metadata, kind, origins, spec: written } }: Bound,
  found: LiveManifest,
  { pointer }: Edit,
  why: Exclude<Edited, 'made'>,
  { environment, overlay, catalog }: PulledFrom,
): Diagnostic {
  const { schema, otherwise: ofKind } = catalog.knownKind(kind);
  const otherwise = ofKind?.(found.whole) ?? {};
  const { keys, value } = overlayValue({ ...otherwise, ...found.whole }, pointer);
  const laid = withDeletions(value, keys, written, schema);
  const spec = keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), laid);
  const text = flowYaml(withoutReferences({ apiVersion: 'dexsync/v1', kind, metadata: { name: metadata.name }, spec }));
  const where =
    overlay === undefined
      ? `an overlay of environment "${environment}" (\`overlay:\` in sync.config.yaml)`
      : `the overlay ${overlay}`;
  const origin = origins.value(`/spec${pointer}`);
  const { row } = origin;
  const because = row === undefined ? REASONS[why] : `it comes from ${row}`;
  const source = row === undefined ? 'the source of the value' : 'it there, or in the manifest for all of its objects';
  return {
    severity: 'warning',
    code: 'edit-proposed',
    message: `${address}: ${dottedPath(pointer)} differs in environment "${environment}" and was not edited, because ${because}. The workspace has ${quoted(value)}.`,
    hint: `Change ${source}, or put this into ${where}: ${text}`,
    origin,
  };
}

/** Marks entries that are not live: an overlay keeps keyed entries of a list that it does not name. */
function withDeletions(value: Json, keys: readonly string[], written: JsonObject, schema: object): Json {
  const node = keys.reduce<SchemaNode | undefined>((at, key) => at?.properties?.[key], schema as SchemaNode);
  const own = keys.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), written);
  const { keyed } = traitsOf(node);
  if (keyed === undefined || !Array.isArray(value) || !Array.isArray(own)) return value;
  const live = new Set(value.map((entry: Json) => matchKey(entry, keyed)));
  const gone = own.filter((entry: Json) => isObject(entry) && !live.has(matchKey(entry, keyed))) as JsonObject[];
  const marks = gone.map((entry) => ({
    ...Object.fromEntries(keyed.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]]))),
    [PATCH]: 'delete',
  }));
  return [...value, ...marks];
}

/** Formats a value as YAML in one line, ready to paste. */
export const flowYaml = (value: Json): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/** Returns the value at a pointer, or the whole list around it: overlays cannot point into lists. */
function overlayValue(spec: JsonObject, pointer: Pointer): { keys: string[]; value: Json } {
  const keys: string[] = [];
  let value: Json = spec;
  for (const key of pointerKeys(pointer)) {
    if (!isObject(value)) break;
    keys.push(key);
    value = value[key] ?? null;
  }
  return { keys, value };
}
