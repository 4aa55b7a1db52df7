import type { RowSource } from '#core/jobs/source.js';
import type { TableRow } from '#core/manifest/row-table.js';
import type { FoundList, OpenList } from '#project/host.js';
import { FAULT_HINTS } from './source/cell-faults.js';
import { findFile } from './source/find-file.js';
import { findColumn } from './source/headers.js';
import { openSource } from './source/open-source.js';
import { rowLabel, rowPlace } from './source/row-place.js';
import { nameOfTable, type SourceRow, type SourceTable } from './source/source-table.js';

/** Finds the list at a path that manifests come from: a host's port to the readers of files. */
export async function findList(path: string, source: RowSource): Promise<FoundList> {
  const found = await findFile(path, source);
  return { path: found.path, open: () => openList(found.path, { ...source, file: found.file }) };
}

async function openList(path: string, source: RowSource): Promise<OpenList> {
  const table = await openSource(path, source);
  const { headers } = table;
  return {
    name: nameOfTable(table),
    headers,
    find: (header) => findColumn(headers, header),
    batches: withHints(table),
    warnings: () => (table.notes?.() ?? []).filter(({ severity }) => severity === 'warning'),
  };
}

async function* withHints(table: SourceTable): AsyncGenerator<readonly TableRow[]> {
  const placed = ({ row, cells }: SourceRow): TableRow => ({
    row: table.worksheets === undefined ? row : rowLabel(rowPlace(table, row)),
    cells,
  });
  for await (const rows of table.batches) {
    yield rows.map(({ faults, ...row }) =>
      faults === undefined
        ? placed(row)
        : { ...placed(row), faults: faults.map((one) => ({ ...one, hint: FAULT_HINTS[one.code] })) },
    );
  }
}
