import type { Row } from '#base/sqlite/sqlite.js';
import { links, linksTo } from '../routes/schemas.js';
import type { TSchema } from '../routes/type.js';
import type { AnswerContext, FieldFactory, StoredRecord } from './field.js';

/** A field computed in SQL from a record with the alias `t`; searches compare the same expression. */
export function computed(
  sql: string,
  answer: TSchema,
  read: (row: Row, column: string) => unknown,
): FieldFactory<undefined> {
  return (name) => ({
    name,
    selects: [`${sql} AS "${name}"`],
    searched: { [name]: sql },
    answer,
    show: (row) => read(row, name),
  });
}

/** A field derived from the other fields of a record. */
export function derived<R = StoredRecord>(
  answer: TSchema,
  show: (record: R & StoredRecord, row: Row, viewing: AnswerContext) => unknown,
): FieldFactory<undefined> {
  return (name) => ({
    name,
    answer,
    show: (row, viewing, record) => show(record() as R & StoredRecord, row, viewing),
  });
}

/** A field with the same value in every record. */
export const constant = (value: unknown, answer: TSchema): FieldFactory<undefined> => derived(answer, () => value);

/** The link to the record itself. */
export const link = (path: string): FieldFactory<undefined> =>
  derived(links, ({ guid }, _, { workspace }) => linksTo(workspace, `${path}/${guid}`));
