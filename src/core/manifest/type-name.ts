/** The types of JSON schema, as messages call them. */
export const TYPE_NAMES = {
  array: 'a list',
  null: 'nothing',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a map',
  string: 'text',
} as const;

/** One of them. */
export type TypeName = keyof typeof TYPE_NAMES;

/** The type of a value of JSON that is not null. */
export const jsonType = (value: unknown): TypeName => (Array.isArray(value) ? 'array' : (typeof value as TypeName));

/** What a value is, as messages say it. */
export const typeName = (value: unknown): string =>
  value === null || value === '' ? 'empty' : TYPE_NAMES[jsonType(value)];
