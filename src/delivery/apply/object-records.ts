import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { Guid } from '#core/model/kind.js';
import {
  isUnanswered,
  type LiveIdentity,
  lastIdentity,
  type ObjectFact,
  withoutFormer,
} from '#core/model/object-fact.js';
import type { Step, Write } from '#core/model/plan.js';
import type { AcknowledgementRecord, DeletionRecord, ObjectRecord } from '#ledger/journal-record.js';

/** The effects of recording objects while their steps run. */
export interface RecordPorts {
  readonly clock: () => Date;
  /** Returns the live object that a step's address now refers to. */
  readonly identityOf: (step: Step) => LiveIdentity | undefined;
  /** Returns the GUID by which a live object is read. */
  readonly guidOf: (address: Address, identity: LiveIdentity) => Guid | undefined;
  /** The ledger's facts about objects before the apply. */
  readonly known?: ReadonlyMap<Address, ObjectFact> | undefined;
  /** Returns the facts about other objects that refer to a renamed one, with its new name. */
  readonly followers?: ((step: Step) => readonly (readonly [Address, ObjectFact])[]) | undefined;
}

/** The effects of recording before it is known which object a creation makes. */
export type ClaimPorts = Pick<RecordPorts, 'clock' | 'guidOf' | 'known'>;

/** Creates the record of an object's new fact and of the GUID by which the object is read. */
export function objectRecord(address: Address, object: ObjectFact, { clock, guidOf }: ClaimPorts): ObjectRecord {
  const guid = guidOf(address, lastIdentity(object));
  return { type: 'object', at: clock().toISOString(), address, object, ...omitUndefined({ guid }) };
}

/** A record that precedes a write, since the answer to the write may never come. */
export type Claim = ObjectRecord | DeletionRecord;

/**
 * Returns the claims of a write. Without an answer, a renamed object is recognized by its identity, a new one by
 * matching the request exactly, a deleted one by its absence, an updated one by what was sent and recorded before. What
 * a release asks counts once the whole step is done: until then the next promotion compares with what it asked before.
 */
export function writeClaims(step: Step, write: Write, recording: ClaimPorts): Claim[] {
  const { address, fact, identity, liveName, reason, formerly = address } = step;
  if (write.verb === 'delete' && identity !== undefined)
    return [{ type: 'deletion', at: recording.clock().toISOString(), address, identity }];
  if (fact === undefined || fact === null) return [];
  const isMade = write.verb === 'create' && fact.identity === undefined;
  // An object that somebody else renamed is known by its address already.
  const isRenamed =
    write.verb === 'update' && liveName !== undefined && write.name !== liveName && reason !== 'renamed-outside';
  const claimed = withBase(fact, isMade ? begun(fact.promoted) : recording.known?.get(formerly)?.promoted);
  if (isMade || isRenamed) return [objectRecord(address, claimed, recording)];
  const before = recording.known?.get(address);
  if (step.action !== 'update' || write !== step.writes[0] || before === undefined) return [];
  if (before.identity !== fact.identity) return [];
  return [objectRecord(address, { ...claimed, former: withoutFormer(before) }, recording)];
}

const withBase = ({ promoted: _, ...fact }: ObjectFact, promoted: ObjectFact['promoted']): ObjectFact => ({
  ...fact,
  ...omitUndefined({ promoted }),
});

/** A release brings the object, and nothing that it asks is known to be done. */
const begun = (promoted: ObjectFact['promoted']): ObjectFact['promoted'] => promoted && { ...promoted, spec: {} };

/**
 * Returns the claims of a step's first write. They are recorded together with the plan, so that one write to the ledger
 * is enough for all of them; an object that a step removes first stays known until then.
 */
export const firstClaims = (step: Step, recording: ClaimPorts): Claim[] =>
  step.writes.slice(0, 1).flatMap((write) => writeClaims(step, write, recording));

/**
 * Withdraws claims of writes that did not happen: an object that was to be replaced stays ours. If nobody knows whether
 * a write happened, its claim stays, also if that is an earlier update of the object: a list that lags does not show it.
 * `left` is what the ledger knows without the claim.
 */
export const withdrawn = (
  claims: readonly Claim[],
  outcome: string,
  { known }: Pick<ClaimPorts, 'known'>,
  left: (claimed: ObjectFact) => ObjectFact | null = ({ former }) => former ?? null,
): ObjectRecord[] =>
  outcome === 'unknown'
    ? []
    : claims.flatMap((claim) =>
        claim.type !== 'object' || repeatsUnanswered(claim, known)
          ? []
          : withObject(claim, claim.object === null ? null : left(claim.object)),
      );

function repeatsUnanswered({ address, object }: ObjectRecord, known: ClaimPorts['known']): boolean {
  const before = known?.get(address);
  return object !== null && before !== undefined && isUnanswered(object) && isUnanswered(before);
}

/** Copies a record with another fact; without a fact it has no GUID, since nothing was deleted. */
function withObject({ guid, ...claim }: ObjectRecord, object: ObjectFact | null): ObjectRecord {
  return { ...claim, object, ...(object === null || guid === undefined ? {} : { guid }) };
}

/**
 * Returns the facts about an object: as soon as it is created, or else once the last write is done; of a creation with
 * further writes, what a release asks only then.
 */
export function factsAfter(
  step: Step,
  write: number,
  recording: RecordPorts,
): (ObjectRecord | AcknowledgementRecord)[] {
  const [made, last] = [step.writes.findIndex(({ verb }) => verb === 'create'), step.writes.length - 1];
  const { fact } = step;
  const isWhole = write === last && (made < 0 || made === last || fact?.promoted !== undefined);
  if (!isWhole && write !== made) return [];
  const recorded = isWhole || !fact ? step : { ...step, fact: withBase(fact, begun(fact.promoted)) };
  return [...factsOf(recorded, recording), ...acknowledgementOf(step, recording)];
}

function factsOf(step: Step, recording: RecordPorts): ObjectRecord[] {
  const { clock, identityOf, followers } = recording;
  const { address, fact, formerly } = step;
  if (fact === undefined) return [];
  const at = clock().toISOString();
  const made = fact === null || fact.identity !== undefined ? undefined : identityOf(step);
  const object = fact === null || made === undefined ? fact : identified(fact, made);
  const own: ObjectRecord =
    object === null
      ? { type: 'object', at, address, object, ...deletedGuid(step, recording) }
      : objectRecord(address, object, recording);
  if (formerly === undefined) return [own];
  const following = followers?.(step).map(([other, followed]) => objectRecord(other, followed, recording)) ?? [];
  return [{ ...withObject(own, null), address: formerly }, own, ...following];
}

/** Returns the GUID of a deleted object, so that a list that still shows it can be corrected. */
function deletedGuid({ address, identity, writes }: Step, { guidOf }: ClaimPorts): Pick<ObjectRecord, 'guid'> {
  const isDeleted = identity !== undefined && writes.some(({ verb }) => verb === 'delete');
  const guid = isDeleted ? guidOf(address, identity) : undefined;
  return guid === undefined ? {} : { guid };
}

/** Adds the identity of a new object, and drops the object that it replaced. */
const identified = ({ former: _, ...fact }: ObjectFact, identity: LiveIdentity): ObjectFact => ({ ...fact, identity });

const acknowledgementOf = (
  { address, acknowledgement }: Step,
  { clock }: Pick<RecordPorts, 'clock'>,
): AcknowledgementRecord[] =>
  acknowledgement === undefined
    ? []
    : [{ type: 'acknowledgement', at: clock().toISOString(), address, acknowledgement }];
