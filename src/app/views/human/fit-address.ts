import { textWidth } from './text-width.js';

/** Columns for the icon before a line, and for what listr2 keeps free after it. */
const ICON = 4;
/** Columns that an address keeps, however long the rest is. */
const LEAST = 20;

/** Fits a line that begins with an address into the terminal: shortens the address before the rest is cut. */
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
