import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll } from 'vitest';

const run = promisify(execFile);

/** A PostgreSQL of its own, or the one that DEXSYNC_TEST_POSTGRES names. */
export interface TestPostgres {
  readonly url: string;
  /** Stops it as in a power cut, and starts it again after some milliseconds; undefined where somebody else runs it. */
  readonly restart?: (after?: number) => Promise<void>;
  stop(): Promise<void>;
}

/** Why there is none; undefined where there is. */
export const noPostgres: string | undefined =
  process.env.DEXSYNC_TEST_POSTGRES !== undefined || hasInitdb()
    ? undefined
    : 'Tests with PostgreSQL are skipped: there is no initdb. Install PostgreSQL, or set DEXSYNC_TEST_POSTGRES.';

if (noPostgres !== undefined && process.env.DEXSYNC_POSTGRES_NEEDED === 'yes') throw new Error(noPostgres);

function hasInitdb(): boolean {
  try {
    execFileSync('initdb', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The server that somebody named, or one that is started. */
export async function startPostgres(): Promise<TestPostgres> {
  const named = process.env.DEXSYNC_TEST_POSTGRES;
  return named === undefined ? startOwnPostgres() : { url: named, stop: async () => undefined };
}

/** Starts a server in a folder of its own; it refuses to run as root, so it runs as `postgres` then. */
export async function startOwnPostgres(): Promise<TestPostgres> {
  const isRoot = process.getuid?.() === 0;
  // The folder of the tests is for their own user alone.
  const root = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'dexsync-postgres-'));
  const socket = join(root, 's');
  const data = join(root, 'data');
  await mkdir(socket);
  await chmod(root, 0o777);
  await chmod(socket, 0o777);
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const call = async (...command: string[]): Promise<void> => {
    const [program = '', ...args] = [...as, ...command];
    await run(program, args, { cwd: root });
  };
  await call('initdb', '-D', data, '-U', 'sync', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8');
  const start = () => call('pg_ctl', '-w', '-D', data, '-l', join(data, 'log'), '-o', `-k ${socket} -h ''`, 'start');
  const halt = () => call('pg_ctl', '-w', '-m', 'immediate', '-D', data, 'stop');
  await start();
  // The server would outlive this process, no matter how it ends.
  const quit = (): void => {
    try {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
    } catch {
      // It is stopped already.
    }
    rmSync(root, { recursive: true, force: true });
  };
  process.once('exit', quit);
  return {
    url: `postgres://sync@/postgres?host=${encodeURIComponent(socket)}`,
    async restart(after = 0) {
      await halt();
      await sleep(after);
      await start();
    },
    async stop() {
      process.off('exit', quit);
      await halt();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A server that the tests of a file share. Call it at the top level of the file. */
export function sharedPostgres(): () => Promise<TestPostgres> {
  let server: Promise<TestPostgres> | undefined;
  afterAll(async () => (await server)?.stop());
  return () => {
    server ??= startPostgres();
    return server;
  };
}

let databases = 0;

/** A database of its own on that server. */
export async function newDatabase({ url }: Pick<TestPostgres, 'url'>): Promise<string> {
  databases += 1;
  const name = `ledger_${process.pid}_${databases}_${Date.now()}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);
}
