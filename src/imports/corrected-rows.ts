import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';

/** What somebody did with the `failed.csv` of a report. */
export type FailedFile = 'absent' | 'as written' | 'corrected';

/** The report is written after the rows: whatever changed them later is newer than it. */
export async function failedFileIn(folder: string): Promise<FailedFile> {
  const [rows, report] = await Promise.all(
    [SPLIT_FILES.failed, 'report.json'].map((name) => stat(join(folder, name)).catch(() => undefined)),
  );
  if (rows === undefined) return 'absent';
  return report !== undefined && rows.mtimeMs <= report.mtimeMs ? 'as written' : 'corrected';
}
