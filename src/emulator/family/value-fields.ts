import { nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { FieldValue, FieldValues } from '../store/items.js';
import type { StoredRecord, Unnamed } from './field.js';
import { json } from './json-fields.js';
import { hidden } from './traits.js';

/** Values by field or attribute name in one column, which is never shown as it is. */
export const fieldValues = (): Unnamed<FieldValues> => hidden(json<FieldValues>({ answer: Type.Unknown() }));

/** The same, of a family whose rules write it. */
export const ruledValues = (): Unnamed<FieldValues> => (name) => ({ ...fieldValues()(name), ruled: true, initial: {} });

/** What a record of a family with such a column holds. */
interface Valued extends StoredRecord {
  readonly fields: FieldValues;
}

/** A field that is kept among the `fields` of a record: imports write it there. */
function kept(answer: TSchema, show: (value: FieldValue | undefined) => unknown): Unnamed<undefined> {
  return (name) => ({
    name,
    searched: { [name]: `t.fields ->> '$.${name}'` },
    answer,
    show: (_, __, record) => show((record() as Valued).fields[name]),
  });
}

/** A text among the `fields` of a record, answered as null where there is none. */
export const keptText = (): Unnamed<undefined> =>
  kept(nullable(Type.String()), (value) => (typeof value === 'string' ? value : null));

/** A number among the `fields` of a record, answered as null where there is none. */
export const keptNumber = (): Unnamed<undefined> =>
  kept(nullable(Type.Number()), (value) => (typeof value === 'number' ? value : null));

/** A flag among the `fields` of a record, answered as false where there is none. */
export const keptFlag = (): Unnamed<undefined> => kept(Type.Boolean(), (value) => value === true);
