import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, splitAddress } from '#core/model/address.js';
import type { JobRun } from '#core/model/job-state.js';
import { dataFolder } from '#project/config/environment.js';
import { identityOf } from '#service/identities.js';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';
import type { Job } from './job.js';

/** The folder of an import's report: one for each import and first run. */
export function reportFolder(
  { project, workspace }: Pick<Job, 'project' | 'workspace'>,
  address: Address,
  runs: readonly JobRun[],
): string {
  const [first] = runs;
  return join(
    dataFolder(project),
    'imports',
    fileName(workspace),
    `${fileName(splitAddress(address).name)}-${first?.number ?? runName(first?.run)}`,
  );
}

/** Folder names do not contain GUIDs of the service. */
const runName = (run: string | undefined): string => (run === undefined ? 'run' : identityOf(run).slice(0, 12));

/** A name that every file system allows; names that differ only in other characters become the same. */
export const fileName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '') || 'import';

/** The state of a file of failed rows. The report is written after it: if the file is newer, it was changed later. */
export async function failedFileIn(folder: string): Promise<FailedFile> {
  const [rows, report] = await Promise.all(
    [SPLIT_FILES.failed, 'report.json'].map((name) => stat(join(folder, name)).catch(() => undefined)),
  );
  if (rows === undefined) return 'absent';
  return report !== undefined && rows.mtimeMs <= report.mtimeMs ? 'as written' : 'corrected';
}

/** The state of the `failed.csv` of a report. */
export type FailedFile = 'absent' | 'as written' | 'corrected';
