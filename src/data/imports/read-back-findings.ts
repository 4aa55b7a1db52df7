import { type Diagnostic, withHint } from '#base/diagnostics.js';
import type { Bound } from '#core/engine/bind.js';
import type { ImportSpec } from '#core/jobs/import.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { PreparedImport } from '../bulk/prepare.js';
import type { Definition } from './definition.js';
import { unreadableRows } from './preview/read-records.js';

/** Findings if records cannot be read back: `beforeImage` must not be left out silently. */
export function readBackFindings(
  { verify = 'none', beforeImage = false }: ImportSpec,
  resource: string,
  { address, origins }: Pick<Bound['manifest'], 'address' | 'origins'>,
): Diagnostic[] {
  if (resourceNamed(resource).compared !== undefined) return [];
  const message = (option: string): string =>
    `${address}: records of ${resource} cannot be read back, so \`${option}\` is not possible.`;
  const hint = 'Leave it out; dexsync does not know how to read them.';
  return [
    ...(beforeImage
      ? [
          withHint(
            {
              severity: 'error',
              code: 'before-image-impossible',
              message: message('beforeImage'),
              origin: origins.start,
            },
            hint,
          ),
        ]
      : []),
    ...(verify === 'none'
      ? []
      : [
          withHint(
            { severity: 'warning', code: 'verify-impossible', message: message('verify'), origin: origins.start },
            hint,
          ),
        ]),
  ];
}

/** An error if the columns keep records from being read for `beforeImage`; rows with errors are not sent anyway. */
export function imageFindings(
  { beforeImage = false }: ImportSpec,
  prepared: PreparedImport,
  { spec }: Definition,
  { address, origins }: Pick<Bound['manifest'], 'address' | 'origins'>,
): Diagnostic[] {
  if (!beforeImage || resourceNamed(spec.resource).compared === undefined || prepared.findings.errors > 0) return [];
  const why = unreadableRows(prepared, spec);
  if (why === undefined) return [];
  const message = `${address}: ${why}, so \`beforeImage\` is not possible.`;
  const hint = 'Leave it out, or use numbers and names in place of GUIDs.';
  return [{ severity: 'error', code: 'before-image-impossible', message, hint, origin: origins.start }];
}
