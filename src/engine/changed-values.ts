import { type JsonObject, sameJson } from '../model/json.js';
import { normalForm } from './normal-form.js';
import { mapReferences } from './references.js';

/**
 * Top-level fields of `now` that are not as they were, apart from what they refer to: while a plan is carried out, its own
 * steps rename and replace what an object refers to.
 */
export function changedValues(schema: object, before: JsonObject, now: JsonObject): string[] {
  const [was, is] = [before, now].map(
    (spec) =>
      normalForm(
        schema,
        mapReferences(schema, spec, () => ''),
      ) as JsonObject,
  ) as [JsonObject, JsonObject];
  return Object.keys(is).filter((field) => !sameJson(was[field], is[field]));
}
