/**
 * What a module with a kind of one's own is written with: `import { defineKind, object, Type } from 'dexsync/kind'`. A
 * project lists such modules under `kinds` in its configuration; they are loaded with `--trust` alone.
 */

export { defineKind, type KindDefinition } from './kinds/define-kind.js';
export type { KindEndpoints } from './model/collection.js';
export {
  caselessText,
  keyedList,
  type ListOptions,
  object,
  openEnum,
  type RefOptions,
  ref,
  serverDefault,
  set,
} from './model/fields.js';
export type { Json, JsonObject } from './model/json.js';
export {
  type Children,
  deadReference,
  type Growth,
  type Guid,
  type Kind,
  type NameContext,
  type SpecFinding,
  type WireContext,
} from './model/kind.js';
export type { Capability, Observed } from './model/observation.js';
export { type Static, Type } from './model/schema.js';
