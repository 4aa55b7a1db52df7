import type { Pool, PoolClient } from 'pg';
import { DexsyncError } from '#base/errors.js';

/** Each runs once in a database, in this order. Entries are only added, never changed. */
const MIGRATIONS: readonly string[] = [
  `create table dexsync_journal (
     workspace text not null,
     name text not null collate "C",
     aside boolean not null default false,
     primary key (workspace, name)
   );
   create table dexsync_part (
     workspace text not null,
     name text not null collate "C",
     number integer not null,
     lines text not null,
     written_at timestamptz not null default clock_timestamp(),
     primary key (workspace, name, number),
     foreign key (workspace, name) references dexsync_journal
   );
   create table dexsync_snapshot (workspace text primary key, body text not null);
   create table dexsync_lease (
     service text not null,
     key text not null,
     token text not null unique,
     holder text not null,
     beat_at timestamptz not null default clock_timestamp(),
     primary key (service, key)
   );`,
  `create table dexsync_plan (
     stack text not null,
     environment text not null,
     name text not null collate "C",
     body text not null,
     primary key (stack, environment, name)
   );
   create table dexsync_review (
     stack text not null,
     environment text not null,
     name text not null collate "C",
     number bigint generated always as identity primary key,
     body text not null,
     foreign key (stack, environment, name) references dexsync_plan on delete cascade
   );
   create index dexsync_review_of on dexsync_review (stack, environment, name);`,
  `create table dexsync_head (
     workspace text primary key,
     journal text not null collate "C",
     chain text not null
   );`,
  `create table dexsync_seen (
     stack text not null,
     environment text not null,
     body text not null,
     primary key (stack, environment)
   );`,
];

/** An arbitrary number, for the lock under which one process at a time migrates. */
const LOCK = 7_246_531;

/**
 * Migrates the tables of a database to the format of this version; a role that may not create tables suffices if they
 * have it. Throws LEDGER_DAMAGED if they have a later one.
 */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionIn(client)) === MIGRATIONS.length) {
      client.release();
      return;
    }
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await runMissing(client);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    client.release();
  } catch (error) {
    // Closing the connection releases its lock.
    client.release(true);
    throw error;
  }
}

async function versionIn(client: PoolClient): Promise<number> {
  const { rows: found } = await client.query<{ table: string | null }>(`select to_regclass('dexsync_format') as table`);
  if (found[0]?.table == null) return 0;
  const { rows } = await client.query<{ version: number }>('select version from dexsync_format');
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) throw tooNew(version);
  return version;
}

async function runMissing(client: PoolClient): Promise<void> {
  const version = await versionIn(client);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    const count =
      index === 0
        ? 'create table dexsync_format (version integer not null); insert into dexsync_format values (1)'
        : `update dexsync_format set version = ${index + 1}`;
    await client.query(`begin; ${migration} ${count}; commit`).catch((error: { code?: string }) => {
      throw error.code === NOT_ALLOWED ? notMigrated(error) : error;
    });
  }
}

/** The server's code for a missing privilege. */
const NOT_ALLOWED = '42501';

const notMigrated = (cause: unknown): DexsyncError =>
  new DexsyncError(
    'LEDGER_UNREACHABLE',
    `The ledger's database does not have all tables of format ${MIGRATIONS.length}, and this role may not create them.`,
    {
      hint: 'Run `dexsync ledger check` once as the owner of the tables, then give this role the privileges that `examples/team/README.md` lists.',
      cause,
    },
  );

const tooNew = (version: number): DexsyncError =>
  new DexsyncError(
    'LEDGER_DAMAGED',
    `The ledger's database has format ${version}; this version of dexsync knows ${MIGRATIONS.length}.`,
    { hint: 'Use the version of dexsync that wrote it, or a newer one.' },
  );
