import { open, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FAILED_WORKBOOK } from '../bulk/report/failed-workbook.js';
import { REPORT_FILE } from '../bulk/report/run-report.js';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';
import { failedFilesIn, type ReportProject, reportsFolder } from './report-folder.js';

/** What a report consists of; beside it are before images, which an undo needs. The report itself goes first. */
const OWN_FILES = [REPORT_FILE, 'report.html', ...Object.values(SPLIT_FILES), FAILED_WORKBOOK];

const MEGABYTE = 1024 * 1024;

/**
 * Removes the oldest reports beyond what the configuration allows. The newest stays, and so do those whose rows somebody
 * corrected. What cannot be removed now is removed after a later import.
 */
export async function removeOldReports(project: ReportProject, newest: string): Promise<void> {
  const { keep = Number.POSITIVE_INFINITY, megabytes = Number.POSITIVE_INFINITY } = project.imports?.errorReports ?? {};
  if (keep === Number.POSITIVE_INFINITY && megabytes === Number.POSITIVE_INFINITY) return;
  const reports = await reportsIn(reportsFolder(project));
  const isNewest = ({ folder }: KeptReport): number => Number(folder === newest);
  reports.sort((one, other) => isNewest(other) - isNewest(one) || other.at - one.at);
  let bytes = 0;
  for (const [index, { folder, size }] of reports.entries()) {
    bytes += size;
    if (index === 0 || (index < keep && bytes <= megabytes * MEGABYTE)) continue;
    if ((await failedFilesIn(folder)).corrected.length > 0) continue;
    for (const name of OWN_FILES) await rm(join(folder, name), { force: true }).catch(() => undefined);
    // It stays if it has a before image.
    await rmdir(folder).catch(() => undefined);
    bytes -= size;
  }
}

/** The configuration may name any folder: files of others that have such names are not removed. */
async function isOurs(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(BEGINNING), position: 0 });
    return OURS.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

const BEGINNING = 64;
const OURS = /^\{\s*"version": \d+,\s*"address": "Import\//;

interface KeptReport {
  readonly folder: string;
  /** When it was written. */
  readonly at: number;
  readonly size: number;
}

async function reportsIn(root: string): Promise<KeptReport[]> {
  const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
  const reports: KeptReport[] = [];
  for (const workspace of await namesIn(root))
    for (const name of await namesIn(join(root, workspace))) {
      const folder = join(root, workspace, name);
      const report = await stat(join(folder, REPORT_FILE)).catch(() => undefined);
      if (report === undefined || !(await isOurs(join(folder, REPORT_FILE)))) continue;
      const files = await Promise.all(OWN_FILES.map((file) => stat(join(folder, file)).catch(() => undefined)));
      reports.push({ folder, at: report.mtimeMs, size: files.reduce((all, file) => all + (file?.size ?? 0), 0) });
    }
  return reports;
}
