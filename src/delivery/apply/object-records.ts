import type { Address } from '#core/model/address.js';
import type { Guid } from '#core/model/kind.js';
import { type LiveIdentity, lastIdentity, type ObjectFact, withoutFormer } from '#core/model/object-fact.js';
import type { Step, Write } from '#core/model/plan.js';
import type { AcknowledgementRecord, DeletionRecord, ObjectRecord } from '#ledger/journal-record.js';

/** What the ledger is told of objects while their steps are carried out. */
export interface Recording {
  readonly clock: () => Date;
  /** Which live object a step's address is now. */
  readonly identityOf: (step: Step) => LiveIdentity | undefined;
  /** What a live object is read by. */
  readonly guidOf: (address: Address, identity: LiveIdentity) => Guid | undefined;
  /** What the ledger says of objects before the apply. */
  readonly known?: ReadonlyMap<Address, ObjectFact> | undefined;
}

/** Recording before it is known which object a creation makes. */
export type Claiming = Pick<Recording, 'clock' | 'guidOf' | 'known'>;

/** What the ledger says of an object from now on, and what it is read by. */
export function objectRecord(address: Address, object: ObjectFact, { clock, guidOf }: Claiming): ObjectRecord {
  const guid = guidOf(address, lastIdentity(object));
  return { type: 'object', at: clock().toISOString(), address, object, ...(guid === undefined ? {} : { guid }) };
}

/** What is recorded before a write, since its answer may never come. */
export type Claim = ObjectRecord | DeletionRecord;

/**
 * The claims of a write. Should its answer never come, a renamed object is known by its identity, a new one by being exactly as
 * was asked, a deleted one by being gone, and of an updated one both what was sent and what was recorded before.
 */
export function claimOf(step: Step, write: Write, recording: Claiming): Claim[] {
  const { address, fact, identity, liveName, reason } = step;
  const { verb } = write;
  if (verb === 'delete' && identity !== undefined)
    return [{ type: 'deletion', at: recording.clock().toISOString(), address, identity }];
  if (fact === undefined || fact === null) return [];
  const isMade = verb === 'create' && fact.identity === undefined;
  // What somebody else renamed is known by its address already.
  const isRenamed = verb === 'update' && liveName !== undefined && reason !== 'renamed-outside';
  if (isMade || isRenamed) return [objectRecord(address, fact, recording)];
  const before = recording.known?.get(address);
  if (step.action !== 'update' || write !== step.writes[0] || before === undefined) return [];
  if (before.identity !== fact.identity) return [];
  return [objectRecord(address, { ...fact, former: withoutFormer(before) }, recording)];
}

/**
 * The claims that a step makes with its first write. They are recorded together with the plan, so that one write to the ledger
 * is enough for all of them; an object that a step removes first stays known until then.
 */
export const firstClaims = (step: Step, recording: Claiming): Claim[] =>
  step.writes.slice(0, 1).flatMap((write) => claimOf(step, write, recording));

/**
 * What was claimed and did not happen: an object that was to be replaced stays ours. Where nobody knows whether it did, the claim
 * stays. `left` is what the ledger knows without it.
 */
export const withdrawn = (
  claims: readonly Claim[],
  outcome: string,
  left: (claimed: ObjectFact) => ObjectFact | null = ({ former }) => former ?? null,
): ObjectRecord[] =>
  outcome === 'unknown'
    ? []
    : claims.flatMap((claim) =>
        claim.type === 'object' ? withObject(claim, claim.object === null ? null : left(claim.object)) : [],
      );

/** The same record about another object; of none it says no GUID, since nothing was deleted. */
function withObject({ guid, ...claim }: ObjectRecord, object: ObjectFact | null): ObjectRecord {
  return { ...claim, object, ...(object === null || guid === undefined ? {} : { guid }) };
}

/** What the ledger says of the object: as soon as it is made, or else once the last write was done. */
export function factsAfter(step: Step, write: number, recording: Recording): (ObjectRecord | AcknowledgementRecord)[] {
  const made = step.writes.findIndex(({ verb }) => verb === 'create');
  return write === (made < 0 ? step.writes.length - 1 : made)
    ? [...factsOf(step, recording), ...acknowledgementOf(step, recording)]
    : [];
}

function factsOf(step: Step, recording: Recording): ObjectRecord[] {
  const { clock, identityOf } = recording;
  const { address, fact, formerly } = step;
  if (fact === undefined) return [];
  const at = clock().toISOString();
  const made = fact === null || fact.identity !== undefined ? undefined : identityOf(step);
  const object = fact === null || made === undefined ? fact : identified(fact, made);
  const own: ObjectRecord =
    object === null
      ? { type: 'object', at, address, object, ...deletedGuid(step, recording) }
      : objectRecord(address, object, recording);
  return formerly === undefined ? [own] : [{ ...withObject(own, null), address: formerly }, own];
}

/** Whoever sees it again in a list can tell that it should be gone. */
function deletedGuid({ address, identity, writes }: Step, { guidOf }: Claiming): Pick<ObjectRecord, 'guid'> {
  const isDeleted = identity !== undefined && writes.some(({ verb }) => verb === 'delete');
  const guid = isDeleted ? guidOf(address, identity) : undefined;
  return guid === undefined ? {} : { guid };
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
