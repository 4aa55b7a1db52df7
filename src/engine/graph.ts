import type { Address } from '../model/address.js';

/** For each address the addresses that it needs first. */
export type Edges = ReadonlyMap<Address, ReadonlySet<Address>>;

/** What most objects need: one set for all of them. */
const NOTHING: ReadonlySet<Address> = new Set();

/** What an address needs, as it is kept in a graph. */
export const needed = (addresses: readonly Address[]): ReadonlySet<Address> =>
  addresses.length === 0 ? NOTHING : new Set(addresses);

/** What an address needs directly, by name. */
export function needsOf(address: Address, edges: Edges): readonly Address[] {
  const needs = edges.get(address) ?? NOTHING;
  return needs.size === 0 ? [] : [...needs].sort();
}

/** All edges of several graphs. */
export function joinEdges(...graphs: readonly Edges[]): Edges {
  const all = new Map<Address, ReadonlySet<Address>>();
  for (const graph of graphs) {
    for (const [address, needs] of graph) all.set(address, union(all.get(address) ?? NOTHING, needs));
  }
  return all;
}

const union = (one: ReadonlySet<Address>, other: ReadonlySet<Address>): ReadonlySet<Address> => {
  if (other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
};

/** Every address after all that it needs; among those that are free, by name, so that the order is always the same. */
export function topologicalOrder(edges: Edges): Address[] {
  const done = new Set<Address>();
  const order: Address[] = [];
  const open = new Set<Address>();
  const visit = (address: Address): void => {
    if (done.has(address) || open.has(address)) return;
    open.add(address);
    for (const need of needsOf(address, edges)) visit(need);
    open.delete(address);
    done.add(address);
    order.push(address);
  };
  for (const address of [...edges.keys()].sort()) visit(address);
  return order;
}

/** Each cycle once, beginning with its smallest address. */
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
    for (const need of needsOf(address, edges)) visit(need);
    path.pop();
    state.set(address, 'done');
  };
  for (const address of [...edges.keys()].sort()) visit(address);
  return found;
}

function fromSmallest(cycle: Address[]): Address[] {
  const smallest = cycle.indexOf([...cycle].sort()[0] as Address);
  return [...cycle.slice(smallest), ...cycle.slice(0, smallest)];
}
