import { nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { choose } from '../rules/enumeration-value.js';
import { flag as flagIn, number } from '../store/select.js';
import { columnField, type InColumn } from './column-field.js';
import type { FieldFactory } from './field.js';
import { plainText } from './text-fields.js';

/** A whole number or null. */
export const nullableNumber = (): FieldFactory<number | null> =>
  columnField({
    declaration: 'INTEGER',
    answer: nullable(Type.Integer()),
    read: (row, column) => (row[column] === null ? null : number(row, column)),
  });

/** True or false; `otherwise` if a request does not give it. */
export const flag = (
  otherwise: boolean,
  options: InColumn & { readonly declaration?: string } = {},
): FieldFactory<boolean> => {
  const field = columnField<boolean>({
    declaration: 'INTEGER NOT NULL',
    answer: Type.Boolean(),
    read: flagIn,
    write: Number,
    ...options,
  });
  return (attribute) => ({
    ...field(attribute),
    given: { schema: Type.Optional(Type.Boolean()), parse: (value) => (value ?? otherwise) as boolean },
    initial: otherwise,
  });
};

/** The number of an entry of a numbered family, which its table counts. */
export const serial = (): FieldFactory<undefined> => (attribute) => ({
  name: attribute,
  searched: { [attribute]: 't.number' },
  answer: Type.Integer(),
  show: (row) => number(row, 'number'),
});

/** A whole number that the service counts. */
export const count = (initial: number, options: InColumn = {}): FieldFactory<number> => {
  const field = columnField({ declaration: 'INTEGER NOT NULL', answer: Type.Integer(), read: number, ...options });
  return (attribute) => ({ ...field(attribute), initial });
};

/** One of several words, ignoring letter case; a request that leaves it out means `otherwise`, if there is one. */
export function choice<const W extends string>(words: readonly W[], otherwise?: W): FieldFactory<W> {
  const field = plainText();
  return (attribute) => ({
    ...(field(attribute) as ReturnType<FieldFactory<W>>),
    given: {
      schema: otherwise === undefined ? Type.String() : Type.Optional(Type.String()),
      parse: (value) => choose((value ?? otherwise) as string, words, attribute),
    },
  });
}
