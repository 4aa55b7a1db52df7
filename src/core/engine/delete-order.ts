import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { LiveIdentity } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import type { Bound } from './bind.js';
import type { Decision } from './decision.js';
import type { Edges } from './graph.js';
import { listReferences } from './references.js';
import { overlay } from './spec-after.js';

/** Inputs that decide where deletes are placed. */
export interface DeleteOrderInput {
  readonly decisions: readonly Decision[];
  readonly bound: readonly Bound[];
  readonly jobs: readonly Pick<JobFacts, 'address' | 'definition'>[];
  readonly observation: Observation;
  readonly kindNamed: (name: string) => Kind;
}

/**
 * Orders deletes after every step that removes a reference to their objects. An object that is still referred to after
 * the plan is neither deleted nor renamed away: the reference would lead nowhere.
 */
export function orderDeletes(deleting: DeleteOrderInput): { decisions: readonly Decision[]; edges: Edges } {
  const { bound, observation, kindNamed } = deleting;
  if (!deleting.decisions.some(takesAway)) return { decisions: deleting.decisions, edges: new Map() };
  const named = manifestReferences(deleting);
  const decisions = deleting.decisions.map((decision) => blockReferenced(decision, named.get(liveAddress(decision))));
  const deletes = decisions.filter((decision) => decision.action === 'delete' && takesAway(decision));
  if (deletes.length === 0) return { decisions, edges: new Map() };
  const byLive = new Map(deletes.map((one) => [liveAddress(one), one.address]));
  const keepers = new Map(bound.flatMap(keeperOf));
  const deleted = new Map<LiveIdentity | undefined, Address>(
    deletes.map(({ identity, address }) => [identity, address]),
  );
  const changing = new Set(decisions.filter(({ writes }) => writes.length > 0).map(({ address }) => address));
  const edges = new Map<Address, Set<Address>>(deletes.map(({ address }) => [address, new Set()]));
  const held = new Map<Address, string>();
  for (const { kind, object, target } of referrers(byLive, observation, kindNamed)) {
    const keeper = keepers.get(object.identity);
    const first = deleted.get(object.identity) ?? releasingStep(keeper, kind, target, byLive, changing);
    if (first === undefined) held.set(target, addressOf(kind.name, object.name));
    else (edges.get(target) as Set<Address>).add(first);
  }
  for (const [address, needed] of edges) needed.delete(address);
  return { decisions: decisions.map((decision) => blockReferenced(decision, held.get(decision.address))), edges };
}

/** Maps each address that manifests or imports refer to, to one of those that refer to it. */
function manifestReferences({ bound, jobs, kindNamed }: DeleteOrderInput): ReadonlyMap<Address, Address> {
  const references = bound.flatMap(({ manifest: { kind, address }, desired }) =>
    listReferences(kindNamed(kind).schema, desired).map((one) => [addressOf(one.kind, one.name), address] as const),
  );
  return new Map([...references, ...jobs.map(({ definition, address }) => [definition, address] as const)]);
}

const liveAddress = ({ address, liveName }: Decision): Address =>
  liveName === undefined ? address : addressOf(splitAddress(address).kind, liveName);

interface Referrer {
  readonly kind: Kind;
  readonly object: Observed;
  /** The address of the delete. */
  readonly target: Address;
}

function* referrers(
  byLive: ReadonlyMap<Address, Address>,
  { objects }: Observation,
  kindNamed: DeleteOrderInput['kindNamed'],
): Generator<Referrer> {
  for (const [name, live] of objects) {
    const kind = kindNamed(name);
    for (const object of live) {
      for (const target of targetsIn(kind.schema, object.spec, byLive)) yield { kind, object, target };
    }
  }
}

/** Returns the deletes whose objects a spec refers to. */
const targetsIn = (schema: object, spec: JsonObject, byLive: ReadonlyMap<Address, Address>): Address[] =>
  listReferences(schema, spec).flatMap(({ kind, name }) => byLive.get(addressOf(kind, name)) ?? []);

/** A live object that a manifest describes, as it is and as it is to be. */
interface Keeper {
  readonly address: Address;
  readonly desired: JsonObject;
  readonly observed: JsonObject;
}

const keeperOf = ({ live, manifest: { address }, desired }: Bound): [LiveIdentity, Keeper][] =>
  'object' in live ? [[live.object.identity, { address, desired, observed: live.object.spec }]] : [];

/** Returns the step that removes the reference, if there is one. */
function releasingStep(
  keeper: Keeper | undefined,
  { schema }: Kind,
  target: Address,
  byLive: ReadonlyMap<Address, Address>,
  changing: ReadonlySet<Address>,
): Address | undefined {
  if (keeper === undefined || !changing.has(keeper.address)) return undefined;
  const after = overlay(schema, keeper.desired, keeper.observed);
  return targetsIn(schema, after, byLive).includes(target) ? undefined : keeper.address;
}

/** Whether a step leaves references without a target: of two objects with one name, they mean the one that stays. */
const takesAway = ({ action, reason }: Decision): boolean =>
  (action === 'delete' || action === 'retire') && reason !== 'twin';

function blockReferenced(decision: Decision, holder: string | undefined): Decision {
  if (holder === undefined || !takesAway(decision)) return decision;
  const message = `${holder} still refers to it. Remove that reference first.`;
  const { fact: _, action, ...rest } = decision;
  return { ...rest, action: 'blocked', reason: 'still-referenced', message, writes: [], wanted: action };
}
