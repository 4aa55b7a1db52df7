import type { Address } from '../model/address.js';

/** For each address the addresses that it needs first. */
export type Edges = ReadonlyMap<Address, ReadonlySet<Address>>;

/** Every address after all that it needs; among those that are free, by name, so that the order is always the same. */
export function inOrder(edges: Edges): Address[] {
  const done = new Set<Address>();
  const order: Address[] = [];
  const open = new Set<Address>();
  const visit = (address: Address): void => {
    if (done.has(address) || open.has(address)) return;
    open.add(address);
    for (const needed of sorted(edges.get(address))) visit(needed);
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
    for (const needed of sorted(edges.get(address))) visit(needed);
    path.pop();
    state.set(address, 'done');
  };
  for (const address of [...edges.keys()].sort()) visit(address);
  return found;
}

const sorted = (addresses: ReadonlySet<Address> | undefined): Address[] => [...(addresses ?? [])].sort();

function fromSmallest(cycle: Address[]): Address[] {
  const smallest = cycle.indexOf([...cycle].sort()[0] as Address);
  return [...cycle.slice(smallest), ...cycle.slice(0, smallest)];
}
