import type { AcknowledgementRecord, ObjectRecord } from '../ledger/journal-record.js';
import type { LiveIdentity, ObjectFact } from '../model/object-fact.js';
import type { Step, Write } from '../model/plan.js';

/** What the ledger is told of objects while their steps are carried out. */
interface Recording {
  readonly clock: () => Date;
  /** Which live object a step's address is now. */
  readonly identityOf: (step: Step) => LiveIdentity | undefined;
}

/**
 * Recorded before a write that gives an object its address. Should its answer never come, a renamed object is known by its
 * identity, and a new one by being exactly as was asked.
 */
export function claimOf(step: Step, { verb }: Write, clock: Recording['clock']): ObjectRecord[] {
  const { address, fact, liveName, reason } = step;
  if (fact === undefined || fact === null) return [];
  const isMade = verb === 'create' && fact.identity === undefined;
  // What somebody else renamed is known by its address already.
  const isRenamed = verb === 'update' && liveName !== undefined && reason !== 'renamed-outside';
  return isMade || isRenamed ? [{ type: 'object', at: clock().toISOString(), address, object: fact }] : [];
}

/**
 * The claims that a step makes with its first write. They are recorded together with the plan, so that one write to the ledger
 * is enough for all of them; an object that a step removes first stays known until then.
 */
export const firstClaims = (step: Step, clock: Recording['clock']): ObjectRecord[] =>
  step.writes.slice(0, 1).flatMap((write) => claimOf(step, write, clock));

/**
 * What was claimed and did not happen: an object that was to be replaced stays ours. Where nobody knows whether it did, the claim
 * stays.
 */
export const withdrawn = (claims: readonly ObjectRecord[], outcome: string): ObjectRecord[] =>
  outcome === 'unknown' ? [] : claims.map((claim) => ({ ...claim, object: claim.object?.former ?? null }));

/** What the ledger says of the object: as soon as it is made, or else once the last write was done. */
export function factsAfter(step: Step, write: number, recording: Recording): (ObjectRecord | AcknowledgementRecord)[] {
  const made = step.writes.findIndex(({ verb }) => verb === 'create');
  return write === (made < 0 ? step.writes.length - 1 : made)
    ? [...factsOf(step, recording), ...acknowledgementOf(step, recording)]
    : [];
}

function factsOf(step: Step, { clock, identityOf }: Recording): ObjectRecord[] {
  const { address, fact, formerly } = step;
  if (fact === undefined) return [];
  const at = clock().toISOString();
  const made = fact === null || fact.identity !== undefined ? undefined : identityOf(step);
  const object = fact === null || made === undefined ? fact : identified(fact, made);
  const own: ObjectRecord = { type: 'object', at, address, object };
  return formerly === undefined ? [own] : [{ ...own, address: formerly, object: null }, own];
}

/** A new object is known now; the one that it replaced is over. */
const identified = ({ former: _, ...fact }: ObjectFact, identity: LiveIdentity): ObjectFact => ({ ...fact, identity });

const acknowledgementOf = (
  { address, acknowledgement }: Step,
  { clock }: Pick<Recording, 'clock'>,
): AcknowledgementRecord[] =>
  acknowledgement === undefined
    ? []
    : [{ type: 'acknowledgement', at: clock().toISOString(), address, acknowledgement }];
