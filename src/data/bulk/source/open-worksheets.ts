import { eachRow, type OpenedTable } from './open-table.js';
import { numberInSheets } from './row-place.js';
import type { SourceNote, SourceRow, SourceTable } from './source-table.js';

/** Opens one worksheet; undefined for a further one without a value. */
type OpenWorksheet = (name: string, first?: OpenedTable) => Promise<OpenedTable | undefined>;

/** Opens several worksheets with one header as one table: the first at once, each other one when its turn comes. */
export async function openWorksheets(names: readonly string[], open: OpenWorksheet): Promise<SourceTable> {
  const first = (await open(names[0] ?? '')) as OpenedTable;
  const notes: SourceNote[] = [];
  const batches = batchesOf(names, first, open, notes);
  const { worksheet: _, ...shared } = first;
  return { ...shared, worksheets: names, batches, rows: eachRow(batches), notes: () => notes };
}

async function* batchesOf(
  names: readonly string[],
  first: OpenedTable,
  open: OpenWorksheet,
  notes: SourceNote[],
): AsyncGenerator<readonly SourceRow[]> {
  for (const [index, name] of names.entries()) {
    const table = index === 0 ? first : await open(name, first);
    if (table === undefined) continue;
    const toNumber = (row: SourceRow): SourceRow => ({ ...row, row: numberInSheets(index, row.row) });
    for await (const batch of table.batches) yield index === 0 ? batch : batch.map(toNumber);
    notes.push(...(table.notes?.() ?? []));
  }
}
