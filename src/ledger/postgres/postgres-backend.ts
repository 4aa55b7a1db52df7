import type { Backend } from '../backend.js';
import type { LeaseTiming } from '../lease-life.js';
import type { MachineHeads } from '../machine-head.js';
import { openDatabase } from './database.js';
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
    workspaces: async () => {
      const rows = await database.query<{ workspace: string }>('select distinct workspace from dexsync_journal', []);
      return rows.map(({ workspace }) => workspace);
    },
    documents: (shelf) => postgresDocuments(database, shelf),
    close: () => database.close(),
  };
}
