import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { LiveIdentity } from '../model/object-fact.js';
import type { Observation, Observed } from '../model/observation.js';
import type { Bound } from './bind.js';
import type { Decision } from './decision.js';
import type { Edges } from './graph.js';
import { overlay } from './overlay.js';
import { referencesOf } from './references.js';

/** What is known when deletes get their place. */
export interface Deleting {
  readonly decisions: readonly Decision[];
  readonly bound: readonly Bound[];
  readonly jobs: readonly Pick<JobFacts, 'address' | 'definition'>[];
  readonly observation: Observation;
  readonly kindNamed: (name: string) => Kind;
}

/**
 * Deletes after everything that lets go of their objects. What something still refers to once the plan was applied is
 * neither deleted nor renamed away: the reference would lead nowhere.
 */
export function orderDeletes(deleting: Deleting): { decisions: readonly Decision[]; edges: Edges } {
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

/** What the manifests refer to, and one of those that do. */
function manifestReferences({ bound, jobs, kindNamed }: Deleting): ReadonlyMap<Address, Address> {
  const references = bound.flatMap(({ manifest: { kind, address }, desired }) =>
    referencesOf(kindNamed(kind).schema, desired).map((one) => [addressOf(one.kind, one.name), address] as const),
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
  kindNamed: Deleting['kindNamed'],
): Generator<Referrer> {
  for (const [name, live] of objects) {
    const kind = kindNamed(name);
    for (const object of live) {
      for (const target of targetsIn(kind.schema, object.spec, byLive)) yield { kind, object, target };
    }
  }
}

/** The deletes whose objects a spec refers to. */
const targetsIn = (schema: object, spec: JsonObject, byLive: ReadonlyMap<Address, Address>): Address[] =>
  referencesOf(schema, spec).flatMap(({ kind, name }) => byLive.get(addressOf(kind, name)) ?? []);

/** What a live object that a manifest describes is, and what it is to be. */
interface Keeper {
  readonly address: Address;
  readonly desired: JsonObject;
  readonly observed: JsonObject;
}

const keeperOf = ({ live, manifest: { address }, desired }: Bound): [LiveIdentity, Keeper][] =>
  'object' in live ? [[live.object.identity, { address, desired, observed: live.object.spec }]] : [];

/** The step that removes the reference, where one does. */
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

/** References to a name that two objects have are to the one that stays. */
const takesAway = ({ action, reason }: Decision): boolean =>
  (action === 'delete' || action === 'retire') && reason !== 'twin';

function blockReferenced(decision: Decision, holder: string | undefined): Decision {
  if (holder === undefined || !takesAway(decision)) return decision;
  const message = `${holder} still refers to it. Remove that reference first.`;
  const { fact: _, action, ...rest } = decision;
  return { ...rest, action: 'blocked', reason: 'still-referenced', message, writes: [], wanted: action };
}
