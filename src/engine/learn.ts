import type { Bound } from './bind.js';
import { common, type Decision, factOf } from './decision.js';
import type { Match } from './find-live.js';
import { changedBy } from './messages.js';
import type { Standing } from './standing.js';

/**
 * An object of ours that is as it should be, and of which the ledger does not know all: which one a creation made whose
 * answer never came, or that it has another name now. Until it does, a later change would make it nobody's.
 */
export function learn(
  bound: Bound,
  { object }: Match,
  schema: object,
  { fact }: Extract<Standing, { is: 'own' }>,
): Decision | undefined {
  const { knownAs } = bound;
  if (knownAs === undefined && fact.identity !== undefined) return undefined;
  const message =
    knownAs === undefined
      ? 'An apply that was cut off made it; the ledger learns which one it is, and nothing is sent.'
      : `It was ${knownAs} until somebody renamed it${changedBy(object.audit)}; the ledger learns its name, and nothing is sent.`;
  return {
    ...common(bound, schema, []),
    action: 'adopt',
    reason: knownAs === undefined ? 'unfinished' : 'renamed-outside',
    message,
    writes: [{ verb: 'record' }],
    fact: factOf(bound, fact.how, fact.stack),
  };
}
