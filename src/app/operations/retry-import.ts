import { omitUndefined } from '#base/omit-undefined.js';
import { toImportSpec } from '#core/jobs/import.js';
import { splitAddress } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { findImport } from '#data/imports/find-import.js';
import { checkRetry, correctedFile } from '#data/imports/retry.js';
import type { Confirmation } from '#delivery/planfile/consent.js';
import type { Consent } from '#delivery/planning/combine-guards.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { importFile } from './import-file.js';

/** The run to send again, and the file to send. */
export interface RetryOptions extends ProjectOptions, Consent {
  readonly run: string;
  /** The corrected rows; by default the `failed.csv` that was written for the run. */
  readonly file?: string;
  /** As for `importFile`. */
  readonly confirm: Confirmation<Plan>;
}

/**
 * Sends the failed rows of a committed import again, from a file with the source's own columns in which they were
 * corrected. Definition, constants and commit rule stay the same. Returns undefined if nobody confirmed.
 */
export async function retryImport({ file, run, ...options }: RetryOptions, host: Host): Promise<Summary | undefined> {
  const config = await openConfig(options, host);
  const found = await findImport(config, { ...options, run }, host);
  checkRetry(found);
  const { definition, source, commit = 'clean', repeated } = toImportSpec(found.request.spec);
  const { constants } = source;
  return importFile(
    {
      ...options,
      ...{ definition, commit, again: 'refused', name: `${splitAddress(found.address).name} (retry)` },
      retries: found.key,
      ...(repeated === undefined ? {} : { how: { repeated } }),
      source: {
        file: file ?? (await correctedFile(found, config, host.cwd)),
        ...omitUndefined({ constants }),
      },
    },
    host,
  );
}
