import { type Address, splitAddress } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Kind } from '../model/kind.js';
import type { Capability, Observation, Observed } from '../model/observation.js';
import type { Range, Step, Write } from '../model/plan.js';

/** Returns how many requests a plan takes after its last step. */
export type PriceAtEnd = (steps: readonly Step[]) => number;

/** Computes the price of a plan: fixed for object writes; by rows and commit rule for an import. */
export function pricePlan(steps: readonly Step[], jobs: readonly JobFacts[], atEnd: PriceAtEnd = () => 0): Range {
  const sending = new Set<Address>();
  const looks = atEnd(steps);
  const price = { min: looks, max: looks };
  const add = ({ min, max }: Range): void => {
    price.min += min;
    price.max += max;
  };
  for (const { address, writes } of steps) {
    for (const write of writes) {
      add(writePrice(write));
      if (write.verb !== 'import' || write.done === undefined) sending.add(address);
    }
  }
  for (const { address, requests } of jobs) if (sending.has(address)) add(requests);
  return price;
}

const FREE: Range = { min: 0, max: 0 };

function writePrice(write: Write): Range {
  if (write.verb === 'import' || write.verb === 'record') return FREE;
  const requests = 1 + readsOf(write);
  return { min: requests, max: requests };
}

/** An update that keeps values needs a read before it, a deletion one after it, and a retirement both. */
function readsOf(write: Write): number {
  if (write.verb === 'retire') return 2;
  return write.verb === 'delete' || (write.verb === 'update' && write.readFirst === 'yes') ? 1 : 0;
}

interface Lists {
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
  readonly observation: Observation;
  /** Returns how many requests it takes to list a kind with a number of objects; without it, no list is read. */
  readonly requestsOfList?: (kind: Kind, objects: number) => number;
}

/** Prices the search for copies: where names need not be unique, the list of each created kind is read once. */
export const priceOfLists =
  ({ kindNamed, capabilityOf, observation, requestsOfList }: Lists): PriceAtEnd =>
  (steps) => {
    if (requestsOfList === undefined) return 0;
    const created = new Map<string, number>();
    for (const { address, writes } of steps) {
      const { kind } = splitAddress(address);
      if (writes.some(({ verb }) => verb === 'create')) created.set(kind, (created.get(kind) ?? 0) + 1);
    }
    return [...created].reduce((sum, [name, count]) => {
      const kind = kindNamed(name);
      const { length: present } = observation.objects.get(name) as readonly Observed[];
      return capabilityOf(kind).names === 'unique' ? sum : sum + requestsOfList(kind, present + count);
    }, 0);
  };
