import { join, relative } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { splitAddress } from '#core/model/address.js';
import { canBeSentAlone } from '#core/model/import-resources.js';
import type { ReportFiles } from '#core/stream/import-event-schema.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { Host } from '#project/host.js';
import type { RunPart } from '../bulk/report/run-part.js';
import { writeRunReport } from '../bulk/report/write-run-report.js';
import { type Job, jobDefinition } from './job.js';
import { removeOldReports } from './old-reports.js';
import { failedFilesIn, reportFolder } from './report-folder.js';
import { errorsPath } from './run/run-errors.js';
import { findingsAt, shownSource } from './shown-source.js';

/**
 * Shows how an import ended. If rows failed or there are findings, also accounts for every row in files. The import is
 * done by then: files that cannot be written are only a warning.
 */
export async function accountFor(job: Job, outcome: ImportOutcome, host: Host): Promise<void> {
  const { facts } = job;
  const file = shownSource(job, host);
  const show = (shown: ImportOutcome, files?: ReportFiles): void =>
    host.emit({
      ...{ type: 'rows', address: facts.address, file },
      outcome: { ...shown, findings: findingsAt(file, shown.findings) },
      ...omitUndefined({ files }),
      ...(canBeSentAlone(jobDefinition(job)) ? {} : ({ retry: 'whole file' } as const)),
    });
  if (outcome.errors.count === 0 && outcome.findings.length === 0) return show(outcome);
  try {
    show(outcome, await writeReport(job, outcome, host));
  } catch (error) {
    return show({ ...outcome, findings: [...outcome.findings, reportNotWritten(error, job)] });
  }
  await removeOldReports(job.project, reportFolder(job, facts.address, outcome.runs));
}

async function writeReport(job: Job, outcome: ImportOutcome, host: Host): Promise<ReportFiles> {
  const { facts, prepared, workspace, openTable } = job;
  const { address, definition } = facts;
  const own = reportFolder(job, address, outcome.runs);
  const [corrected] = (await failedFilesIn(own)).corrected;
  if (corrected !== undefined) throw correctedFile(relative(host.cwd, join(own, corrected)));
  const files = await writeRunReport({
    ...{ folder: own, prepared, openTable, findings: outcome.findings },
    parts: outcome.counts.map((counts): RunPart => partOf(counts, outcome.outcome, errorsPath(prepared, counts))),
    causes: [outcome.errors.groups],
    facts: {
      ...{ address, definition: splitAddress(definition).name, workspace, outcome: outcome.outcome },
      ...(outcome.outcome === 'rejected' ? { reason: outcome.reason } : {}),
      at: host.clock().toISOString(),
      ...(canBeSentAlone(jobDefinition(job)) ? {} : ({ retry: 'whole file' } as const)),
    },
  });
  return fromHere(files, host.cwd);
}

const partOf = (
  counts: ImportOutcome['counts'][number],
  outcome: ImportOutcome['outcome'],
  errors: string,
): RunPart => ({
  ...counts,
  state: outcome === 'committed' ? 'committed' : 'validated',
  ...(counts.failed === 0 ? {} : { errors }),
});

function fromHere(files: ReportFiles, cwd: string): ReportFiles {
  const here = (path: string): string => relative(cwd, path);
  const { success, failed, unprocessed, json, page, workbook, counts } = files;
  return {
    ...(workbook === undefined ? {} : { workbook: { ...workbook, path: here(workbook.path) } }),
    ...{ success: here(success), failed: here(failed), unprocessed: here(unprocessed) },
    ...{ json: here(json), page: here(page), counts },
  };
}

/** Refuses to overwrite the work of a person. */
const correctedFile = (path: string): DexsyncError =>
  new DexsyncError('USAGE', `${path} was changed after it was written.`, {
    hint: 'Use `dexsync import retry RUN` to send its rows once the others are committed, or move the file away to have it written again.',
  });

function reportNotWritten(error: unknown, { prepared: { file } }: Job): ImportOutcome['findings'][number] {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The report files of ${file} could not be written: ${why}`;
  const hint = error instanceof DexsyncError ? error.hint : 'The import itself is not affected.';
  return { severity: 'warning', code: 'report-not-written', message, ...omitUndefined({ hint }), file };
}
