import type { Backend } from '../backend.js';
import type { SeenStore } from '../last-seen.js';
import type { LeaseTiming } from '../lease-life.js';
import type { MachineHeads } from '../machine-head.js';
import { type Database, openDatabase } from './database.js';
import { postgresDocuments } from './postgres-documents.js';
import { postgresLeases } from './postgres-leases.js';
import { postgresStore } from './postgres-store.js';

/** Keeps ledgers and locks in a PostgreSQL database, which many workspaces may share. Sends nothing until needed. */
export function postgresBackend(url: string, timing: LeaseTiming, heads?: MachineHeads): Backend {
  const database = openDatabase(url);
  const held = new Set<string>();
  return {
    place: database.place,
    leases: postgresLeases(database, held, timing),
    journals: (identity, mayWrite) =>
      postgresStore({
        database,
        workspace: identity,
        held,
        mayWrite,
        machine: heads?.(database.place, `${database.place} ${identity}`),
      }),
    workspaces: async (id) => {
      const sql = "select distinct workspace from dexsync_journal where right(workspace, length($1) + 1) = '/' || $1";
      const rows = await database.query<{ workspace: string }>(sql, [id]);
      return rows.map(({ workspace }) => workspace);
    },
    documents: (shelf) => postgresDocuments(database, shelf),
    seen: (stack, environment) => postgresSeen(database, [stack, environment]),
    close: () => database.close(),
  };
}

function postgresSeen(database: Database, key: readonly [stack: string, environment: string]): SeenStore {
  return {
    async read() {
      const sql = 'select body from dexsync_seen where stack = $1 and environment = $2';
      return (await database.query<{ body: string }>(sql, key))[0]?.body;
    },
    async write(text) {
      const sql = `insert into dexsync_seen (stack, environment, body) values ($1, $2, $3)
        on conflict (stack, environment) do update set body = excluded.body`;
      await database.query(sql, [...key, text]);
    },
  };
}
