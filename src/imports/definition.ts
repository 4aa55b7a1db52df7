import { diffSpec } from '../engine/diff.js';
import { type ImportDefinitionSpec, importDefinition } from '../kinds/import-definition.js';
import type { JsonObject } from '../model/json.js';

/** The definition as it is once the plan was applied, and the part of it that decides whether rows are the same. */
export interface Definition {
  readonly spec: ImportDefinitionSpec;
  readonly content: JsonObject;
}

/**
 * What decides whether rows are the same: what is known to have been asked of the definition, where it is still like that,
 * so that rows stay the same work whether or not a plan looks at its manifest; otherwise all that it holds.
 */
export const contentOf = (live: JsonObject, asked: readonly (JsonObject | undefined)[]): JsonObject =>
  asked.find((spec) => spec !== undefined && diffSpec(importDefinition.schema, spec, live).length === 0) ?? live;
