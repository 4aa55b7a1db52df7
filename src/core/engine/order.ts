import type { Diagnostic } from '#base/diagnostics.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { JsonObject } from '../model/json.js';
import type { Children, Kind } from '../model/kind.js';
import type { Step, Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import type { Decision } from './decision.js';
import { cycles, directNeeds, type Edges, joinEdges, topologicalOrder } from './graph.js';
import { LEDGER } from './prune.js';
import { listReferences } from './references.js';

/**
 * Orders decisions as steps, each after those that it needs. Needs without a decision are left out, and so are objects
 * of checked kinds that exist, however they differ.
 */
export function orderSteps(decisions: readonly Decision[], edges: Edges): Step[] {
  const byAddress = new Map<Address, Decision>(decisions.map((decision) => [decision.address, decision]));
  return topologicalOrder(edges, byAddress.keys()).flatMap((address) => {
    const decision = byAddress.get(address);
    if (decision === undefined) return [];
    const dependsOn = directNeeds(address, edges).filter(
      (need) => byAddress.has(need) && byAddress.get(need)?.reason !== 'checked',
    );
    return [{ ...decision, dependsOn }];
  });
}

/** Blocks steps that wait for a step that is not applied, so that the plan shows all that it will not do. */
export function blockDependents(steps: readonly Step[]): Step[] {
  const stopped = new Set<Address>();
  return steps.map((step) => {
    const cause = step.dependsOn.find((needed) => stopped.has(needed));
    const still = step.action === 'blocked' || step.action === 'manual';
    if (still || cause !== undefined) stopped.add(step.address);
    return cause === undefined || still ? step : blockStep(step, `It needs ${cause}, which this plan does not apply.`);
  });
}

/** Blocks a step that waits for something that this plan does not do. */
export const blockStep = ({ fact: _, ...step }: Step, message: string): Step => ({
  ...step,
  action: 'blocked',
  reason: 'dependency-blocked',
  wanted: step.action,
  message,
  writes: [],
});

/**
 * Returns what each decision waits for: what its manifest refers to, and the steps that give an object the name by
 * which a write of its own refers to it, whether or not a manifest has that name.
 */
export function stepEdges(decisions: readonly Decision[], edges: Edges, kindNamed: (name: string) => Kind): Edges {
  const giving = new Map(decisions.flatMap(namesGiven));
  const own = new Map<Address, ReadonlySet<Address>>();
  for (const { address, writes } of decisions) {
    const first = writes.flatMap((write) => namesUsed(write, address, kindNamed)).map((name) => giving.get(name));
    const needs = first.filter((one): one is Address => one !== undefined && one !== address);
    if (needs.length > 0) own.set(address, new Set(needs));
  }
  return joinEdges(edges, own);
}

/** Lists the names that objects get by a step. An object that only the ledger asks for is removed and gives none. */
function namesGiven({ address, writes, liveName, origin }: Decision): [Address, Address][] {
  const { kind } = splitAddress(address);
  const retired = writes.flatMap((write) => (write.verb === 'retire' ? [addressOf(kind, write.to)] : []));
  // Also if it cannot be renamed: then steps that rely on its new name are not applied either.
  const isKept = liveName !== undefined && origin.layer !== LEDGER.layer;
  const isNamed = isKept || writes.some(({ verb }) => verb === 'create');
  return [...retired, ...(isNamed ? [address] : [])].map((name) => [name, address]);
}

function namesUsed(write: Write, address: Address, kindNamed: (name: string) => Kind): Address[] {
  const specs = specsIn(write);
  if (specs.length > 0) {
    const { schema } = kindNamed(splitAddress(address).kind);
    return specs.flatMap((spec) => listReferences(schema, spec)).map(({ kind, name }) => addressOf(kind, name));
  }
  if (write.verb !== 'addChild' && write.verb !== 'removeChild') return [];
  const { ref } = kindNamed(splitAddress(address).kind).children[write.field] as Children;
  return ref === undefined ? [] : [addressOf(ref, write.name)];
}

function specsIn(write: Write): JsonObject[] {
  if (write.verb === 'create') return [write.spec, ...(write.back === undefined ? [] : [write.back.fields])];
  if ('entry' in write && write.entry !== undefined) return [{ [write.field]: [write.entry] }];
  return 'fields' in write ? [write.fields] : [];
}

/** Lets the ledger learn an object's new address first, where another manifest reuses the old one. */
export function learnFirst(bound: readonly Bound[]): Edges {
  if (bound.every(({ knownAs }) => knownAs === undefined)) return new Map();
  const settled = new Set(bound.filter(({ knownAs }) => knownAs === undefined).map(({ manifest }) => manifest.address));
  return new Map(
    bound.flatMap(({ knownAs, manifest: { address } }) =>
      knownAs !== undefined && settled.has(knownAs) ? [[knownAs, new Set([address])] as const] : [],
    ),
  );
}

/** Adds to the references of the manifests what imports need because of their rows. */
export function withNeeds(edges: Edges, jobs: readonly JobFacts[]): Edges {
  if (jobs.length === 0) return edges;
  const all = new Map(edges);
  for (const { address, needs } of jobs) all.set(address, new Set([...directNeeds(address, edges), ...needs]));
  return all;
}

/** Finds imports that wait for each other, since `after` contradicts the order of their rows. Needs the files read. */
export function needCycles(edges: Edges, jobs: readonly JobFacts[]): Diagnostic[] {
  return cycles(withNeeds(edges, jobs)).flatMap((cycle) => {
    const follows = new Map(cycle.map((address, index) => [address, cycle[(index + 1) % cycle.length] as Address]));
    const waiting = jobs.filter(({ address, needs }) => needs.includes(follows.get(address) as Address));
    const why = waiting.map(
      ({ address }) =>
        `${address} comes after ${follows.get(address)} automatically: its rows refer to the other's records.`,
    );
    const message = `These imports depend on each other: ${[...cycle, cycle[0]].join(' -> ')}. ${why.join(' ')}`;
    const hint = 'Remove the `after` that contradicts this order.';
    return waiting
      .slice(0, 1)
      .map(({ origin }): Diagnostic => ({ severity: 'error', code: 'import-cycle', message, hint, origin }));
  });
}
