/** The types of JSON schema, as messages call them. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  null: 'nothing',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'a map',
  string: 'text',
};

/** The type of a value of JSON that is not null. */
export const jsonType = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** What a value is, as messages say it. */
export const typeName = (value: unknown): string =>
  value === null || value === '' ? 'empty' : (TYPE_NAMES[jsonType(value)] ?? 'something else');
