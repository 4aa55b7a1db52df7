import { relative } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import { type FailedRowChoice, type KeptRunReport, readRunReport } from '#data/bulk/report/read-run-report.js';
import { findImport } from '#data/imports/find-import.js';
import type { KnownImport } from '#data/imports/known-imports.js';
import { failedFilesIn, reportFolder } from '#data/imports/report-folder.js';
import { readEntry } from '#ledger/history/history-entry.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { withoutRequest } from './list-imports.js';

/** An import, and which of its failed rows are read. */
export interface ImportReportOptions extends ProjectOptions, FailedRowChoice {
  /** The number of a run, or the name of an import. */
  readonly run: string;
}

/** The report of an import as it was kept. */
export interface ImportReport {
  readonly environment: string;
  readonly import: KnownImport;
  /** Who sent it, and on which machine, where the report was written; null in journals of old versions. */
  readonly applied: ApplyFacts | null;
  /** Where the report is, or would be, from the working folder. */
  readonly folder: string;
  /** Null if it is not there: `importErrors` fetches it from the service, and writes it. */
  readonly kept: KeptRunReport | null;
  /** The files with the failed rows, and those of them that somebody corrected, by their names in the folder. */
  readonly files: { readonly written: readonly string[]; readonly corrected: readonly string[] };
}

/** Reads the report of an import that was kept, with its failed rows. Sends no request; throws as `showImport` does. */
export async function importReport(
  { from, count, cause, ...options }: ImportReportOptions,
  host: Host,
): Promise<ImportReport> {
  const config = await openConfig(options, host);
  const found = await findImport(config, options, host);
  const folder = reportFolder({ project: config, workspace: found.workspace }, found.address, found.job.runs);
  const sent = await withJournals(config, options.environment, host, async ({ environment, journals }) => {
    const journal = journals[found.apply - 1];
    const read = journal === undefined ? undefined : await readEntry(journal);
    return { environment, applied: read?.entry.apply ?? null };
  });
  return {
    ...sent,
    import: withoutRequest(found),
    folder: relative(host.cwd, folder),
    kept: (await readRunReport(folder, omitUndefined({ from, count, cause }))) ?? null,
    files: await failedFilesIn(folder),
  };
}
