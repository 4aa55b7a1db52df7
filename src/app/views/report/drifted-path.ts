import type { DriftedField } from '#delivery/planning/drift-in-plan.js';

/** The path of a drifted field, with a note if an apply leaves it because no manifest names it. */
export const driftedPath = ({ path, named }: Pick<DriftedField, 'path' | 'named'>): string =>
  named ? path : `${path} (not in the manifest)`;
