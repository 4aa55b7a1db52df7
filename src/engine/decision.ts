import type { JsonObject } from '../model/json.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import type { FieldChange, Reason, Step } from '../model/plan.js';
import type { Bound } from './bind.js';
import { fingerprint } from './normal-form.js';

/** A step before it knows what it waits for. */
export type Decision = Omit<Step, 'dependsOn'>;

/** What is decided from the command line and the configuration, not from manifest and workspace. */
export interface Deciding {
  readonly stack: string;
  /**
   * What happens to objects that this stack neither created nor adopted. `ask`: they are taken over when the plan is confirmed;
   * `matching`: only those that are as the manifest says; `given`: it was agreed to; `never`.
   */
  readonly adopt: 'ask' | 'matching' | 'never' | 'given';
  /** Addresses to make anew though nothing asks for it. */
  readonly replace: ReadonlySet<string>;
}

/** What is there under an object's name when nothing is. */
export const ABSENT = 'absent';

/** What every decision about an object says, with what was seen of it. */
export const common = ({ manifest, live }: Bound, schema: object, fields: readonly FieldChange[]) => ({
  address: manifest.address,
  fields,
  ...('raw' in live ? seen(live.raw, schema) : { fingerprint: ABSENT }),
  ...(live.match === 'renamed' || live.match === 'moved' ? { liveName: live.object.name } : {}),
  origin: manifest.origins.start,
});

/** What a plan remembers of a live object, so that an apply can tell whether it is still the same. */
export const seen = ({ spec, identity, audit }: Observed, schema: object) => ({
  fingerprint: fingerprint(schema, spec),
  observed: spec,
  identity,
  ...(audit === undefined ? {} : { audit }),
});

/** Why nothing is done, and what would have been. */
export interface Obstacle {
  readonly reason: Reason;
  readonly message: string;
  readonly decided?: Pick<Decision, 'action' | 'fields'> | undefined;
}

export const blocked = (bound: Bound, schema: object, { reason, message, decided }: Obstacle): Decision => ({
  ...common(bound, schema, decided?.fields ?? []),
  action: 'blocked',
  reason,
  message,
  writes: [],
  ...(decided === undefined ? {} : { wanted: decided.action }),
});

/** What the ledger says of an object once it is as its manifest asks. */
export function factOf(
  { manifest, desired, live }: Bound,
  how: ObjectFact['how'],
  stack: string,
  applied: JsonObject = desired,
): ObjectFact {
  const identity = 'object' in live ? { identity: live.object.identity } : {};
  return { stack, how, applied, protect: manifest.metadata.protect ?? false, ...identity };
}
