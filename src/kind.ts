/**
 * The API for modules that define their own kinds: `import { defineKind, object, Type } from 'dexsync/kind'`. A project
 * lists such modules under `kinds` in its configuration; they are loaded only with `--trust`.
 */

export { type DefinedParts, type DefinedPlace, defineKind, type KindDefinition } from './core/kinds/define-kind.js';
export type { AuditRecord } from './core/model/audit-record.js';
export type { Collection, KindEndpoints } from './core/model/collection.js';
export {
  caselessText,
  keyedList,
  type ListOptions,
  object,
  openEnum,
  type RefOptions,
  type RefTrait,
  ref,
  serverDefault,
  set,
  type Traits,
} from './core/model/fields.js';
export type { Json, JsonObject } from './core/model/json.js';
export {
  type Children,
  deadReference,
  type Growth,
  type Guid,
  type Kind,
  type Members,
  type NameContext,
  type Named,
  type OwnEntries,
  type SpecFinding,
  type WireContext,
} from './core/model/kind.js';
export type { LiveIdentity } from './core/model/object-fact.js';
export type { Capability, Observed, Odd } from './core/model/observation.js';
export type { FieldChange } from './core/model/plan.js';
export type { Pointer } from './core/model/pointer.js';
export { type Static, Type } from './core/model/schema.js';
