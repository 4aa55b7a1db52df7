import { constant } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { RecordOf } from '../family/field.js';
import { name, plainText } from '../family/text-fields.js';
import { unique } from '../family/traits.js';
import { Type } from '../routes/type.js';

const fields = {
  name: unique(name(), 'a lifecycle phase'),
  shortName: plainText(),
  stage: plainText(),
  type: plainText(),
  active: constant(true, Type.Boolean()),
};

/** A stored phase, without `active`, since every phase here is active. */
export type LifecyclePhase = RecordOf<typeof fields>;

/** The lifecycle phases of items (wire-facts 7), which the interface lists, but does not read one by one. */
export const lifecyclePhases = family({
  path: '/settings/items/lifecyclephases',
  one: 'a lifecycle phase',
  many: 'lifecycle phases',
  table: 'lifecycle_phases',
  listOnly: true,
  fields,
  search: { name: 'text' },
  summaries: { list: 'List lifecycle phases' },
});
