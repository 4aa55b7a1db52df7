const MOST_ROWS = 10;

/** Such as `rows 3, 7 and 12 more`. */
export function rowsText(rows: readonly number[]): string {
  const shown = [...new Set(rows)].slice(0, MOST_ROWS);
  const more = new Set(rows).size - shown.length;
  return `${shown.length === 1 ? 'row' : 'rows'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
