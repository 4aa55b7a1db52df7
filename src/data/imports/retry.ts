import { join, relative } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { parseImportDefinition } from '#core/kinds/import-definition.js';
import { canBeSentAlone } from '#core/model/import-resources.js';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';
import type { FoundImport } from './known-imports.js';
import { failedFilesIn, type ReportProject, reportFolder } from './report-folder.js';

/** Throws USAGE if the failed rows of an import cannot be sent alone. */
export function checkRetry(found: FoundImport): void {
  if (found.state !== 'committed' || found.failed === 0) throw nothingToRetry(found);
  if (!canBeSentAlone(parseImportDefinition(found.request.definition.spec))) throw replacesAll(found);
}

/** The path of the corrected file of failed rows, from the current folder; throws USAGE unless somebody corrected one. */
export async function correctedFile(found: FoundImport, project: ReportProject, cwd: string): Promise<string> {
  const folder = reportFolder({ project, workspace: found.workspace }, found.address, found.job.runs);
  const shown = (name: string): string => relative(cwd, join(folder, name));
  const { written, corrected } = await failedFilesIn(folder);
  const [first, ...others] = corrected;
  const run = found.runs[0] ?? found.address;
  if (first === undefined)
    throw written.length === 0
      ? new DexsyncError('USAGE', `There is no file ${shown(SPLIT_FILES.failed)} with the failed rows.`, {
          hint: `Use \`dexsync import errors ${run}\` to write it, correct its rows, then repeat this command.`,
        })
      : new DexsyncError('USAGE', `The failed rows in ${shown(SPLIT_FILES.failed)} were not corrected.`, {
          hint: 'Correct them there, or give a file with the corrected rows. Nothing was sent.',
        });
  if (others.length === 0) return shown(first);
  throw new DexsyncError('USAGE', `Both ${corrected.map(shown).join(' and ')} were corrected.`, {
    hint: `Give the one to send: \`dexsync import retry ${run} FILE\`. Nothing was sent.`,
  });
}

const replacesAll = ({ address, definition, file }: FoundImport): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `The failed rows of ${address} cannot be sent alone: ImportDefinition/${definition} replaces all that each parent has, so the valid rows of these parents would be removed.`,
    { hint: `Correct the rows in ${file} itself and import it again. Nothing was sent.` },
  );

function nothingToRetry({ state, address, runs, failed }: FoundImport): DexsyncError {
  const run = runs[0] ?? address;
  switch (state) {
    case 'committed':
      return new DexsyncError('USAGE', `No row of ${address} failed.`, { hint: 'There is nothing to send again.' });
    case 'rejected':
      return new DexsyncError(
        'USAGE',
        `No rows of ${address} were committed: ${failed === 1 ? '1 row' : `${failed ?? 0} rows`} failed, and its commit rule allows fewer.`,
        {
          hint: `Correct the file and import all of it, or use \`dexsync import commit ${run}\` to commit the valid rows first.`,
        },
      );
    default:
      return new DexsyncError('USAGE', `${address} is not committed yet (${state}).`, {
        hint: `Use \`dexsync import show ${run}\` to see its state.`,
      });
  }
}
