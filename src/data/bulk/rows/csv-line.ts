const SPECIAL = /[",\r\n]/;
const [COMMA, RETURN, LINE_FEED] = [0x2c, 0x0d, 0x0a];

/** Maximum bytes in UTF-8 for a unit of UTF-16, quoted or not. */
const MOST_BYTES = 3;
/** Two quotes, and the delimiter or line break after a cell. */
const AROUND_CELL = 4;

/**
 * Formats one row by RFC 4180, with cells exactly as they are. Quotes any kind of line break within a cell, since
 * readers take each for the end of a row. Quotes a lone empty cell: as a blank line it would not be a row.
 */
export function csvLine(cells: readonly string[]): string {
  return isBlankLine(cells) ? '""\r\n' : `${cells.map(csvCell).join(',')}\r\n`;
}

const isBlankLine = (cells: readonly string[]): boolean => cells.length === 1 && cells[0] === '';

const csvCell = (cell: string): string => (SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Maximum number of bytes that `writeCsvLine` needs for a row. */
export function mostCsvBytes(cells: readonly string[]): number {
  let most = AROUND_CELL;
  for (const cell of cells) most += cell.length * MOST_BYTES + AROUND_CELL;
  return most;
}

/** Writes `csvLine` in UTF-8 at `start` and returns its end. Most cells are ASCII, which needs no encoding. */
export function writeCsvLine(bytes: Buffer, start: number, cells: readonly string[]): number {
  if (isBlankLine(cells)) return start + bytes.write(csvLine(cells), start);
  let at = start;
  for (let column = 0; column < cells.length; column += 1) {
    const cell = cells[column] ?? '';
    if (column > 0) bytes[at++] = COMMA;
    const end = writeAscii(bytes, at, cell);
    at = end === undefined ? at + bytes.write(csvCell(cell), at) : end;
  }
  bytes[at] = RETURN;
  bytes[at + 1] = LINE_FEED;
  return at + 2;
}

/** By character code: 1 for a single byte that needs no quotes. */
const IS_PLAIN = Uint8Array.from({ length: 128 }, (_, code) => (SPECIAL.test(String.fromCharCode(code)) ? 0 : 1));

function writeAscii(bytes: Buffer, start: number, cell: string): number | undefined {
  const { length } = cell;
  for (let index = 0; index < length; index += 1) {
    const code = cell.charCodeAt(index);
    if (IS_PLAIN[code] !== 1) return undefined;
    bytes[start + index] = code;
  }
  return start + length;
}
