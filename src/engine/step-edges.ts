import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Children, Kind } from '../model/kind.js';
import type { Write } from '../model/plan.js';
import type { Decision } from './decision.js';
import { type Edges, joined } from './graph.js';
import { referencesOf } from './references.js';

/**
 * What each decision waits for: what its manifest refers to, and the steps that give an object a name by which a write
 * of its own calls that object, whether or not a manifest names it there.
 */
export function stepEdges(decisions: readonly Decision[], edges: Edges, kindNamed: (name: string) => Kind): Edges {
  const giving = new Map(decisions.flatMap(namesGiven));
  const own = decisions.map(({ address, writes }): [Address, ReadonlySet<Address>] => {
    const first = writes.flatMap((write) => namesUsed(write, address, kindNamed)).map((name) => giving.get(name));
    return [address, new Set(first.filter((one): one is Address => one !== undefined && one !== address))];
  });
  return joined(edges, new Map(own));
}

/** The names that objects have once a step was done, and had not before. */
function namesGiven({ address, writes, liveName }: Decision): [Address, Address][] {
  const { kind } = splitAddress(address);
  const retired = writes.flatMap((write) => (write.verb === 'retire' ? [addressOf(kind, write.to)] : []));
  // Also where it is not renamed: then what counts on its new name is not done either.
  const isNamed = liveName !== undefined || writes.some(({ verb }) => verb === 'create');
  return [...retired, ...(isNamed ? [address] : [])].map((name) => [name, address]);
}

function namesUsed(write: Write, address: Address, kindNamed: (name: string) => Kind): Address[] {
  const spec = 'spec' in write ? write.spec : 'fields' in write ? write.fields : undefined;
  if (spec !== undefined) {
    const { schema } = kindNamed(splitAddress(address).kind);
    return referencesOf(schema, spec).map(({ kind, name }) => addressOf(kind, name));
  }
  if (write.verb !== 'addChild' && write.verb !== 'removeChild') return [];
  const child = kindNamed(splitAddress(address).kind).children[write.field] as Children;
  return [addressOf(child.ref, write.name)];
}
