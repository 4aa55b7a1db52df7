import { reference } from '#service/profiles/reference.js';
import { noPostgres } from '../harness/postgres.js';
import { freshRunner, inGit, inPostgres, type TeamLedger } from '../harness/team-ledger.js';
import { faultMatrix } from './fault-matrix.js';

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);
const ledgers: readonly TeamLedger[] = [inGit, ...(noPostgres === undefined ? [inPostgres()] : [])];

// A killed runner leaves nothing but the ledger: another one goes on, on a clone that has only the files of the project.
for (const ledger of ledgers) {
  await faultMatrix(reference, { ...ledger, next: freshRunner, faults: ['killed before', 'killed after'] });
}
