import { diffSpec } from '#core/engine/diff.js';
import { fingerprint, withoutLookups } from '#core/engine/normal-form.js';
import { type ImportDefinitionSpec, importDefinition } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';

/** A definition as it will be after the plan, and the part of it that decides whether rows are the same. */
export interface Definition {
  readonly spec: ImportDefinitionSpec;
  readonly content: JsonObject;
  /** Of the live definition; absent if there was none when the plan was created. */
  readonly fingerprint?: string;
}

const { schema } = importDefinition;

/**
 * The part that decides whether rows are the same: a spec that is known to have been asked for, if the definition still
 * matches it, so that rows stay the same work whether or not a plan includes its manifest; otherwise all of it.
 */
export function definitionContent(live: JsonObject, asked: readonly (JsonObject | undefined)[]): JsonObject {
  const now = withoutLookups(schema, live);
  const isAsAsked = (spec: JsonObject): boolean => diffSpec(schema, withoutLookups(schema, spec), now).length === 0;
  return asked.find((spec) => spec !== undefined && isAsAsked(spec)) ?? now;
}

/** The fingerprint of what a definition does with rows. */
export const fingerprintDefinition = ({ description: _, ...rest }: JsonObject): string => fingerprint(schema, rest);
