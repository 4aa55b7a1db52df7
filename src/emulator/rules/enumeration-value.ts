import { refuse } from './service-error.js';

/** Finds the enumeration value of a text, ignoring letter case; refuses an unknown text with 3006. */
export function choose<T extends string>(value: string, known: readonly T[], attribute: string): T {
  const found = known.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw refuse.option(value, attribute);
  return found;
}
