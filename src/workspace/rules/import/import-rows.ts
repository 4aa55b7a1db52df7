import type { Source, SourceRow } from '../../sources/source.js';
import type { Database } from '../../store/database.js';
import { ServiceError } from '../service-error.js';
import { BomMemory } from './bom-memory.js';
import type { Columns } from './columns.js';
import { importBomLine } from './import-bom-line.js';
import type { ImportContext } from './import-context.js';
import { importItem } from './import-item.js';
import type { Report } from './report.js';
import { readRow } from './row.js';

export interface Counts {
  readonly totalCount: number;
  readonly successCount: number;
  readonly errorCount: number;
}

/** What importing rows needs beside the context. */
export interface RowSupport {
  readonly data: Database;
  readonly columns: Columns;
  readonly report: Report;
  /** Called after every batch of rows. */
  readonly progress: (counts: Counts) => void;
}

/**
 * Applies all rows to the drafts. A row that the rules refuse leaves no trace but its line in the report; the others are
 * not affected. Nothing is stored: the transaction holds temporary tables only, so that the workspace stays writable.
 */
export async function importRows(source: Source, context: ImportContext, support: RowSupport): Promise<Counts> {
  const apply = applyFor(context, support);
  let counts: Counts = { totalCount: 0, successCount: 0, errorCount: 0 };
  support.data.exec('BEGIN');
  try {
    for await (const batch of source.batches) {
      const failed = batch.filter((row) => !apply(row)).length;
      counts = {
        totalCount: counts.totalCount + batch.length,
        successCount: counts.successCount + batch.length - failed,
        errorCount: counts.errorCount + failed,
      };
      support.progress(counts);
    }
    support.data.exec('COMMIT');
    return counts;
  } catch (error) {
    support.data.exec('ROLLBACK');
    throw error;
  }
}

/** A function that applies one row and says whether it could. */
function applyFor(context: ImportContext, { data, columns, report }: RowSupport): (row: SourceRow) => boolean {
  const memory = new BomMemory(context.lines);
  return (source) => {
    data.run('SAVEPOINT row');
    memory.startRow();
    try {
      const row = readRow(source, columns, context.options);
      if (context.definition.resource === 'ITEM_SPECS') importItem(row, context);
      else importBomLine(row, context, memory);
      data.run('RELEASE row');
      report.success(source);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.details[0]) throw error;
      data.run('ROLLBACK TO row');
      data.run('RELEASE row');
      memory.undoRow();
      report.failure(source, error.details[0], numberOf(source, context, columns));
      return false;
    }
  };
}

/** The number of the item that a row names by GUID. */
function numberOf(source: SourceRow, { items }: ImportContext, { columns }: Columns): string | undefined {
  const guid = columns.find((column) => column.target.key === 'guid');
  return guid && items.byGuid((source.cells[guid.index] ?? '').trim().toUpperCase())?.number;
}
