import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newDatabase, noPostgres, startOwnPostgres, startPostgres, type TestPostgres } from '../../harness/postgres.js';
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
  /** The database loses power, and comes back. */
  readonly restart?: () => Promise<void>;
}

/** What each clone has where its configuration says nothing. */
export const OWN_FOLDER: LedgerHome = { section: '', from: 'file', locks: 'in each folder' };

/**
 * A new one below a folder, which clones can share. Without PostgreSQL on this machine it is kept in files. `stopping postgres`: on
 * a server that no other history is at work with.
 */
export async function newLedger(kind: LedgerKind | 'stopping postgres', root: string): Promise<LedgerHome> {
  count += 1;
  if (kind === 'git') {
    const repository = bareRepository(root, `ledger-${count}`);
    return { section: inGit(repository), from: `git:${repository}`, locks: 'now and then', repository };
  }
  if (kind !== 'file' && noPostgres === undefined) {
    const { url: server, restart } = await (kind === 'postgres' ? openShared() : openOwn());
    const url = await newDatabase({ url: server });
    const home = { section: `ledger: ${JSON.stringify(url)}\n`, from: url, locks: 'at each write' } as const;
    return restart === undefined ? home : { ...home, restart };
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

const servers: Promise<TestPostgres>[] = [];

const once = (start: () => Promise<TestPostgres>): (() => Promise<TestPostgres>) => {
  let server: Promise<TestPostgres> | undefined;
  return () => {
    if (server === undefined) {
      server = start();
      servers.push(server);
    }
    return server;
  };
};

/** Nobody restarts what others use too. */
const openShared = once(async () => {
  const { url, stop } = await startPostgres();
  return { url, stop };
});

const openOwn = once(startOwnPostgres);

/** One server for all processes that this one starts: to begin another one takes seconds. */
export async function shareLedgers(): Promise<void> {
  if (noPostgres === undefined) process.env.DEXSYNC_TEST_POSTGRES = (await openShared()).url;
}

export const stopLedgers = async (): Promise<void> => {
  await Promise.all(servers.map(async (server) => (await server).stop()));
};

export const inGit = (repository: string): string => `ledger: { git: { remote: ${JSON.stringify(repository)} } }\n`;
