import type { Kind } from '../model/kind.js';
import type { Reason } from '../model/plan.js';
import type { Bound } from './bind.js';
import { blocked, common, type Deciding, type Decision, factOf } from './decision.js';
import type { Match } from './find-live.js';
import { calledOut } from './messages.js';
import type { Standing } from './standing.js';

export interface Stranger {
  readonly kind: Kind;
  readonly deciding: Deciding;
  readonly standing: Extract<Standing, { is: 'nobody' }>;
  /** What would happen to the object if it were ours; undefined where it is as its manifest says. */
  readonly decided: Decision | undefined;
}

/**
 * An object that this stack did not make is changed only by agreement, and replaced or retired never: whoever made it may
 * count on it.
 */
export function takeOver(bound: Bound, live: Match, stranger: Stranger): Decision | undefined {
  const { kind, deciding, decided } = stranger;
  if (decided?.action === 'blocked' || decided?.action === 'manual') return decided;
  const who = whose(bound, live, stranger);
  const agreed =
    deciding.adopt === 'matching' ? decided === undefined : deciding.adopt === 'ask' || deciding.adopt === 'given';
  if (!agreed) return decided === undefined ? undefined : refused(bound, stranger, who, decided);
  if (decided?.action === 'replace') return notReplaced(bound, stranger, who, decided);
  const fact = factOf(bound, 'adopted', deciding.stack);
  const consent = deciding.adopt === 'ask' ? 'asked' : 'given';
  if (decided !== undefined) {
    const reason = stranger.standing.instead === 'yes' ? 'replaced-outside' : decided.reason;
    return { ...decided, reason, message: `${who} It is taken over. ${decided.message}`, fact, consent };
  }
  const message = `${who} It is as the manifest says, and is taken over; nothing is sent.`;
  return {
    ...common(bound, kind.schema, []),
    action: 'adopt',
    reason: reasonOf(stranger),
    message,
    writes: [{ verb: 'record' }],
    fact,
    consent,
  };
}

function whose({ elsewhere }: Bound, { object }: Match, { standing }: Stranger): string {
  const called = calledOut(object);
  const told = called === '' ? '' : ` (${called})`;
  if (standing.instead === 'no') return `This stack did not make it${told}.`;
  const ours = elsewhere === undefined ? 'is gone' : `is called "${elsewhere.object.name}" now`;
  return `The one that this stack made ${ours}; another one has its name${told}.`;
}

const reasonOf = ({ standing }: Pick<Stranger, 'standing'>): Reason =>
  standing.instead === 'yes' ? 'replaced-outside' : 'not-owned';

const refused = (bound: Bound, stranger: Stranger, who: string, decided: Decision): Decision =>
  blocked(bound, stranger.kind.schema, {
    reason: reasonOf(stranger),
    message: `${who} \`--adopt\` takes over all such objects, \`dexsync adopt ${JSON.stringify(bound.manifest.address)}\` this one.`,
    decided,
  });

const notReplaced = (bound: Bound, stranger: Stranger, who: string, decided: Decision): Decision =>
  blocked(bound, stranger.kind.schema, {
    reason: reasonOf(stranger),
    message: `${who} ${decided.message} Only what this stack made or adopted is replaced: \`dexsync adopt ${JSON.stringify(bound.manifest.address)}\` first.`,
    decided,
  });
