import { nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import { text as textIn, textOrNull } from '../store/select.js';
import { columnField, type InColumn } from './column-field.js';
import type { FieldFactory } from './field.js';

/** A text that is never null. */
export const plainText = (options: InColumn & { readonly declaration?: string } = {}): FieldFactory<string> =>
  columnField({ declaration: 'TEXT NOT NULL', answer: Type.String(), read: textIn, ...options });

/** A text that is empty if a request leaves it out or gives null. */
export const text = (): FieldFactory<string> => {
  const field = plainText();
  const schema = Type.Optional(nullable(Type.String()));
  return (attribute) => ({
    ...field(attribute),
    given: { schema, parse: (value) => (value as string | null | undefined) ?? '' },
    initial: '',
  });
};

/** A text that is null unless a request gives it. */
export const optionalText = (): FieldFactory<string | null> => {
  const field = nullableText();
  const schema = Type.Optional(nullable(Type.String()));
  return (attribute) => ({
    ...field(attribute),
    given: { schema, parse: (value) => (value as string | null | undefined) ?? null },
    initial: null,
  });
};

/** A text or null. */
export const nullableText = (options: InColumn = {}): FieldFactory<string | null> =>
  columnField({ declaration: 'TEXT', answer: nullable(Type.String()), read: textOrNull, ...options });

/** A text that every request must give and that is not blank. */
export const name = (declaration = 'TEXT NOT NULL COLLATE NOCASE'): FieldFactory<string> => {
  const field = plainText({ declaration });
  return (attribute) => ({
    ...field(attribute),
    given: { schema: Type.String(), parse: (value) => filled(value as string, attribute) },
  });
};

function filled(value: string, attribute: string): string {
  if (value.trim() === '') throw refuse.empty(attribute);
  return value;
}
