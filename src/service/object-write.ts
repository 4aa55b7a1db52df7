import { splitAddress } from '#core/model/address.js';
import type { Guid, Kind } from '#core/model/kind.js';
import type { Step, Write } from '#core/model/plan.js';
import type { Writer } from './client.js';
import type { Identities } from './identities.js';

/** A write of an object; imports are performed by the bulk pipeline, records need no request. */
export type ObjectWrite = Exclude<Write, { verb: 'import' | 'record' }>;

/** The GUID of the object of a step: by the step's identity, else by a name. Throws UNKNOWN_NAME. */
export function guidOfStep(
  { address, identity }: Step,
  called: string,
  { identities }: Pick<WriteContext, 'identities'>,
): Guid {
  const { kind } = splitAddress(address);
  const known = identity === undefined ? undefined : identities.withIdentity(kind, identity);
  return known ?? identities.guidOf(kind, called);
}

/** What a write of an object takes: who sends it, and which name stands for which GUID and kind. */
export interface WriteContext {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly kindNamed: (name: string) => Kind;
}
