/** A document of a manifest file: JSON is YAML, and such documents can be put one after the other. */
export const manifest = (kind: string, name: string, spec: object = {}, metadata: object = {}): string =>
  `${JSON.stringify({ apiVersion: 'dexsync/v1', kind, metadata: { name, ...metadata }, spec })}\n---\n`;

/** An import definition that maps columns of a file to fields of items: `{ Part: 'number' }`; attributes begin with `@`. */
export const itemsDefinition = (
  name: string,
  columns: Record<string, string> = { Part: 'number', Name: 'name' },
  mode = 'OVERWRITE',
): string =>
  manifest('ImportDefinition', name, {
    resource: 'ITEM_SPECS',
    mode,
    options: {
      mapping: Object.entries(columns).map(([sourceName, field]) => ({
        resource: 'ITEM_SPECS',
        ...(field.startsWith('@') ? { attribute: field.slice(1) } : { apiName: field }),
        sourceName,
      })),
    },
  });

/** The values of text that has one JSON value in each line. */
export const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
