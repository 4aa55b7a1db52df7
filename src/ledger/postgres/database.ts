import pRetry from 'p-retry';
import type { Pool } from 'pg';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { migrate } from './migrations.js';

/** The database of a ledger, with its tables. */
export interface Database {
  /** For the middle of a sentence, without the password. */
  readonly place: string;
  /** Repeats a query while the connection is lost, so the query must be idempotent. */
  query<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** Milliseconds to wait for a database that was reached before: less than it takes to lose a lease. */
const PATIENCE = 20_000;

/** Opens a database; nothing is sent before the first query. Throws LEDGER_UNREACHABLE. */
export function openDatabase(url: string): Database {
  const place = placeOf(url);
  let opening: Promise<Pool> | undefined;
  let pool: Pool | undefined;
  const open = async (): Promise<Pool> => {
    const opened = await openPool(url, { max: 2 });
    await migrateIn(opened);
    pool = opened;
    return opened;
  };
  return {
    place,
    async query<Row extends object>(sql: string, values: readonly unknown[]) {
      try {
        opening ??= open();
        const reached = await opening;
        const { rows } = await withRetries(() => reached.query<Row>(sql, [...values]), isLostConnection);
        return rows;
      } catch (error) {
        if (pool === undefined) opening = undefined;
        throw unreachable(error, place);
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      const used = pool;
      pool = undefined;
      await used?.end();
    },
  };
}

/** Connects. Many programs share the connections that a server allows, so `max` is small. */
export async function openPool(url: string, { max }: { readonly max: number }): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // A connection that is frozen counts as lost.
    query_timeout: 12_000,
    allowExitOnIdle: true,
    application_name: 'dexsync',
  });
  // The next query replaces an idle connection that breaks.
  pool.on('error', () => undefined);
  return pool;
}

async function migrateIn(pool: Pool): Promise<void> {
  try {
    await withRetries(() => migrate(pool), isBusy);
  } catch (error) {
    // Not awaited: closing may take as long as the server's patience.
    void pool.end().catch(() => undefined);
    throw error;
  }
}

/** Retries only errors that another attempt may fix. */
const withRetries = <T>(work: () => Promise<T>, mayMend: (error: unknown) => boolean): Promise<T> =>
  pRetry(work, {
    retries: 100,
    minTimeout: 100,
    maxTimeout: 1000,
    maxRetryTime: PATIENCE,
    shouldRetry: ({ error }) => mayMend(error),
  });

/** Whether the server is starting, or has as many connections as it allows. */
const isBusy = (error: unknown): boolean => /^(57P03|53300)$/.test((error as { code?: string }).code ?? '');

/** Recognises the server's classes 08 and 57P, and errors of the driver and the system. */
function isLostConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (isBusy(error) || /^(08|57P0[12])/.test(code)) return true;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOENT)/.test(code) ||
    /^(Connection terminated|timeout e|Client has|Query read timeout)/i.test(message)
  );
}

function unreachable(error: unknown, place: string): DexsyncError {
  if (error instanceof DexsyncError) return error;
  const reason = reasonOf(error);
  if (/client password must be a string/.test(reason)) return noPassword(place);
  return new DexsyncError('LEDGER_UNREACHABLE', `The ledger in ${place} cannot be used: ${reason}.`, {
    hint: HINT_OF[(error as { code?: string }).code ?? ''] ?? CHECK,
    cause: error,
  });
}

const noPassword = (place: string): DexsyncError =>
  new DexsyncError('LEDGER_UNREACHABLE', `The ledger in ${place} needs a password, and none was given.`, {
    hint: 'Set PGPASSWORD, add it to ~/.pgpass, or take it from a variable: `ledger: postgres://USER:${env.LEDGER_PASSWORD}@HOST/DATABASE`.',
  });

const CHECK = 'Check `ledger` in the configuration, and whether the database can be reached from here.';
const GRANTS = 'The role needs the privileges that `examples/team/README.md` lists.';
/** Hints by the server's own codes. */
const HINT_OF: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and password of `ledger` in the configuration.',
  '28000': 'Check the user and password of `ledger` in the configuration.',
  '3D000': 'Create that database, or correct its name in `ledger` in the configuration.',
  '42501': GRANTS,
};

/** `the database ledger on db.example.com`. */
function placeOf(url: string): string {
  if (!URL.canParse(url.replace('@/', '@localhost/'))) return 'the PostgreSQL database';
  const { hostname, port, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'));
  const host = searchParams.get('host') ?? (port === '' ? hostname : `${hostname}:${port}`);
  const name = decodeURIComponent(pathname.slice(1));
  return `the database ${name === '' ? '' : `${name} `}on ${host}`;
}
