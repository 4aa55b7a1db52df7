import { access } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { BEFORE_FILES } from '../../bulk/read-back/before-image.js';
import type { ProjectFolders } from '../../config/environment.js';
import { DexsyncError } from '../../errors.js';
import { importSpecOf } from '../../jobs/import.js';
import { parseImportDefinition } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import { nameOfRuns } from '../../model/job-state.js';
import type { FoundImport } from '../known-imports.js';
import { reportFolder } from '../report-folder.js';

/** Throws USAGE where an import has nothing to undo, or its records cannot be read. */
export function checkUndo(found: FoundImport): void {
  const run = found.runs[0] ?? found.address;
  if (found.state !== 'committed') {
    throw new DexsyncError(
      'USAGE',
      `${calledRun(found)} is not committed (${found.state}), so there is nothing to undo.`,
      {
        hint: `Use \`dexsync import show ${run}\` to see its state.`,
      },
    );
  }
  const { name, readBack } = resourceNamed(parseImportDefinition(found.request.definition.spec).resource);
  if (readBack !== undefined) return;
  throw new DexsyncError('USAGE', `${calledRun(found)} cannot be undone: records of ${name} cannot be read.`, {
    hint: 'Import what was there before; only imports of items and BOMs can be undone.',
  });
}

/** `Import/Lamp parts (run #12)`. */
export function calledRun({ address, job }: Pick<FoundImport, 'address' | 'job'>): string {
  const runs = nameOfRuns(job.runs);
  return runs === undefined ? address : `${address} (${runs})`;
}

interface Where {
  readonly project: ProjectFolders;
  readonly cwd: string;
  /** The folder that somebody says it is in. */
  readonly given?: string;
}

/** The folder with the before image of an import. Throws USAGE where there is none, with what can still be done. */
export async function beforeImageOf(found: FoundImport, { project, cwd, given }: Where): Promise<string> {
  const own = reportFolder({ project, workspace: found.workspace }, found.address, found.job.runs);
  const folder = given === undefined ? own : resolve(cwd, given);
  const isThere = async (file: string): Promise<boolean> =>
    access(join(folder, file)).then(
      () => true,
      () => false,
    );
  if ((await isThere(BEFORE_FILES.before)) && (await isThere(BEFORE_FILES.absent))) return folder;
  if (given === undefined && importSpecOf(found.request.spec).beforeImage !== true) throw notAskedFor(found);
  throw new DexsyncError(
    'USAGE',
    `There is no before image of ${calledRun(found)} in ${relative(cwd, folder) || '.'}.`,
    {
      hint: `It is written where the import was run: give the folder with its ${BEFORE_FILES.before} and ${BEFORE_FILES.absent} as \`--image FOLDER\`.`,
    },
  );
}

const notAskedFor = (found: FoundImport): DexsyncError =>
  new DexsyncError('USAGE', `${calledRun(found)} has no before image, so dexsync does not know what it changed.`, {
    hint: 'Import an older file to put values back, and a file with the numbers of new records through a definition of mode DELETE. Set `beforeImage: true` in the manifest, or use `--before-image`, so that the next import can be undone.',
  });
