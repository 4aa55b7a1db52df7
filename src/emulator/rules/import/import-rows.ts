import type { Source, SourceRow } from '../../sources/source.js';
import type { Database } from '../../store/database.js';
import { ServiceError } from '../service-error.js';
import type { Columns } from './columns.js';
import type { ImportContext } from './import-context.js';
import type { Importer } from './importer.js';
import { identityKeys } from './importer-for.js';
import { readRow } from './read-row.js';
import type { Report } from './report.js';

/** The numbers of rows that were read, succeeded and failed; blank rows are not counted. */
export interface Counts {
  readonly totalCount: number;
  readonly successCount: number;
  readonly errorCount: number;
}

/** The resources that importing rows needs besides the context. */
export interface RowSupport {
  readonly data: Database;
  readonly importer: Importer;
  readonly columns: Columns;
  readonly report: Report;
  /** Called after every batch of rows. */
  readonly progress: (counts: Counts) => void;
}

/**
 * Applies all rows to the drafts. A row that the rules refuse leaves only its line in the report; the others are not
 * affected. Nothing is stored: the transaction writes only temporary tables, so that the workspace stays writable.
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

/** Returns a function that applies one row and returns whether that succeeded. */
function applyFor(context: ImportContext, { importer, columns, report }: RowSupport): (row: SourceRow) => boolean {
  const identify = identifier(context, importer, columns);
  return (source) => {
    try {
      importer.apply(readRow(source, columns, context.options));
      context.data.keep();
      report.success(source);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.details[0]) throw error;
      context.data.undo();
      importer.undoRow?.();
      report.failure(source, error.details[0], identify(source));
      return false;
    }
  };
}

/** Returns a function that finds the number of a row's record for the report, even if the row names it by GUID. */
function identifier(context: ImportContext, importer: Importer, { columns }: Columns): (source: SourceRow) => string {
  const identity = identityKeys(context);
  const find = importer.find ?? ((guid: string) => context.items.byGuid(guid));
  const indexOf = (key: string): number => columns.find((column) => column.target.key === key)?.index ?? -1;
  const [number, guid] = [indexOf(identity.number), indexOf(identity.guid)];
  return ({ cells }) => {
    const shown = cells[number] ?? '';
    return shown === '' ? (find((cells[guid] ?? '').trim().toUpperCase())?.number ?? '') : shown;
  };
}
