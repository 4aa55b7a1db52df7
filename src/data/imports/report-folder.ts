import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Address, splitAddress } from '#core/model/address.js';
import type { JobRun } from '#core/model/job-state.js';
import { dataFolder, type ProjectFolders } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { identityOf } from '#service/identities.js';
import { FAILED_WORKBOOK } from '../bulk/report/failed-workbook.js';
import { REPORT_FILE } from '../bulk/report/run-report.js';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';

/** The import that a folder belongs to, by its address and first run. */
interface FolderOwner {
  readonly project: ReportProject;
  readonly workspace: string;
}

/** The folders of a project, and where it keeps reports. */
export type ReportProject = ProjectFolders & Pick<Config, 'imports'>;

/** The folder of what an undo needs of an import. */
export const importFolder = (
  { project, workspace }: Pick<FolderOwner, 'workspace'> & { readonly project: ProjectFolders },
  address: Address,
  runs: readonly JobRun[],
): string => join(dataFolder(project), 'imports', fileName(workspace), folderName(address, runs));

/** The folder of the report of an import: the same, unless the configuration has another one for all reports. */
export const reportFolder = ({ project, workspace }: FolderOwner, address: Address, runs: readonly JobRun[]): string =>
  join(reportsFolder(project), fileName(workspace), folderName(address, runs));

/** The folder of all reports. */
export function reportsFolder(project: ReportProject): string {
  const folder = project.imports?.errorReports?.folder;
  return folder === undefined ? join(dataFolder(project), 'imports') : resolve(project.folder, folder);
}

function folderName(address: Address, [first]: readonly JobRun[]): string {
  return `${fileName(splitAddress(address).name)}-${first?.number ?? runName(first?.run)}`;
}

/** Folder names do not contain GUIDs of the service. */
const runName = (run: string | undefined): string => (run === undefined ? 'run' : identityOf(run).slice(0, 12));

/** A name that every file system allows; names that differ only in other characters become the same. */
export const fileName = (name: string): string =>
  name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '') || 'import';

/** The files of failed rows in the folder of a report, by their names. */
export interface FailedFiles {
  readonly written: readonly string[];
  /** Those that somebody changed: the report is written after them, so they are newer. */
  readonly corrected: readonly string[];
}

/** Finds the files of failed rows in the folder of a report. */
export async function failedFilesIn(folder: string): Promise<FailedFiles> {
  const timeOf = async (name: string): Promise<number | undefined> =>
    (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs;
  const report = (await timeOf(REPORT_FILE)) ?? 0;
  const names = [SPLIT_FILES.failed, FAILED_WORKBOOK];
  const times = await Promise.all(names.map(timeOf));
  return {
    written: names.filter((_, index) => times[index] !== undefined),
    corrected: names.filter((_, index) => (times[index] ?? 0) > report),
  };
}
