import { withSpool } from '#base/files/spool-folder.js';
import { EMPTY_OBSERVATION } from '#core/model/observation.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import { findImport } from '#data/imports/find-import.js';
import { prepareFound } from '#data/imports/prepare-found.js';
import { readOutcome } from '#data/imports/read-outcome.js';
import { accountFor } from '#data/imports/report-outcome.js';
import { dataFolder } from '#project/config/environment.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/**
 * Reads the error reports of an import again, joins them to its rows, and accounts for every row in files. Costs two
 * requests for each run with failed rows, and one for each other run.
 */
export async function importErrors(
  options: ProjectOptions & { readonly run: string },
  host: Host,
): Promise<ImportOutcome> {
  const config = await openConfig(options, host);
  const found = await findImport(config, options, host);
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    return withSpool(dataFolder(config), async (spool) => {
      const preparing = { found, folder: await spool.path(), project: config, observation: EMPTY_OBSERVATION };
      const job = await prepareFound(preparing, connection, host);
      const outcome = await readOutcome(found, job, connection.client, host);
      await accountFor(job, outcome, host);
      return outcome;
    });
  });
}
