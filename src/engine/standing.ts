import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Observed } from '../model/observation.js';
import { diffSpec } from './diff.js';

/** Whose a live object is, as far as a stack can tell from the ledger. */
export type Standing =
  | { readonly is: 'own'; readonly fact: ObjectFact }
  | { readonly is: 'other'; readonly stack: string }
  /** `instead`: the object that the ledger knows under this name is another one, and gone. */
  | { readonly is: 'nobody'; readonly instead: 'yes' | 'no' };

/**
 * A fact is about one live object, whatever is called so now. Of a creation that was never answered it is about whatever
 * is exactly as was asked, but for the children that were to follow it.
 */
export function standingOf(
  fact: ObjectFact | undefined,
  { identity, spec }: Observed,
  stack: string,
  { schema, children }: Pick<Kind, 'schema' | 'children'>,
): Standing {
  if (fact === undefined) return { is: 'nobody', instead: 'no' };
  const same =
    fact.identity === undefined
      ? diffSpec(schema, without(fact.applied, children), spec).length === 0
      : fact.identity === identity;
  if (!same) return { is: 'nobody', instead: fact.identity === undefined ? 'no' : 'yes' };
  return fact.stack === stack ? { is: 'own', fact } : { is: 'other', stack: fact.stack };
}

const without = (spec: JsonObject, fields: object): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !(field in fields)));
