import type { FieldChange, Reason, Step } from '../model/plan.js';
import type { Bound } from './bind.js';

/** A step before it knows what it waits for. */
export type Decision = Omit<Step, 'dependsOn'>;

/** What every decision about an object says. `observed` is the digest of what was seen of it. */
export const common = ({ manifest }: Bound, fields: readonly FieldChange[], observed: string) => ({
  address: manifest.address,
  fields,
  fingerprint: observed,
  origin: manifest.origins.start,
});

export const blocked = (bound: Bound, reason: Reason, message: string, observed: string): Decision => ({
  ...common(bound, [], observed),
  action: 'blocked',
  reason,
  message,
  writes: [],
});
