import { join, relative } from 'node:path';
import { SPLIT_FILES } from '../bulk/report/split-rows.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import { reportFolder } from '../imports/account-for.js';
import { failedFileIn } from '../imports/corrected-rows.js';
import type { FoundImport } from '../imports/known-imports.js';
import { importSpecOf } from '../jobs/import.js';
import { parseImportDefinition } from '../kinds/import-definition.js';
import { splitAddress } from '../model/address.js';
import { canBeSentAlone } from '../model/import-resources.js';
import type { Plan } from '../model/plan.js';
import type { Confirmation } from '../planfile/consent.js';
import type { Consent } from '../planning/guarding.js';
import { openConfig } from '../project/project.js';
import type { Summary } from '../stream/events.js';
import { importFile } from './import-file.js';
import { findImport } from './list-imports.js';

export interface RetryOptions extends ProjectOptions, Consent {
  readonly run: string;
  /** The corrected rows; by default the `failed.csv` that was written for the run. */
  readonly file?: string;
  /** In a production workspace, with the plan. */
  readonly confirm: Confirmation<Plan>;
}

/**
 * Sends the rows of a committed import that failed once more, from a file in the source's own columns in which they were
 * corrected. Definition, constants and commit rule stay as they were. Undefined where nobody confirmed.
 */
export async function retryImport({ file, run, ...options }: RetryOptions, host: Host): Promise<Summary | undefined> {
  const config = await openConfig(options, host);
  const found = await findImport(config, { ...options, run }, host);
  if (found.state !== 'committed' || found.failed === 0) throw nothingToRetry(found);
  if (!canBeSentAlone(parseImportDefinition(found.request.definition.spec))) throw replacesAll(found);
  const { definition, source, commit = 'clean' } = importSpecOf(found.request.spec);
  const { constants } = source;
  return importFile(
    {
      ...options,
      ...{ definition, commit, again: 'refused', name: `${splitAddress(found.address).name} (retry)` },
      source: {
        file: file ?? (await correctedFile(found, config.folder, host.cwd)),
        ...(constants === undefined ? {} : { constants }),
      },
    },
    host,
  );
}

async function correctedFile(found: FoundImport, project: string, cwd: string): Promise<string> {
  const folder = reportFolder({ project, workspace: found.workspace }, found.address, found.job.runs);
  const shown = relative(cwd, join(folder, SPLIT_FILES.failed));
  switch (await failedFileIn(folder)) {
    case 'corrected':
      return shown;
    case 'absent':
      throw new DexsyncError('USAGE', `There is no ${shown} with the rows that failed.`, {
        hint: `\`dexsync import errors ${found.runs[0] ?? found.address}\` writes it; correct its rows, then repeat this command.`,
      });
    case 'as written':
      throw new DexsyncError('USAGE', `The rows in ${shown} are still those that failed.`, {
        hint: 'Correct them there, or name a file that holds them corrected. Nothing was sent.',
      });
  }
}

const replacesAll = ({ address, definition, file }: FoundImport): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `The failed rows of ${address} cannot be sent alone: ImportDefinition/${definition} replaces the whole BOM of each parent, and the good lines of these parents would be removed.`,
    { hint: `Correct the rows in ${file} itself and import it again. Nothing was sent.` },
  );

function nothingToRetry({ state, address, runs, failed }: FoundImport): DexsyncError {
  const run = runs[0] ?? address;
  switch (state) {
    case 'committed':
      return new DexsyncError('USAGE', `No row of ${address} failed.`, { hint: 'There is nothing to send once more.' });
    case 'rejected':
      return new DexsyncError(
        'USAGE',
        `Nothing of ${address} was committed: ${failed ?? 0} rows failed and its rule allows fewer.`,
        {
          hint: `Correct the file and import it whole, or \`dexsync import commit ${run}\` commits the good rows first.`,
        },
      );
    default:
      return new DexsyncError('USAGE', `${address} is not committed yet (${state}).`, {
        hint: `\`dexsync import show ${run}\` tells where it stands.`,
      });
  }
}
