import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Range, Step, Write } from '../model/plan.js';

/** Object writes have a fixed price; that of an import depends on its rows and its commit rule. */
export function priceOf(steps: readonly Step[], jobs: readonly JobFacts[]): Range {
  const sending = new Set<Address>();
  const price = { min: 0, max: 0 };
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
  const requests = write.verb === 'update' && write.readFirst === 'yes' ? 2 : 1;
  return { min: requests, max: requests };
}
