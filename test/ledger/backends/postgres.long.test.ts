import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { plansShelf } from '#ledger/document-store.js';
import { postgresBackend } from '#ledger/postgres/postgres-backend.js';
import { type CuttingProxy, cuttingProxy } from '../../harness/cutting-proxy.js';
import { newDatabase, noPostgres, sharedPostgres, startPostgres } from '../../harness/postgres.js';
import { IS_WHOLE } from '../../harness/sample.js';
import { applyOn, expectApplied } from './apply-on.js';
import { plansContract } from './documents-contract.js';
import { journalsContract } from './journals-contract.js';
import { fencingContract, leasesContract } from './leases-contract.js';
import { ledgerContract } from './ledger-contract.js';
import { type Place, timingOf } from './place.js';

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);

describe.skipIf(noPostgres !== undefined)('PostgreSQL', () => {
  const server = sharedPostgres();

  const newUrl = async (): Promise<string> => newDatabase(await server());

  const placeAt = (url: string): Place => ({
    async open(over) {
      const backend = postgresBackend(url, timingOf(over));
      onTestFinished(() => backend.close());
      return backend;
    },
  });
  const newPlace = async (): Promise<Place> => placeAt(await newUrl());

  journalsContract('PostgreSQL', newPlace);
  ledgerContract('PostgreSQL', newPlace);
  leasesContract('PostgreSQL', newPlace, { many: 20, lifetime: 2000 });
  fencingContract('PostgreSQL', newPlace);
  plansContract('PostgreSQL', newPlace);

  const asOwner = async <T extends object>(url: string, sql: string): Promise<readonly T[]> => {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<T>(sql);
    await client.end();
    return rows;
  };
  /** The statements of the guide, for a role of another name. */
  const documentedGrants = async (role: string): Promise<string> => {
    const guide = await readFile(new URL('../../../examples/team/README.md', import.meta.url), 'utf8');
    return (guide.match(/^grant .*;$/gm) ?? []).join('\n').replaceAll(' to runner;', ` to ${role};`);
  };
  const named = async (url: string): Promise<readonly string[]> =>
    (await placeAt(url).open()).journals('h/1', async () => undefined).names();

  test('many processes migrate one database at once, and a later format is refused', async () => {
    const url = await newUrl();
    expect(await Promise.all(Array.from({ length: 8 }, () => named(url)))).toEqual(Array.from({ length: 8 }, () => []));
    await asOwner(url, 'update dexsync_format set version = 99');
    await expect(named(url)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
  });

  test('the place is named without its password', async () => {
    const backend = postgresBackend('postgres://sync:secret@db.example.com:5433/ledger', timingOf());
    expect(backend.place).toBe('the database ledger on db.example.com:5433');
  });

  test('a missing database is reported as such, and so is a missing server', async () => {
    const url = (await newUrl()).replace(/ledger_\w+/, 'nothing');
    await expect(named(url)).rejects.toMatchObject({
      code: 'LEDGER_UNREACHABLE',
      message: expect.stringContaining('database "nothing" does not exist'),
      hint: expect.stringContaining('Create that database'),
    });
    await expect(named('postgres://sync@127.0.0.1:1/x')).rejects.toMatchObject({ code: 'LEDGER_UNREACHABLE' });
  });

  test('once the owner has created the tables, a role with the documented privileges is enough', async () => {
    const url = await newUrl();
    await named(url);
    const role = `runner_${Date.now()}`;
    await asOwner(url, `create role ${role} login; ${await documentedGrants(role)}`);
    const place = placeAt(url.replace('sync@', `${role}@`));
    const backend = await place.open();
    const got = await backend.leases.take({ service: 's', login: 'l', environment: 'e', command: 'c' });
    if (got.is === 'held') throw new Error('held');
    const store = backend.journals('h/1', async () => undefined);
    const writer = await store.create('j00000001_x-a.jsonl', ['one\n']);
    await writer.append('two\n');
    await store.saveSnapshot(['s']);
    await store.putAside(['j00000001_x-a.jsonl']);
    await got.lease.release();
    expect(await named(url)).toEqual(['j00000001_x-a.jsonl']);
    const plans = backend.documents(plansShelf('s', 'prod'));
    await plans.add('p', 'text\n', 'saved by ann');
    await plans.addNote('p', 'one\n', 'approved by bob');
    expect(await plans.read('p')).toEqual({ text: 'text\n', notes: ['one\n'] });
    await plans.remove('p', 'removed by ann');
    expect(await plans.names()).toEqual([]);
    const seen = backend.seen('s', 'prod');
    await seen.write('first\n');
    await seen.write('second\n');
    expect(await seen.read()).toBe('second\n');
  });

  test('tables of an older version are extended by a role that may only create tables', async () => {
    const url = await newUrl();
    const role = `old_runner_${Date.now()}`;
    await named(url);
    const writer = await (await placeAt(url).open())
      .journals('h/1', async () => undefined)
      .create('j00000001_x-a.jsonl', ['one\n']);
    await writer.close();
    await asOwner(
      url,
      `drop table dexsync_review, dexsync_plan, dexsync_head, dexsync_seen;
       update dexsync_format set version = 1;
       create role ${role} login;
       grant select on dexsync_format to ${role}`,
    );
    await expect(named(url.replace('sync@', `${role}@`))).rejects.toMatchObject({
      code: 'LEDGER_UNREACHABLE',
      message: expect.stringContaining('does not have all tables of format'),
      hint: expect.stringContaining('Run `dexsync ledger check` once as the owner of the tables'),
    });
    const backend = await placeAt(url).open();
    await backend.documents(plansShelf('s', 'prod')).add('p', 'text\n', 'saved by ann');
    expect(await named(url)).toEqual(['j00000001_x-a.jsonl']);
  });

  describe('a connection that is cut', () => {
    const OBJECTS = ['A', 'B', 'C'];

    async function through(url: string) {
      const host = decodeURIComponent(new URL(url.replace('@/', '@x/')).searchParams.get('host') ?? '');
      const proxy = await cuttingProxy({ path: `${host}/.s.PGSQL.5432` });
      const name = /\/(ledger_\w+)/.exec(url)?.[1] ?? '';
      return { proxy, place: placeAt(`postgres://sync@127.0.0.1:${proxy.port}/${name}`) };
    }

    async function applyCut(at: Parameters<CuttingProxy['arm']>[0]): Promise<void> {
      const url = await newUrl();
      const { proxy, place } = await through(url);
      const [first, backend, last] = [await place.open(), await place.open(), await placeAt(url).open()];
      await first.leases.list('h');
      proxy.arm(at);
      await applyOn(backend, OBJECTS);
      await expectApplied(last, OBJECTS);
      for (const one of [first, backend, last]) await one.close();
    }

    test.runIf(process.env.DEXSYNC_TEST_POSTGRES === undefined)(
      'before or after any statement loses nothing and doubles nothing',
      { timeout: 300_000 },
      async () => {
        const whole = await through(await newUrl());
        await (await whole.place.open()).leases.list('h');
        whole.proxy.arm();
        await applyOn(await whole.place.open(), OBJECTS);
        const statements = whole.proxy.count();
        expect(statements).toBeGreaterThan(15);
        for (let statement = 4; statement <= statements; statement += IS_WHOLE ? 1 : 11) {
          await applyCut({ statement, when: 'before' });
          await applyCut({ statement, when: 'after' });
        }
      },
    );
  });

  test('a server that is restarted in the middle is waited for', async (context) => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const { restart } = own;
    if (restart === undefined) return context.skip();
    const place = placeAt(await newDatabase(own));
    const backend = await place.open();
    const store = backend.journals('h/1', async () => undefined);
    const got = await backend.leases.take({ service: 'h', login: 'l', environment: 'e', command: 'c' });
    if (got.is === 'held') throw new Error('held');
    const writer = await store.create('j00000001_x-a.jsonl', ['one\n']);
    const restarted = restart();
    await Promise.all([writer.append('two\n'), got.lease.check(), restarted]);
    await writer.append('three\n');
    expect(await (await place.open()).journals('h/1', async () => undefined).read('j00000001_x-a.jsonl')).toBe(
      'one\ntwo\nthree\n',
    );
    await got.lease.release();
  });
});
