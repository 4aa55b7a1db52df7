import type { Selection } from '#core/engine/selection.js';
import { importJob, toImportSpec } from '#core/jobs/import.js';
import type { PlanningOptions } from './planning-options.js';

/** Whether rows are compared in full, so that exports may read records. The option overrides manifests. */
export const mayExport = (
  { linked }: Pick<Selection, 'linked'>,
  { preview }: Pick<PlanningOptions, 'preview'>,
): boolean =>
  linked.manifests.some(
    ({ kind, spec }) => kind === importJob.name && (preview ?? toImportSpec(spec).preview) === 'full',
  );
