import type { Roles } from './column.js';

const DITTO = /^(?:idem|id\.|ditto|dito|do\.|dto\.?|″|〃|"|''|同上)$/i;

/** Says which columns have marks for the value above, which would be read as values; undefined if none has. */
export function dittoProblem(roles: Roles): string | undefined {
  for (const { name, values } of roles.values()) {
    const mark = [...(values?.keys() ?? [])].find((value) => DITTO.test(value));
    if (mark !== undefined)
      return `${JSON.stringify(mark)} in "${name}" stands for the value above it. Write these values out in the file, and inspect it again.`;
  }
  return undefined;
}
