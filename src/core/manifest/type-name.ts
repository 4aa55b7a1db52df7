/** The types of JSON schema, as messages name them. */
export const TYPE_NAMES = {
  array: 'a list',
  null: 'nothing',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a map',
  string: 'text',
} as const;

/** A type of JSON schema. */
export type TypeName = keyof typeof TYPE_NAMES;

/** The JSON type of a value that is not null. */
export const jsonType = (value: unknown): TypeName => (Array.isArray(value) ? 'array' : (typeof value as TypeName));

/** The type of a value, as messages name it. */
export const typeName = (value: unknown): string =>
  value === null || value === '' ? 'empty' : TYPE_NAMES[jsonType(value)];
