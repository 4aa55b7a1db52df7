import { textWidth } from './text-width.js';

/** The icon before a line that is written over, and what listr2 keeps free after it. */
const ICON = 4;
/** An address keeps so much, however long the rest is. */
const LEAST = 20;

/** A line that begins with an address, as one line of the terminal: a long address ends in an ellipsis before its rest is cut. */
export function fitAddress(line: string, address: string, width: number | undefined): string {
  const rest = line.slice(address.length);
  const room = Math.max(LEAST, (width ?? Number.POSITIVE_INFINITY) - ICON - textWidth(rest));
  if (textWidth(address) <= room) return line;
  let [cut, used] = ['', 1];
  for (const character of address) {
    used += textWidth(character);
    if (used > room) break;
    cut += character;
  }
  return `${cut.trimEnd()}…${rest}`;
}
