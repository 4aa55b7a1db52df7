import type { DriftedField } from '#delivery/planning/drift-in-plan.js';

/** A field that changed outside, and whether an apply leaves it because no manifest names it. */
export const driftedPath = ({ path, named }: Pick<DriftedField, 'path' | 'named'>): string =>
  named ? path : `${path} (not in the manifest)`;
