import { nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { FieldValue, FieldValues } from '../store/items.js';
import type { FieldFactory, StoredRecord } from './field.js';
import { json } from './json-fields.js';
import { hidden } from './traits.js';

/** Values by field or attribute name in one column, which is never shown as it is. */
export const fieldValues = (): FieldFactory<FieldValues> => hidden(json<FieldValues>({ answer: Type.Unknown() }));

/** Like {@link fieldValues}, but written by the rules of the family. */
export const ruledValues = (): FieldFactory<FieldValues> => (name) => ({
  ...fieldValues()(name),
  ruled: true,
  initial: {},
});

/** A record of a family with such a column. */
interface Valued extends StoredRecord {
  readonly fields: FieldValues;
}

/** A field in the `fields` of a record, where imports write it. */
function kept(answer: TSchema, show: (value: FieldValue | undefined) => unknown): FieldFactory<undefined> {
  return (name) => ({
    name,
    searched: { [name]: `t.fields ->> '$.${name}'` },
    answer,
    show: (_, __, record) => show((record() as Valued).fields[name]),
  });
}

/** A text in the `fields` of a record; null if there is none. */
export const keptText = (): FieldFactory<undefined> =>
  kept(nullable(Type.String()), (value) => (typeof value === 'string' ? value : null));

/** A number in the `fields` of a record; null if there is none. */
export const keptNumber = (): FieldFactory<undefined> =>
  kept(nullable(Type.Number()), (value) => (typeof value === 'number' ? value : null));

/** A flag in the `fields` of a record; `otherwise` if there is none. */
export const keptFlag = (otherwise = false): FieldFactory<undefined> =>
  kept(Type.Boolean(), (value) => (typeof value === 'boolean' ? value : otherwise));
