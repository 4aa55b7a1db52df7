import type { JsonObject } from '../model/json.js';
import type { FieldChange } from '../model/plan.js';
import { diffSpec } from './diff.js';

export interface ThreeWays {
  readonly desired: JsonObject;
  readonly applied: JsonObject;
  readonly observed: JsonObject;
}

/** Says of each difference between manifest and workspace which of the two left what was last applied. */
export function withCauses(
  schema: object,
  fields: readonly FieldChange[],
  { desired, applied, observed }: ThreeWays,
): FieldChange[] {
  const before = Object.fromEntries(Object.entries(applied).filter(([, value]) => value !== null));
  const asked = diffSpec(schema, desired, before);
  const drifted = diffSpec(schema, applied, observed);
  return fields.map((field) => {
    if (!drifted.some(({ path }) => related(path, field.path))) return { ...field, cause: 'asked' };
    if (!asked.some(({ path }) => related(path, field.path))) return { ...field, cause: 'drift' };
    const applied = drifted.find(({ path }) => path === field.path)?.after;
    return { ...field, cause: 'both', ...(applied === undefined ? {} : { applied }) };
  });
}

/** The same place, or one inside the other. */
const related = (a: string, b: string): boolean => a === b || isWithin(a, b) || isWithin(b, a);

const isWithin = (inner: string, outer: string): boolean =>
  inner.startsWith(outer) && ['.', '['].includes(inner.charAt(outer.length));
