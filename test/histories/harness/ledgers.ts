import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newDatabase, noPostgres, startPostgres, type TestPostgres } from '../../harness/postgres.js';
import { bareRepository } from './git.js';

export type LedgerKind = 'file' | 'git' | 'postgres';

/** Where the clones of a history keep their ledger. */
export interface LedgerHome {
  /** The line of the configuration that says so; empty where each clone has what it has by default. */
  readonly section: string;
  /** A folder of a disk that the clones use. */
  readonly folder?: string;
  /** A git repository that clones push to. */
  readonly repository?: string;
}

/** `clones`: how many share it. Without PostgreSQL on this machine it is kept in files. */
export async function ledgerHome(kind: LedgerKind, root: string, clones: number): Promise<LedgerHome> {
  if (kind === 'git') {
    const repository = bareRepository(root, 'ledger');
    return { section: inGit(repository), repository };
  }
  if (kind === 'postgres' && noPostgres === undefined) {
    server ??= startPostgres();
    return { section: `ledger: ${JSON.stringify(await newDatabase(await server))}\n` };
  }
  if (clones === 1) return { section: '' };
  const folder = join(root, 'ledger');
  mkdirSync(folder);
  return { section: `ledger: { file: { folder: ${JSON.stringify(folder)} } }\n`, folder };
}

let server: Promise<TestPostgres> | undefined;

export const stopLedgers = async (): Promise<void> => (await server)?.stop();

export const inGit = (repository: string): string => `ledger: { git: { remote: ${JSON.stringify(repository)} } }\n`;
