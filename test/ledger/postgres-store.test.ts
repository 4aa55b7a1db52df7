import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/ledger/postgres/migrations.js';
import { postgresStore } from '../../src/ledger/postgres/postgres-store.js';
import { newDatabase, noPostgres, startPostgres, type TestPostgres } from '../harness/postgres.js';
import { storeContract } from './store-contract.js';

let server: TestPostgres;
let databases = 0;

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);

describe.skipIf(noPostgres !== undefined)('PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  async function newPool(url: string): Promise<pg.Pool> {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    onTestFinished(() => pool.end());
    await migrate(pool);
    return pool;
  }

  const newUrl = (): Promise<string> => {
    databases += 1;
    return newDatabase(server, `ledger_${databases}`);
  };

  storeContract('PostgreSQL', async () => {
    const url = await newUrl();
    return { open: async (mayWrite = async () => undefined) => postgresStore(await newPool(url), 'h/1', mayWrite) };
  });

  test('many processes migrate one database at once, and a later format is refused', async () => {
    const url = await newUrl();
    await Promise.all(Array.from({ length: 8 }, () => newPool(url)));
    const pool = await newPool(url);
    await pool.query('update dexsync_format set version = 99');
    await expect(newPool(url)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
  });

  test('workspaces of one database know nothing of each other', async () => {
    const pool = await newPool(await newUrl());
    const may = async (): Promise<void> => undefined;
    await (await postgresStore(pool, 'h/1', may).create('j00000001_x.jsonl', 'one\n')).close();
    expect(await postgresStore(pool, 'h/2', may).names()).toEqual([]);
  });
});
