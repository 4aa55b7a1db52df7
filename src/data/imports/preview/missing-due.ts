import { importJob } from '#core/jobs/import.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Job } from '../job.js';

/** The address of the import that removes records that the rows of another one no longer have. */
export const addressOfMissing = (address: Address): Address =>
  addressOf(importJob.name, `${splitAddress(address).name} (missing)`);

/** Marks imports for the ledger: once they are committed, records that their files lack are still to be deleted. */
export const withDue = (jobs: readonly Job[], due: (address: Address) => boolean): readonly Job[] =>
  jobs.map((job) =>
    due(job.facts.address) ? { ...job, facts: { ...job.facts, sent: { ...job.facts.sent, missing: 'due' } } } : job,
  );

/** Returns a test for contents that were committed and whose missing records were not deleted since. */
export function createDueTest({ imports }: Pick<LedgerState, 'imports'>, address: Address): (key: string) => boolean {
  const removal = addressOfMissing(address);
  const removed = [...imports.values()].flatMap((one) =>
    one.address === removal && one.job.state === 'committed' ? [one.job.at] : [],
  );
  const last = removed.sort().at(-1) ?? '';
  return (key) => {
    const { job, facts } = imports.get(key) ?? {};
    return facts?.missing === 'due' && job?.state === 'committed' && job.at > last;
  };
}
