import type { JobFacts } from '../model/job-facts.js';
import type { Range, Step, Write } from '../model/plan.js';

/** Object writes have a fixed price; that of an import depends on its rows and its commit rule. */
export function priceOf(steps: readonly Step[], jobs: readonly JobFacts[]): Range {
  const sends = ({ writes }: Step): boolean =>
    writes.some((write) => write.verb !== 'import' || write.done === undefined);
  const sending = new Set(steps.filter(sends).map(({ address }) => address));
  const imports = jobs.filter(({ address }) => sending.has(address)).map(({ requests }) => requests);
  const objects = steps.flatMap(({ writes }) => writes).map(writePrice);
  return [...imports, ...objects].reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), FREE);
}

const FREE: Range = { min: 0, max: 0 };

function writePrice(write: Write): Range {
  if (write.verb === 'import' || write.verb === 'record') return FREE;
  const requests = write.verb === 'update' && write.readFirst === 'yes' ? 2 : 1;
  return { min: requests, max: requests };
}
