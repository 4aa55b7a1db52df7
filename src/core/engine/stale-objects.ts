import { type Address, addressOf, splitAddress } from '../model/address.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import { memoizeBy } from '../model/memoize.js';
import { lookupKey, type Observation, type Observed } from '../model/observation.js';
import type { Plan, Step } from '../model/plan.js';
import { changedPaths } from './diff.js';
import type { Facts } from './find-live.js';
import { type LiveIndex, liveIndex } from './live-index.js';
import { listCandidates, liveUnder } from './live-under.js';
import { fingerprint } from './normal-form.js';
import { findPossibleMatch, type OddObject, unclearObjects } from './odd-objects.js';
import { judgeOwnership } from './ownership.js';
import { neededReferences, type Reference } from './references.js';

/** Something that is no longer as a plan saw it. */
export interface Stale {
  readonly address: Address;
  /** `settled`: someone else already did what the plan asks for. */
  readonly is: 'changed' | 'gone' | 'created' | 'renamed' | 'owned' | 'reference' | 'source' | 'settled';
  /** Fields that differ from what the plan saw, if that is what happened. */
  readonly fields: readonly string[];
  /** Follows the address: `changed in environment "prod" after this plan was created (description)`. */
  readonly message: string;
}

/** The workspace and its ledger as they were just read. */
export interface CurrentState {
  readonly observation: Observation;
  readonly facts: Facts;
  readonly kindNamed: (name: string) => Kind | undefined;
}

/** Finds objects of the plan that are no longer as it saw them. Objects that it does not touch do not count. */
export function staleObjects(plan: Plan, now: CurrentState): Stale[] {
  const made = effectsOf(plan);
  const index = liveIndex(now.observation);
  const unclear = memoizeBy((kind: string) => unclearObjects(kind, now.observation, now.facts));
  return plan.steps.flatMap((step) => {
    const kind = now.kindNamed(splitAddress(step.address).kind);
    if (kind === undefined || step.writes.length === 0) return [];
    const looking = { plan, kind, now, index, unclear };
    const own = takenName(step, looking) ?? changedObject(step, looking);
    return own === undefined ? staleReferences(step, made, looking) : [own];
  });
}

interface Looking {
  readonly plan: Plan;
  readonly kind: Kind;
  readonly now: CurrentState;
  /** The live objects now. */
  readonly index: LiveIndex;
  /** Odd objects of a kind, each of which may be any object. */
  readonly unclear: (kind: string) => readonly OddObject[];
}

const AFTER = 'after this plan was created';

const environmentOf = ({ environment }: Plan): string => `environment "${environment}"`;

/** Says what happened to an object after the plan was created, with the fields that differ if they are known. */
export function staleSince(address: Address, is: Stale['is'], what: string, fields: readonly string[] = []): Stale {
  const list = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  return { address, is, fields, message: `${what} ${AFTER}${list}` };
}

/** Finds a name that a step gives and that someone else has given since. */
function takenName(step: Step, { plan, kind, index, unclear }: Looking): Stale | undefined {
  const names = newNames(step);
  const hidden = names.length === 0 ? undefined : findPossibleMatch(unclear(kind.name), undefined);
  if (hidden !== undefined) return staleSince(step.address, 'created', 'may be an entry that can no longer be read');
  const name = names.find((given) => index.named(kind.name, given).length > 0);
  if (name === undefined) return undefined;
  return staleSince(addressOf(kind.name, name), 'created', `was created in ${environmentOf(plan)}`);
}

/** Lists names that must be free for a step. A replacement uses the name of the object that it renames away first. */
function newNames({ address, liveName, observed, writes }: Step): string[] {
  const { name } = splitAddress(address);
  return writes.flatMap((write) => {
    if (write.verb === 'create') return write.name ?? (observed === undefined ? name : []);
    return write.verb === 'update' && liveName !== undefined && write.name !== liveName ? write.name : [];
  });
}

function changedObject(step: Step, looking: Looking): Stale | undefined {
  const { plan, kind, index } = looking;
  const { observed, identity } = step;
  const name = step.liveName ?? splitAddress(step.address).name;
  const stale = (is: Stale['is'], what: string, fields?: readonly string[]): Stale =>
    staleSince(addressOf(kind.name, name), is, what, fields);
  const where = environmentOf(plan);
  const ownerChange = (other: string | undefined) => (other === undefined ? undefined : stale('owned', other));
  if (observed === undefined) return ownerChange(ownerOfGone(step, looking));
  const object = index.withIdentity(kind.name, identity);
  const odd = (object ?? index.named(kind.name, name)[0])?.odd;
  if (odd !== undefined) return stale('changed', `can no longer be read in ${where}: its entry ${odd.why}`);
  if (object === undefined) {
    const [successor] = index.named(kind.name, name);
    if (successor === undefined) return stale('gone', `was deleted from ${where}`);
    const what = `was deleted and recreated in ${where}`;
    return stale('changed', what, changedPaths(kind.schema, observed, successor.spec));
  }
  if (object.name !== name) return stale('renamed', `was renamed to "${object.name}" in ${where}`);
  // The step's own fingerprint may be in the form of an older version.
  if (fingerprint(kind.schema, object.spec) !== fingerprint(kind.schema, observed))
    return stale('changed', `changed in ${where}`, changedPaths(kind.schema, observed, object.spec));
  return ownerChange(otherOwner(step, object, looking));
}

/** Finds another stack that recreated an object which is gone and which this step only removes from the ledger. */
function ownerOfGone({ address, writes }: Step, { plan, now }: Looking): string | undefined {
  const fact = now.facts.get(address);
  const other = fact !== undefined && fact.stack !== plan.stack && writes.every(({ verb }) => verb === 'record');
  return other ? belongsTo(fact.stack) : undefined;
}

const belongsTo = (stack: string): string => `is now owned by stack "${stack}"`;

/** Finds what the ledger now says that would have prevented this step. */
function otherOwner(
  { address, reason, writes }: Step,
  object: Observed,
  { plan, kind, now }: Looking,
): string | undefined {
  // The ledger knows an object that the plan renames by its former name.
  const fact = now.facts.get(address) ?? now.facts.get(addressOf(kind.name, object.name));
  const standing = judgeOwnership(fact, object, plan.stack, kind);
  if (reason === 'twin') return standing.is === 'nobody' ? undefined : 'is the object of the ledger now';
  if (standing.is === 'other') return belongsTo(standing.stack);
  if (!writes.some(({ verb }) => verb === 'delete' || verb === 'retire')) return undefined;
  if (standing.is === 'nobody') return `is no longer owned by stack "${plan.stack}"`;
  return standing.fact.protect ? 'was protected' : undefined;
}

/** Returns the addresses that the plan's own steps bring about. */
function effectsOf({ steps }: Plan): ReadonlySet<Address> {
  const writing = steps.filter(({ writes }) => writes.length > 0);
  const named = writing.flatMap((step) => {
    const { kind } = splitAddress(step.address);
    return newNames(step).map((name) => addressOf(kind, name));
  });
  return new Set([...writing.map(({ address }) => address), ...named]);
}

function staleReferences(step: Step, made: ReadonlySet<Address>, looking: Looking): Stale[] {
  return neededReferences(step, looking.now.kindNamed).flatMap((reference): Stale[] => {
    const target = addressOf(reference.kind, reference.name);
    const count = made.has(target) || isDeadReference(reference.name) ? 1 : countOf(reference, looking);
    if (count === 1) return [];
    const where = environmentOf(looking.plan);
    const what = count === 0 ? `which is no longer in ${where}` : `but ${count} objects in ${where} now have this name`;
    return [{ address: step.address, is: 'reference', fields: [], message: `refers to ${target}, ${what}` }];
  });
}

/** Counts the objects or lookup entries that a name may mean. */
function countOf({ kind, partition, name }: Reference, { index, now }: Looking): number {
  const { observation, facts, kindNamed } = now;
  if (kindNamed(kind) === undefined) {
    return (observation.lookups.get(lookupKey(kind, partition)) ?? []).filter((names) => names.includes(name)).length;
  }
  return listCandidates(liveUnder(kind, name, index, facts.get(addressOf(kind, name))?.identity)).length;
}
