import type { Pool } from 'pg';
import { DexsyncError, reasonOf } from '../../errors.js';
import type { JournalStore, JournalWriter } from '../journal-store.js';

/**
 * Journals as rows of a database, many workspaces in one. `mayWrite` is asked before anything is written, and throws where
 * that is no longer this process's to do.
 */
export function postgresStore(pool: Pool, workspace: string, mayWrite: () => Promise<void>): JournalStore {
  const ask = async <Row extends object>(sql: string, ...values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await pool.query<Row>(sql, [workspace, ...values]).catch(unreachable);
    return rows;
  };
  const namesOf = async (condition: string): Promise<string[]> => {
    const rows = await ask<{ name: string }>(
      `select name from dexsync_journal where workspace = $1${condition} order by name`,
    );
    return rows.map(({ name }) => name);
  };
  return {
    place: (name) => `${name} of the ledger's database`,
    names: () => namesOf(''),
    recent: () => namesOf(' and not aside'),
    async read(name) {
      const rows = await ask<{ line: string }>(
        'select line from dexsync_line where workspace = $1 and name = $2 order by number',
        name,
      );
      if (rows.length === 0) throw missing(name);
      return rows.map(({ line }) => line).join('');
    },
    async create(name, line) {
      await mayWrite();
      await ask(
        `with made as (insert into dexsync_journal (workspace, name) values ($1, $2) returning workspace, name)
         insert into dexsync_line (workspace, name, line) select workspace, name, $3 from made`,
        name,
        line,
      );
      return openWriter(
        (lines) => ask('insert into dexsync_line (workspace, name, line) values ($1, $2, $3)', name, lines),
        mayWrite,
      );
    },
    async putAside(names) {
      await mayWrite();
      await ask('update dexsync_journal set aside = true where workspace = $1 and name = any($2)', names);
    },
    async snapshot() {
      const [row] = await ask<{ body: string }>('select body from dexsync_snapshot where workspace = $1');
      return row?.body;
    },
    async saveSnapshot(text) {
      await mayWrite();
      await ask(
        'insert into dexsync_snapshot (workspace, body) values ($1, $2) on conflict (workspace) do update set body = $2',
        text,
      );
    },
  };
}

/** Lines that are appended while the database is busy go together. After one that failed, none is written any more. */
function openWriter(write: (lines: string) => Promise<unknown>, mayWrite: () => Promise<void>): JournalWriter {
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    scheduled = undefined;
    await mayWrite();
    await write(lines);
  };
  return {
    append(line) {
      waiting.push(line);
      scheduled ??= flushing = flushing.then(flush);
      return scheduled;
    },
    close: () => flushing.catch(() => undefined),
  };
}

const missing = (name: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The ledger's database has no journal ${name}.`);

const unreachable = (error: unknown): never => {
  throw new DexsyncError('NETWORK', `The ledger's database answered with an error: ${reasonOf(error)}.`, {
    hint: 'Check `ledger` in sync.config.yaml, and whether the database is running.',
    cause: error,
  });
};
