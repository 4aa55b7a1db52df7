import type { Kind } from '../model/kind.js';
import type { Write } from '../model/plan.js';
import type { Writer } from './client.js';
import type { Identities } from './identities.js';

/** A write of an object; imports are performed by the bulk pipeline, records need no request. */
export type ObjectWrite = Exclude<Write, { verb: 'import' | 'record' }>;

/** What a write of an object takes: who sends it, and which name stands for which GUID and kind. */
export interface WriteContext {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly kindNamed: (name: string) => Kind;
}
