import { DexsyncError } from '#base/errors.js';

const PREFIX = 'ledger:';

/** A name that file systems, git and databases accept. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns the name in `ledger:NAME`; undefined for a file. Throws USAGE for an invalid name. */
export function nameInLedger(reference: string): string | undefined {
  if (!reference.startsWith(PREFIX)) return undefined;
  const name = reference.slice(PREFIX.length);
  if (NAME.test(name)) return name;
  throw new DexsyncError('USAGE', `"${name}" cannot be the name of a plan in the ledger.`, {
    hint: 'Use at most 100 letters, digits, ".", "_" and "-", and begin with a letter or digit: `ledger:release-12`.',
  });
}

/** Returns the name in `ledger:NAME`. Throws USAGE for a file, which is not in the ledger. */
export function needLedgerName(reference: string): string {
  const name = nameInLedger(reference);
  if (name !== undefined) return name;
  throw new DexsyncError('USAGE', `"${reference}" is not a plan in the ledger.`, {
    hint: 'Write `ledger:NAME`; `dexsync plan list` lists the names. A plan file has no reviews.',
  });
}

/** Returns the reference by which commands name a plan in the ledger. */
export const ledgerReference = (name: string): string => `${PREFIX}${name}`;
