import type { Pool, PoolClient } from 'pg';
import { DexsyncError } from '../../errors.js';

/** Each is run once in a database, in this order; what stands here is never changed, only added to. */
const MIGRATIONS: readonly string[] = [
  `create table dexsync_journal (
     workspace text not null,
     name text not null collate "C",
     aside boolean not null default false,
     primary key (workspace, name)
   );
   create table dexsync_line (
     workspace text not null,
     name text not null collate "C",
     number bigint generated always as identity,
     line text not null,
     primary key (workspace, name, number),
     foreign key (workspace, name) references dexsync_journal
   );
   create table dexsync_snapshot (workspace text primary key, body text not null);`,
];

/** Any number; that of the lock under which one process at a time migrates. */
const LOCK = 7_246_531;

/** Brings the tables of a database to the form that this version knows. Throws LEDGER_DAMAGED where they are of a later one. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await runMissing(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release();
  }
}

async function runMissing(client: PoolClient): Promise<void> {
  await client.query('create table if not exists dexsync_format (version integer not null)');
  const { rows } = await client.query<{ version: number }>('select version from dexsync_format');
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) throw tooNew(version);
  if (rows.length === 0) await client.query('insert into dexsync_format values (0)');
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await client.query(`begin; ${migration} update dexsync_format set version = ${index + 1}; commit`);
  }
}

const tooNew = (version: number): DexsyncError =>
  new DexsyncError(
    'LEDGER_DAMAGED',
    `The ledger's database has format ${version}; this version of dexsync knows ${MIGRATIONS.length}.`,
    { hint: 'Use the version of dexsync that wrote it, or a newer one.' },
  );
