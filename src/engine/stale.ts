import { type Address, addressOf, splitAddress } from '../model/address.js';
import { isDeadReference, type Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import { lookupKey, type Observation, type Observed } from '../model/observation.js';
import type { Plan, Step } from '../model/plan.js';
import { changedPaths } from './changed-paths.js';
import { fingerprint } from './normal-form.js';
import { neededReferences } from './plan-references.js';
import type { Reference } from './references.js';
import { standingOf } from './standing.js';

/** Something that is not as a plan saw it any more. */
export interface Stale {
  readonly address: Address;
  /** `settled`: what the plan asks for was done by somebody else. */
  readonly is: 'changed' | 'gone' | 'created' | 'renamed' | 'owned' | 'reference' | 'source' | 'settled';
  /** Which fields differ from what the plan saw, where that is what happened. */
  readonly fields: readonly string[];
  /** Follows the address: `changed in workspace "prod" after this plan was made (description)`. */
  readonly message: string;
}

/** What was read of the workspace and its ledger just now. */
export interface Now {
  readonly observation: Observation;
  readonly facts: ReadonlyMap<Address, ObjectFact>;
  readonly kindNamed: (name: string) => Kind | undefined;
}

/** Each object of the plan that is not as the plan saw it. What the plan does not touch does not count. */
export function staleObjects(plan: Plan, now: Now): Stale[] {
  const made = madeBy(plan);
  return plan.steps.flatMap((step) => {
    const kind = now.kindNamed(splitAddress(step.address).kind);
    if (kind === undefined || step.writes.length === 0) return [];
    const looking = { plan, kind, now, objects: now.observation.objects.get(kind.name) ?? [] };
    const own = taken(step, looking) ?? changed(step, looking);
    return own === undefined ? staleReferences(step, made, looking) : [own];
  });
}

interface Looking {
  readonly plan: Plan;
  readonly kind: Kind;
  readonly now: Now;
  /** What lives of the kind. */
  readonly objects: readonly Observed[];
}

const AFTER = 'after this plan was made';

const placeOf = ({ workspace }: Plan): string => `workspace "${workspace.name}"`;

/** A name that a step gives, and that somebody else has given by now. */
function taken(step: Step, { plan, kind, objects }: Looking): Stale | undefined {
  const name = namesGiven(step).find((given) => objects.some((object) => object.name === given));
  if (name === undefined) return undefined;
  const message = `was created in ${placeOf(plan)} ${AFTER}`;
  return { address: addressOf(kind.name, name), is: 'created', fields: [], message };
}

/** A replacement takes the name of what it renames away first. */
function namesGiven({ address, liveName, observed, writes }: Step): string[] {
  const { name } = splitAddress(address);
  return writes.flatMap((write) => {
    if (write.verb === 'create') return write.name ?? (observed === undefined ? name : []);
    return write.verb === 'update' && liveName !== undefined && write.name !== liveName ? write.name : [];
  });
}

function changed(step: Step, looking: Looking): Stale | undefined {
  const { plan, kind, objects } = looking;
  const { observed, identity } = step;
  const name = step.liveName ?? splitAddress(step.address).name;
  const stale = (is: Stale['is'], what: string, fields: readonly string[] = []): Stale => {
    const told = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
    return { address: addressOf(kind.name, name), is, fields, message: `${what} ${AFTER}${told}` };
  };
  const where = placeOf(plan);
  const owned = (other: string | undefined) => (other === undefined ? undefined : stale('owned', other));
  if (observed === undefined) return owned(ownerOfGone(step, looking));
  const object = objects.find((one) => one.identity === identity);
  const successor = objects.find((one) => one.name === name);
  if (object === undefined) {
    return successor === undefined
      ? stale('gone', `was deleted from ${where}`)
      : stale(
          'changed',
          `was deleted and created anew in ${where}`,
          changedPaths(kind.schema, observed, successor.spec),
        );
  }
  if (object.name !== name) return stale('renamed', `was renamed to "${object.name}" in ${where}`);
  if (fingerprint(kind.schema, object.spec) !== step.fingerprint)
    return stale('changed', `changed in ${where}`, changedPaths(kind.schema, observed, object.spec));
  return owned(otherOwner(step, object, looking));
}

/** What is gone and only struck from the ledger may have been made again by another stack. */
function ownerOfGone({ address, writes }: Step, { plan, now }: Looking): string | undefined {
  const fact = now.facts.get(address);
  const other = fact !== undefined && fact.stack !== plan.stack && writes.every(({ verb }) => verb === 'record');
  return other ? belongsTo(fact.stack) : undefined;
}

const belongsTo = (stack: string): string => `came to belong to stack "${stack}"`;

/** What the ledger says by now that would have kept the plan from being made. */
function otherOwner({ address, writes }: Step, object: Observed, { plan, kind, now }: Looking): string | undefined {
  // The ledger knows what a plan renames by its former name.
  const fact = now.facts.get(address) ?? now.facts.get(addressOf(kind.name, object.name));
  const standing = standingOf(fact, object, plan.stack, kind);
  if (standing.is === 'other') return belongsTo(standing.stack);
  if (!writes.some(({ verb }) => verb === 'delete' || verb === 'retire')) return undefined;
  if (standing.is === 'nobody') return `was given up by stack "${plan.stack}"`;
  return standing.fact.protect ? 'was protected' : undefined;
}

/** What the plan's own steps bring about. */
function madeBy({ steps }: Plan): ReadonlySet<Address> {
  const writing = steps.filter(({ writes }) => writes.length > 0);
  const given = writing.flatMap((step) => {
    const { kind } = splitAddress(step.address);
    return namesGiven(step).map((name) => addressOf(kind, name));
  });
  return new Set([...writing.map(({ address }) => address), ...given]);
}

function staleReferences(step: Step, made: ReadonlySet<Address>, { plan, now }: Looking): Stale[] {
  return neededReferences(step, now.kindNamed).flatMap((reference): Stale[] => {
    const target = addressOf(reference.kind, reference.name);
    const count = made.has(target) || isDeadReference(reference.name) ? 1 : countOf(reference, target, now);
    if (count === 1) return [];
    const where = placeOf(plan);
    const what = count === 0 ? `which is not in ${where} any more` : `and ${count} of ${where} are called so now`;
    return [{ address: step.address, is: 'reference', fields: [], message: `refers to ${target}, ${what}` }];
  });
}

/** How many a name may mean; of several objects the one that the ledger knows is meant. */
function countOf(
  { kind, partition, name }: Reference,
  target: Address,
  { observation, facts, kindNamed }: Now,
): number {
  if (kindNamed(kind) === undefined) {
    return (observation.lookups.get(lookupKey(kind, partition)) ?? []).filter((names) => names.includes(name)).length;
  }
  const found = (observation.objects.get(kind) ?? []).filter((object) => object.name === name);
  const known = facts.get(target)?.identity;
  return found.some(({ identity }) => identity === known) ? 1 : found.length;
}
