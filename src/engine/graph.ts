import type { Address } from '../model/address.js';

/** For each address the addresses that it needs first. */
export type Edges = ReadonlyMap<Address, ReadonlySet<Address>>;

/** What an address needs directly, by name. */
export const needsOf = (address: Address, edges: Edges): Address[] => [...(edges.get(address) ?? [])].sort();

/** All edges of several graphs. */
export function joinEdges(...graphs: readonly Edges[]): Edges {
  const all = new Map<Address, ReadonlySet<Address>>();
  for (const graph of graphs) {
    for (const [address, needed] of graph) all.set(address, new Set([...(all.get(address) ?? []), ...needed]));
  }
  return all;
}

/** Every address after all that it needs; among those that are free, by name, so that the order is always the same. */
export function topologicalOrder(edges: Edges): Address[] {
  const done = new Set<Address>();
  const order: Address[] = [];
  const open = new Set<Address>();
  const visit = (address: Address): void => {
    if (done.has(address) || open.has(address)) return;
    open.add(address);
    for (const needed of needsOf(address, edges)) visit(needed);
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
    for (const needed of needsOf(address, edges)) visit(needed);
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
