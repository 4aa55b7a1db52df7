import { refuse } from './service-error.js';

/** The value of an enumeration that a text means, letter case aside; refuses with 3006 a text that means none. */
export function choose<T extends string>(value: string, known: readonly T[], attribute: string): T {
  const found = known.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw refuse.option(value, attribute);
  return found;
}
