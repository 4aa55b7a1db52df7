import { splitAddress } from '#core/model/address.js';
import type { Guid, Kind } from '#core/model/kind.js';
import type { Step, Write } from '#core/model/plan.js';
import type { Writer } from './client.js';
import type { Identities } from './identities.js';

/** A write of an object. Imports are performed by the bulk pipeline; records need no request. */
export type ObjectWrite = Exclude<Write, { verb: 'import' | 'record' }>;

/** Returns the GUID of a step's object: by the step's identity, else by name. Throws UNKNOWN_NAME. */
export function guidOfStep(
  { address, identity }: Step,
  called: string,
  { identities }: Pick<WriteContext, 'identities'>,
): Guid {
  const { kind } = splitAddress(address);
  const known = identity === undefined ? undefined : identities.withIdentity(kind, identity);
  return known ?? identities.guidOf(kind, called);
}

/** The context of object writes: the client, and the GUID and kind of each name. */
export interface WriteContext {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly kindNamed: (name: string) => Kind;
}
