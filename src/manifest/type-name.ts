/** What a value is, as messages say it. */
export function typeName(value: unknown): string {
  if (value === null || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  return { object: 'a map', string: 'text', boolean: 'true or false' }[typeof value as string] ?? `a ${typeof value}`;
}
