import type { Catalog } from '#core/catalog.js';
import type { Bound } from '#core/engine/bind.js';
import { diffSpec } from '#core/engine/diff.js';
import { baseOf } from '#core/engine/field-base.js';
import { matchKey, type SchemaNode, traitsOf } from '#core/model/fields.js';
import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import { dottedPath, pointerTo } from '#core/model/pointer.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import type { Edit, Place } from './edits.js';

/** Returns the edits that add to a manifest all that drifted since the ledger recorded it, if not named yet. */
export function driftEdits({ manifest }: Bound, fact: ObjectFact, found: LiveManifest, catalog: Catalog): Edit[] {
  const { schema, grow } = catalog.knownKind(found.kind);
  if (grow !== undefined) return [];
  const untouched = [...(manifest.metadata.ignore ?? []), ...found.heldBack.map(({ path }) => path)];
  const [written, desired, live] = [manifest.spec, baseOf(schema, fact), found.live.spec];
  return driftInObject({ node: schema as SchemaNode, written, desired, live, at: '' }, new Set(untouched));
}

function driftInObject(
  { node, written, desired: base, live, at }: Place<JsonObject>,
  untouched: ReadonlySet<string>,
): Edit[] {
  return Object.keys(base).flatMap((field): Edit[] => {
    const pointer = pointerTo(at, field);
    const [own, was, is] = [written[field], base[field], live[field]];
    const inner = node?.properties?.[field];
    if (untouched.has(dottedPath(pointer)) || was === undefined) return [];
    if (own !== undefined)
      return driftInValue({ node: inner, written: own, desired: was, live: is ?? null, at: pointer }, untouched);
    if (!differs(inner, was, is)) return [];
    const now = is ?? traitsOf(inner).serverDefault ?? null;
    const value =
      isObject(was) && isObject(now) && inner?.properties !== undefined ? driftedPart(inner, was, now) : now;
    return [{ is: 'set', pointer, value, isNew: true }];
  });
}

function driftInValue({ node, written, desired: base, live, at }: Place<Json>, untouched: ReadonlySet<string>): Edit[] {
  if (isObject(written) && isObject(base) && isObject(live) && node?.properties !== undefined)
    return driftInObject({ node, written, desired: base, live, at }, untouched);
  const { keyed } = traitsOf(node);
  if (keyed === undefined || !Array.isArray(written) || !Array.isArray(base) || !Array.isArray(live)) return [];
  const entryOf = (list: readonly Json[], entry: Json): Json | undefined =>
    list.find((one) => matchKey(one, keyed) === matchKey(entry, keyed));
  return (written as readonly Json[]).flatMap((own, index): Edit[] => {
    const [was, is] = [entryOf(base, own), entryOf(live, own)];
    if (!isObject(own) || !isObject(was) || !isObject(is)) return [];
    const place = { node: node?.items, written: own, desired: was, live: is, at: pointerTo(at, index) };
    return driftInObject(place, untouched);
  });
}

/** Returns the drifted fields of a nested object that the manifest does not have. */
const driftedPart = ({ properties = {} }: SchemaNode, was: JsonObject, is: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(was).flatMap(([field, value]): [string, Json][] => {
      const now = is[field] ?? traitsOf(properties[field]).serverDefault ?? null;
      return differs(properties[field], value, now) ? [[field, now]] : [];
    }),
  );

const differs = (node: SchemaNode | undefined, was: Json, is: Json | undefined): boolean =>
  diffSpec({ properties: { field: node } }, { field: was }, is === undefined ? {} : { field: is }).length > 0;
