import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Finding } from '#core/model/findings.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { importErrors } from './import-errors.js';

/**
 * Fetches the report of an import from the service, for those who read it as it is kept: `importErrors` without what it
 * shows. Throws FILE_UNWRITABLE if the report cannot be kept.
 */
export async function fetchReport(options: ProjectOptions & { readonly run: string }, host: Host): Promise<void> {
  let problem: Pick<Finding, 'message' | 'hint'> | undefined;
  await importErrors(options, {
    ...host,
    emit: (event) => {
      if (event.type === 'rows') problem = event.outcome.findings.find(({ code }) => code === 'report-not-written');
      if (event.type === 'diagnostic') host.emit(event);
    },
  });
  if (problem === undefined) return;
  throw new DexsyncError('FILE_UNWRITABLE', problem.message, omitUndefined({ hint: problem.hint }));
}
