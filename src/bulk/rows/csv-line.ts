const SPECIAL = /[",\r\n]/;

/**
 * One row by RFC 4180, cells exactly as they are. Any line break within a cell is quoted, also one that is not of the kind
 * that ends rows, since readers take each for the end of a row. A lone empty cell is quoted: as a blank line it would not
 * be a row.
 */
export function csvLine(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  let line = '';
  for (let column = 0; column < cells.length; column += 1) {
    const cell = cells[column] ?? '';
    if (column > 0) line += ',';
    line += SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return `${line}\r\n`;
}
