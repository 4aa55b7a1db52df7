import { importJob } from '#core/jobs/import.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Job } from '../job.js';

/** The import that removes what the rows of another one no longer have. */
export const addressOfMissing = (address: Address): Address =>
  addressOf(importJob.name, `${splitAddress(address).name} (missing)`);

/** Imports as the ledger is to remember them: once they are committed, the records that their files do not have are still due. */
export const withDue = (jobs: readonly Job[], due: (address: Address) => boolean): readonly Job[] =>
  jobs.map((job) =>
    due(job.facts.address) ? { ...job, facts: { ...job.facts, sent: { ...job.facts.sent, missing: 'due' } } } : job,
  );

/** Tells which contents of an import were committed, and the records that they do not have were not deleted since. */
export function dueOf(
  { jobs, imports, importFacts }: Pick<LedgerState, 'jobs' | 'imports' | 'importFacts'>,
  address: Address,
): (key: string) => boolean {
  const removal = addressOfMissing(address);
  const removed = [...jobs].flatMap(([key, job]) =>
    imports.get(key) === removal && job.state === 'committed' ? [job.at] : [],
  );
  const last = removed.sort().at(-1) ?? '';
  return (key) => {
    const job = jobs.get(key);
    return importFacts.get(key)?.missing === 'due' && job?.state === 'committed' && job.at > last;
  };
}
