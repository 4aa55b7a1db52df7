import { naturalOrder } from '#base/natural-order.js';
import type { Address } from '../model/address.js';

/** For each address, the addresses that it needs first. An address that is absent needs nothing. */
export type Edges = ReadonlyMap<Address, ReadonlySet<Address>>;

const NOTHING: ReadonlySet<Address> = new Set();

/** Returns what an address needs directly, sorted by name. */
export function directNeeds(address: Address, edges: Edges): readonly Address[] {
  const needs = edges.get(address) ?? NOTHING;
  return needs.size === 0 ? [] : [...needs].sort(naturalOrder);
}

/** Joins the edges of several graphs. */
export function joinEdges(...graphs: readonly Edges[]): Edges {
  const [first = new Map(), ...others] = graphs.filter(({ size }) => size > 0);
  if (others.length === 0) return first;
  const all = new Map(first);
  for (const graph of others) {
    for (const [address, needs] of graph) all.set(address, union(all.get(address) ?? NOTHING, needs));
  }
  return all;
}

const union = (one: ReadonlySet<Address>, other: ReadonlySet<Address>): ReadonlySet<Address> => {
  if (other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
};

/** Sorts addresses and all that they need: each after its needs, otherwise by name, so that the order is stable. */
export function topologicalOrder(edges: Edges, addresses: Iterable<Address> = edges.keys()): Address[] {
  const done = new Set<Address>();
  const order: Address[] = [];
  const open = new Set<Address>();
  const visit = (address: Address): void => {
    if (done.has(address) || open.has(address)) return;
    open.add(address);
    for (const need of directNeeds(address, edges)) visit(need);
    open.delete(address);
    done.add(address);
    order.push(address);
  };
  for (const address of [...addresses].sort(naturalOrder)) visit(address);
  return order;
}

/** Yields addresses that need something; only these can be part of a cycle. */
function* needing(edges: Edges): Generator<Address> {
  for (const [address, needs] of edges) if (needs.size > 0) yield address;
}

/** Finds each cycle once, beginning with its smallest address. */
export function cycles(edges: Edges): Address[][] {
  const state = new Map<Address, 'open' | 'done'>();
  const path: Address[] = [];
  const found: Address[][] = [];
  const visit = (address: Address): void => {
    if (state.get(address) === 'done') return;
    if (state.get(address) === 'open') {
      found.push(fromSmallest(path.slice(path.indexOf(address))));
      return;
    }
    state.set(address, 'open');
    path.push(address);
    for (const need of directNeeds(address, edges)) visit(need);
    path.pop();
    state.set(address, 'done');
  };
  for (const address of [...needing(edges)].sort(naturalOrder)) visit(address);
  return found;
}

function fromSmallest(cycle: Address[]): Address[] {
  const smallest = cycle.indexOf([...cycle].sort(naturalOrder)[0] as Address);
  return [...cycle.slice(smallest), ...cycle.slice(0, smallest)];
}
