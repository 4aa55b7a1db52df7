import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newDatabase, noPostgres, startPostgres, type TestPostgres } from '../../harness/postgres.js';
import { bareRepository } from './git.js';

export type LedgerKind = 'file' | 'git' | 'postgres';

/** Where the clones of a history keep their ledger. */
export interface LedgerHome {
  /** The line of the configuration that says so; empty where each clone has what it has by default. */
  readonly section: string;
  /** The same for `ledger move --from`. */
  readonly from: string;
  /** When a command asks whether it still has its lock; in files, clones do not know each other's. */
  readonly locks: 'at each write' | 'now and then' | 'in each folder';
  /** A folder of a disk that the clones use. */
  readonly folder?: string;
  /** A git repository that clones push to. */
  readonly repository?: string;
}

/** What each clone has where its configuration says nothing. */
export const OWN_FOLDER: LedgerHome = { section: '', from: 'file', locks: 'in each folder' };

/** A new one below a folder, which clones can share. Without PostgreSQL on this machine it is kept in files. */
export async function newLedger(kind: LedgerKind, root: string): Promise<LedgerHome> {
  count += 1;
  if (kind === 'git') {
    const repository = bareRepository(root, `ledger-${count}`);
    return { section: inGit(repository), from: `git:${repository}`, locks: 'now and then', repository };
  }
  if (kind === 'postgres' && noPostgres === undefined) {
    const url = await newDatabase(await openPostgres());
    return { section: `ledger: ${JSON.stringify(url)}\n`, from: url, locks: 'at each write' };
  }
  const folder = join(root, `ledger-${count}`);
  mkdirSync(folder);
  return {
    section: `ledger: { file: { folder: ${JSON.stringify(folder)} } }\n`,
    from: `file:${folder}`,
    locks: 'in each folder',
    folder,
  };
}

let count = 0;

let server: Promise<TestPostgres> | undefined;

const openPostgres = (): Promise<TestPostgres> => {
  server ??= startPostgres();
  return server;
};

/** One server for all processes that this one starts: to begin another one takes seconds. */
export async function shareLedgers(): Promise<void> {
  if (noPostgres === undefined) process.env.DEXSYNC_TEST_POSTGRES = (await openPostgres()).url;
}

export const stopLedgers = async (): Promise<void> => (await server)?.stop();

export const inGit = (repository: string): string => `ledger: { git: { remote: ${JSON.stringify(repository)} } }\n`;
