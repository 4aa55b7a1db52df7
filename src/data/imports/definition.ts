import { diffSpec } from '#core/engine/diff.js';
import { fingerprint, withoutLookups } from '#core/engine/normal-form.js';
import { type ImportDefinitionSpec, importDefinition } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';

/** The definition as it is once the plan was applied, and the part of it that decides whether rows are the same. */
export interface Definition {
  readonly spec: ImportDefinitionSpec;
  readonly content: JsonObject;
  /** Of the live definition; absent where there was none when the plan was made. */
  readonly fingerprint?: string;
}

const { schema } = importDefinition;

/**
 * What decides whether rows are the same: what is known to have been asked of the definition, where it is still like that,
 * so that rows stay the same work whether or not a plan looks at its manifest; otherwise all that it holds.
 */
export function contentOf(live: JsonObject, asked: readonly (JsonObject | undefined)[]): JsonObject {
  const now = withoutLookups(schema, live);
  const isAsAsked = (spec: JsonObject): boolean => diffSpec(schema, withoutLookups(schema, spec), now).length === 0;
  return asked.find((spec) => spec !== undefined && isAsAsked(spec)) ?? now;
}

/** The fingerprint of a definition as far as its rows go. */
export const fingerprintOf = ({ description: _, ...rest }: JsonObject): string => fingerprint(schema, rest);
