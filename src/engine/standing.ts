import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import { diffSpec } from './diff.js';

/** Whose a live object is, as far as a stack can tell from the ledger. */
export type Standing =
  | { readonly is: 'own'; readonly fact: ObjectFact }
  | { readonly is: 'other'; readonly stack: string }
  /** `instead`: the object of this stack that the ledger knows by its name is another one. */
  | { readonly is: 'nobody'; readonly instead: 'yes' | 'no' };

/**
 * A fact is about one live object, whatever is called so now. Of a creation that was never answered it is about whatever
 * is exactly as was asked.
 */
export function standingOf(fact: ObjectFact | undefined, object: Observed, stack: string, kind: Kind): Standing {
  if (fact === undefined) return { is: 'nobody', instead: 'no' };
  const same = fact.identity === undefined ? isAsAsked(kind, fact.applied, object) : fact.identity === object.identity;
  const isOurs = fact.stack === stack;
  if (!same) return { is: 'nobody', instead: isOurs && fact.identity !== undefined ? 'yes' : 'no' };
  return isOurs ? { is: 'own', fact } : { is: 'other', stack: fact.stack };
}

/** Whether an object is what a creation makes, but for the children that were to follow it. */
export function isAsAsked(kind: Kind, applied: JsonObject, object: Observed): boolean {
  if (kind.grow !== undefined) return kind.grow(applied, object).is === 'enough';
  const own = Object.entries(applied).filter(([field]) => !(field in kind.children));
  return diffSpec(kind.schema, Object.fromEntries(own), object.spec).length === 0;
}
