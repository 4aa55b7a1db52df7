/** One JSON document, as every `--json` that is no stream prints it. */
export const jsonDocument = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
