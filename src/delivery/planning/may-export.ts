import type { Selection } from '#core/engine/selection.js';
import { importJob, importSpecOf } from '#core/jobs/import.js';
import type { PlanningOptions } from './planning-options.js';

/** Whether rows of a plan are to be compared in full, so that exports may read their records; what is asked for goes before manifests. */
export const mayExport = (
  { linked }: Pick<Selection, 'linked'>,
  { preview }: Pick<PlanningOptions, 'preview'>,
): boolean =>
  linked.manifests.some(
    ({ kind, spec }) => kind === importJob.name && (preview ?? importSpecOf(spec).preview) === 'full',
  );
