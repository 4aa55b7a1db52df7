/**
 * Compares texts in the order that people expect: numbers count as numbers, so that `Group 2` comes before `Group 10`.
 * Other characters compare by code units, and no two texts are equal, so that the order is the same everywhere.
 */
export function naturalOrder(one: string, other: string): number {
  if (one === other) return 0;
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  let start = at;
  while (isDigit(one.charCodeAt(start - 1))) start -= 1;
  return numberOrder(numberAt(one, start), numberAt(other, start)) || (one < other ? -1 : 1);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The digits of the number at `start`, without leading zeros; undefined if there is none. */
function numberAt(text: string, start: number): string | undefined {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end === start ? undefined : text.slice(start, end).replace(/^0+/, '');
}

function numberOrder(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return 0;
  return one.length - other.length || (one === other ? 0 : one < other ? -1 : 1);
}

/** Sorts a copy of things in the natural order of their names, addresses or the like. */
export const inNaturalOrder = <T>(things: Iterable<T>, nameOf: (thing: T) => string): T[] =>
  [...things].sort((one, other) => naturalOrder(nameOf(one), nameOf(other)));
