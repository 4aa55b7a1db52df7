import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import { type Draft, flowText, withRemark } from './draft.js';
import { rowsText } from './rows-text.js';

const MOST_ROWS = 1000;

/** Adds a remark about lines without a quantity, which the service would give one. Reads the file if the BOM has quantities. */
export async function withEmptyQuantities(path: string, draft: Draft): Promise<Draft> {
  const column = draft.kind === 'BOM' ? draft.mapping.get('quantity') : undefined;
  if (column === undefined) return draft;
  const rows = await emptyIn(path, draft, column);
  if (rows.length === 0) return draft;
  const which = `${rowsText(rows)} ${rows.length === 1 ? 'has' : 'have'}`;
  const counted = countedBy(draft, column);
  return withRemark(draft, counted === undefined ? emptyText(which, column) : uncountedText(which, counted));
}

const emptyText = (which: string, column: string): string =>
  `Open: ${which} no quantity in "${column}", and the service decides about it. Fill the cells, or leave the rows out (\`where: { ${flowText(column)}: { not: "" } }\`).`;

const uncountedText = (which: string, counted: string): string =>
  `Open: ${which} no designators in "${counted}", so the service decides about the quantity. Add a column with quantities to the file and inspect it again, or leave the rows out (\`where: { ${flowText(counted)}: { not: "" } }\`).`;

/** The column with the designators that are the quantity. */
function countedBy({ source }: Draft, column: string): string | undefined {
  const made = source.columns?.[column];
  return typeof made === 'object' && 'count' in made ? made.count : undefined;
}

/** The lines without a quantity: rows that the source reads, below a parent. */
async function emptyIn(path: string, { source }: Draft, column: string): Promise<readonly number[]> {
  const { headers, rows } = await openSource(path, source);
  const place = findColumn(headers, column);
  if (place?.is !== 'at') return [];
  const found: number[] = [];
  for await (const { row, cells } of rows) {
    if ((cells[place.index] ?? '').trim() === '' && found.length < MOST_ROWS) found.push(row);
  }
  return found;
}
