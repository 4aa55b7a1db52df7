import type { JsonObject } from './json.js';

/** What the ledger says of one object of a workspace: whose it is, and what was last asked of it. */
export interface ObjectFact {
  /** The stack that created or adopted it; no other one changes it. */
  readonly stack: string;
  readonly how: 'created' | 'adopted';
  /** The fields that the manifest named when they were last applied, with the names that it used for references. */
  readonly applied: JsonObject;
  /** Outlives the block in the manifest: a plan that would delete or replace the object is blocked. */
  readonly protect: boolean;
  /** Which live object it is; absent from before a creation until its answer came. */
  readonly identity?: Identity;
}

/** Equal for the same live object and for no other. Says nothing else: it is no GUID and leads to none. */
export type Identity = string;
