import { join, relative, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { pathExists } from '#base/files/path-exists.js';
import { toImportSpec } from '#core/jobs/import.js';
import { parseImportDefinition } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { ProjectFolders } from '#project/config/environment.js';
import { BEFORE_FILES } from '../../bulk/read-back/before-image.js';
import { calledRun, type FoundImport } from '../known-imports.js';
import { importFolder } from '../report-folder.js';

/** Throws USAGE if an import has nothing to undo, or its records cannot be read. */
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
  const { name, compared } = resourceNamed(parseImportDefinition(found.request.definition.spec).resource);
  if (compared !== undefined) return;
  throw new DexsyncError('USAGE', `${calledRun(found)} cannot be undone: dexsync cannot read the records of ${name}.`, {
    hint: 'Import what was there before.',
  });
}

interface Where {
  readonly project: ProjectFolders;
  readonly cwd: string;
  /** The folder that the user names. */
  readonly given?: string;
}

/** The folder with the before image of an import. Throws USAGE if there is none, with what can still be done. */
export async function findBeforeImage(found: FoundImport, { project, cwd, given }: Where): Promise<string> {
  const own = importFolder({ project, workspace: found.workspace }, found.address, found.job.runs);
  const folder = given === undefined ? own : resolve(cwd, given);
  if ((await pathExists(join(folder, BEFORE_FILES.before))) && (await pathExists(join(folder, BEFORE_FILES.absent))))
    return folder;
  if (given === undefined && toImportSpec(found.request.spec).beforeImage !== true) throw notAskedFor(found);
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
