import { omitUndefined } from '#base/omit-undefined.js';
import type { Finding } from '#core/model/findings.js';
import type { ImportRun } from '#service/import-runs.js';
import type { PreparedImport } from '../../bulk/prepare.js';

/** Warnings if a complete run does not account for every row sent, and the warnings of the run itself. */
export function checkCounts(
  run: ImportRun,
  failed: number,
  { rows, file, worksheet }: Pick<PreparedImport, 'rows' | 'file' | 'worksheet'>,
): Finding[] {
  const say = (code: string, message: string, hint?: string): Finding => ({
    severity: 'warning',
    code,
    message,
    ...omitUndefined({ hint }),
    file,
    ...omitUndefined({ worksheet }),
  });
  const lost = `The service processed ${run.totalCount} of ${rows} rows.`;
  const uneven = `The service counts ${run.successCount} rows as valid and ${failed} as failed, but ${run.totalCount} in total.`;
  return [
    ...(run.totalCount === rows
      ? []
      : [say('rows-unaccounted', lost, 'The service skips rows without a value in any mapped column.')]),
    ...(run.successCount + failed === run.totalCount ? [] : [say('counts-uneven', uneven)]),
    ...run.warnings.map(({ code, message }) => say('run-warning', `${message} (${code})`)),
  ];
}
