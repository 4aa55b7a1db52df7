import type { Kind } from '../model/kind.js';
import type { Write } from '../model/plan.js';
import type { Writer } from './client.js';
import type { Identities } from './identities.js';

/** A write of an object; imports are performed by the bulk pipeline, records need no request. */
export type ObjectWrite = Exclude<Write, { verb: 'import' | 'record' }>;

export interface WriteContext {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly kindNamed: (name: string) => Kind;
}
