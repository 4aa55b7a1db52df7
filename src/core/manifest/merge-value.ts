import type { Diagnostic } from '#base/diagnostics.js';
import type { Origins } from '../model/document.js';
import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import type { Place } from './layered-origins.js';

/** Marks values that an overlay deletes or replaces as a whole; the key and its values are those of Kubernetes. */
export const PATCH = '$patch';
/** Marks entries that an overlay adds to a list. */
export const ADD = '$add';
/** Marks entries that an overlay removes from a list. */
export const REMOVE = '$remove';

/** The merge result for a value that an overlay deletes. */
export const DELETED = Symbol('deleted');

/** Both documents, and everything found while their values are merged. */
export interface MergeContext {
  readonly base: Origins;
  readonly overlay: Origins;
  /** The places where the parts of the result were written. */
  readonly places: Map<Pointer, Place>;
  readonly found: Diagnostic[];
  /** Whether changing or deleting something that does not exist is an error. */
  readonly missing: 'refused' | 'ignored';
}

/** The pointers to both values and to the merged one in their documents. */
interface At {
  readonly base: Pointer;
  readonly overlay: Pointer;
  readonly merged: Pointer;
}

/** A value and its overlay, with the schema of both. */
export interface Sides {
  /** Undefined if there is none. */
  readonly base: Json | undefined;
  readonly overlay: Json;
  readonly schema: SchemaNode | undefined;
}

export const ROOT: At = { base: '', overlay: '', merged: '' };

/**
 * Merges maps member by member and lists with keys entry by entry; any other overlay replaces the base. `null` is a
 * value as in any manifest. Values that cannot be merged are reported as errors.
 */
export function mergeValue({ base, overlay, schema }: Sides, at: At, merging: MergeContext): Json | typeof DELETED {
  if (isObject(overlay) && PATCH in overlay) return marked({ base, overlay, schema }, at, merging);
  if (isObject(overlay) && (ADD in overlay || REMOVE in overlay)) return changeList(base, overlay, at, merging);
  if (isObject(overlay) && isObject(base)) return mergeMaps(base, overlay, schema, at, merging);
  const { keyed } = traitsOf(schema);
  if (keyed !== undefined && Array.isArray(overlay) && Array.isArray(base))
    return mergeEntries(base, overlay, { by: keyed, schema: schema?.items }, at, merging);
  merging.places.set(at.merged, { origins: merging.overlay, pointer: at.overlay });
  if (isObject(overlay)) return mergeMaps({}, overlay, schema, at, merging);
  return Array.isArray(overlay) ? mergeEntries([], overlay, { by: [], schema: schema?.items }, at, merging) : overlay;
}

function marked({ base, overlay, schema }: Sides, at: At, merging: MergeContext): Json | typeof DELETED {
  const { [PATCH]: how, ...rest } = overlay as JsonObject;
  const marker = pointerTo(at.overlay, PATCH);
  if (how === 'delete') {
    if (base === undefined) return notThere('There is nothing here that this overlay could delete.', marker, merging);
    return DELETED;
  }
  if (how === 'merge') return mergeValue({ base, overlay: rest, schema }, at, merging);
  if (how === 'replace') return mergeValue({ base: undefined, overlay: rest, schema }, at, merging);
  const message = `\`${PATCH}\` is \`delete\`, \`replace\` or \`merge\`.`;
  merging.found.push({ severity: 'error', code: 'overlay-marker', message, origin: merging.overlay.value(marker) });
  return null;
}

function notThere(message: string, at: Pointer, { overlay, found, missing }: MergeContext): typeof DELETED {
  if (missing === 'ignored') return DELETED;
  const hint = 'Correct the name in the overlay, or remove this part of it.';
  found.push({ severity: 'error', code: 'overlay-missing', message, hint, origin: overlay.value(at) });
  return DELETED;
}

function mergeMaps(
  base: JsonObject,
  overlay: JsonObject,
  schema: SchemaNode | undefined,
  at: At,
  merging: MergeContext,
): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(overlay)) {
    const inner = {
      base: pointerTo(at.base, key),
      overlay: pointerTo(at.overlay, key),
      merged: pointerTo(at.merged, key),
    };
    const own = Object.hasOwn(base, key) ? base[key] : undefined;
    const result = mergeValue({ base: own, overlay: value, schema: schema?.properties?.[key] }, inner, merging);
    if (result === DELETED) delete merged[key];
    else merged[key] = result;
  }
  return merged;
}

interface Keyed {
  readonly by: readonly string[];
  readonly schema: SchemaNode | undefined;
}

/** Merges the entries that both lists have in place, and appends the other entries of the overlay. */
function mergeEntries(
  base: readonly Json[],
  overlay: readonly Json[],
  { by, schema }: Keyed,
  at: At,
  merging: MergeContext,
): Json[] {
  const targets = overlay.map((entry, index) => targetOf(entry, base, by, pointerTo(at.overlay, index), merging));
  const merged: Json[] = [];
  const lay = (entry: Json | undefined, from: number, to: number): void => {
    const out = pointerTo(at.merged, merged.length);
    const inner = { base: pointerTo(at.base, from), overlay: pointerTo(at.overlay, to), merged: out };
    const result = mergeValue({ base: entry, overlay: overlay[to] as Json, schema }, inner, merging);
    if (result === DELETED) merging.places.delete(out);
    else merged.push(result);
  };
  for (const [index, entry] of base.entries()) {
    const out = pointerTo(at.merged, merged.length);
    merging.places.set(out, { origins: merging.base, pointer: pointerTo(at.base, index) });
    const to = targets.indexOf(index);
    if (to < 0) merged.push(entry);
    else lay(entry, index, to);
  }
  for (const [index, target] of targets.entries()) if (target === 'none') lay(undefined, base.length, index);
  return merged;
}

/** Finds the base entry that an overlay entry refers to: the one that has the given values of its keys. */
function targetOf(
  entry: Json,
  base: readonly Json[],
  by: readonly string[],
  at: Pointer,
  { overlay, found }: MergeContext,
): number | 'none' | 'several' {
  const exact = base.findIndex((other) => matchKey(other, by) === matchKey(entry, by));
  if (exact >= 0) return exact;
  const given = isObject(entry) ? by.filter((field) => entry[field] !== undefined) : [];
  const fits = base.flatMap((other, index) =>
    given.length > 0 && given.every((field) => matchKey(other, [field]) === matchKey(entry, [field])) ? [index] : [],
  );
  const [first, second] = fits;
  if (second === undefined) return first ?? 'none';
  const message = `${fits.length} entries of the manifest have "${entryKey(entry, by)}".`;
  const hint = `Name the entry by more of its keys: ${by.join(', ')}.`;
  found.push({ severity: 'error', code: 'overlay-ambiguous', message, hint, origin: overlay.value(at) });
  return 'several';
}

/** Applies `{ $add: [...], $remove: [...] }` to a list whose entries have no keys. */
function changeList(base: Json | undefined, overlay: JsonObject, at: At, merging: MergeContext): Json {
  const { [ADD]: added = [], [REMOVE]: removed = [], ...rest } = overlay;
  const list = base === undefined || base === null ? [] : base;
  const wrong =
    !Array.isArray(list) || !Array.isArray(added) || !Array.isArray(removed) || Object.keys(rest).length > 0;
  if (wrong) {
    const message = `\`${ADD}\` and \`${REMOVE}\` are lists, stand alone, and change a list.`;
    const origin = merging.overlay.value(at.overlay);
    merging.found.push({ severity: 'error', code: 'overlay-marker', message, origin });
    return null;
  }
  const isIn = (some: readonly Json[], entry: Json): boolean => some.some((other) => sameJson(other, entry));
  for (const [index, entry] of removed.entries()) {
    if (isIn(list, entry)) continue;
    const place = pointerTo(pointerTo(at.overlay, REMOVE), index);
    notThere(`The list has no entry ${JSON.stringify(entry)} that could be removed.`, place, merging);
  }
  merging.places.set(at.merged, { origins: merging.overlay, pointer: at.overlay });
  return [...list.filter((entry: Json) => !isIn(removed, entry)), ...added.filter((entry: Json) => !isIn(list, entry))];
}
