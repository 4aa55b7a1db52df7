import { type JsonObject, sameJson } from '../model/json.js';
import { diffSpec } from './diff.js';
import { normalForm } from './normal-form.js';

/** Where two states of one object differ, whichever of them has the field. */
export function changedPaths(schema: object, before: JsonObject, after: JsonObject): string[] {
  const paths = [...diffSpec(schema, after, before), ...diffSpec(schema, before, after)].map(({ path }) => path);
  if (paths.length > 0) return [...new Set(paths)];
  // What only differs by a value that the service fills in.
  const [was, is] = [normalForm(schema, before) as JsonObject, normalForm(schema, after) as JsonObject];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => !sameJson(was[field], is[field]));
}
