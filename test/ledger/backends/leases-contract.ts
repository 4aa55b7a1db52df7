import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownProcess, type ProcessFacts } from '#base/files/process-facts.js';
import type { Claim, Lease, Leases } from '#ledger/lease.js';
import { IS_WHOLE } from '../../harness/sample.js';
import type { Place } from './place.js';

const claim: Claim = {
  service: 'plm.example.com:443',
  login: 'ann@example.com',
  environment: 'prod',
  command: 'dexsync apply',
};

/** What differs between backends. */
export interface LeaseTraits {
  /** Processes that ask at the same instant. */
  readonly many: number;
  /** A lifetime that is short for the backend, in milliseconds. */
  readonly lifetime: number;
  /** Where that is some seconds, `npm test` leaves out what has to wait for it. */
  readonly slow?: 'yes';
}

async function taken(leases: Leases, over: Partial<Claim> = {}): Promise<Lease> {
  const result = await leases.take({ ...claim, ...over });
  if (result.is === 'held') throw new Error('held');
  onTestFinished(() => result.lease.release().catch(() => undefined));
  return result.lease;
}

const elsewhere = async (): Promise<ProcessFacts> => ({ ...(await ownProcess()), host: 'elsewhere' });

async function goneProcess(): Promise<ProcessFacts> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'close');
  return { ...(await ownProcess()), pid: child.pid as number };
}

/** What every backend promises of leases. */
export function leasesContract(
  backend: string,
  newPlace: () => Promise<Place>,
  { many, lifetime, slow }: LeaseTraits,
): void {
  const waiting = test.runIf(slow === undefined || IS_WHOLE);
  describe(`leases in ${backend}`, () => {
    test('a lease shows its holder to others, and is free after its release', async () => {
      const place = await newPlace();
      const [{ leases: own }, { leases: other }] = [await place.open(), await place.open()];
      expect(await other.find(claim)).toBeUndefined();
      const lease = await taken(own, { reason: 'release 12' });
      expect(await other.take({ ...claim, command: 'dexsync plan' })).toMatchObject({
        is: 'held',
        by: { state: 'held', holder: { ...claim, reason: 'release 12', pid: process.pid } },
      });
      expect(await other.find(claim)).toMatchObject({ state: 'held', holder: { reason: 'release 12' } });
      await lease.check();
      await lease.release();
      expect(await other.find(claim)).toBeUndefined();
      await taken(other);
    });

    test('exactly one of many at once takes it', async () => {
      const place = await newPlace();
      const opened = await Promise.all(Array.from({ length: many }, () => place.open()));
      const all = await Promise.all(opened.map(({ leases }) => leases.take(claim)));
      const won = all.filter((one) => one.is === 'taken');
      expect(won).toHaveLength(1);
      await won[0]?.lease.check();
      await won[0]?.lease.release();
    });

    test('logins, services and workspaces do not block each other; the case of a login does not count', async () => {
      const place = await newPlace();
      const { leases } = await place.open();
      const others: Partial<Claim>[] = [
        { login: 'a+b@x' },
        { login: 'a_b@x' },
        { login: '..' },
        { login: 'x'.repeat(300) },
        { workspace: 'plm.example.com/1' },
        { workspace: 'plm.example.com/2' },
      ];
      for (const one of [...others, { service: 'plm.example.com:8443' }]) await taken(leases, one);
      expect((await leases.take({ ...claim, login: 'A+B@X' })).is).toBe('held');
      const listed = await leases.list(claim.service);
      const name = (one: Partial<Claim>): string => one.workspace ?? one.login ?? '';
      expect(listed.map((one) => (one.state === 'damaged' ? '' : name(one.holder))).sort()).toEqual(
        others.map(name).sort(),
      );
      expect(await leases.list('nowhere')).toEqual([]);
    });

    test('the lease of a dead process is taken at once', async () => {
      const place = await newPlace();
      const gone = await goneProcess();
      await taken((await place.open({ self: async () => gone })).leases);
      const { leases } = await place.open();
      expect(await leases.find(claim)).toMatchObject({ state: 'dead' });
      const lease = await taken(leases);
      await lease.check();
    });

    waiting(
      'a machine that is silent for the lifetime of its lease loses it, no matter what the clocks say',
      async () => {
        const place = await newPlace();
        const silent = {
          self: elsewhere,
          lifetime,
          beatEvery: 3_600_000,
          clock: () => new Date(Date.now() + 3_600_000),
        };
        await taken((await place.open(silent)).leases);
        const behind = await place.open({ clock: () => new Date(Date.now() - 3_600_000) });
        expect((await behind.leases.take(claim)).is).toBe('held');
        await expect
          .poll(async () => (await behind.leases.find(claim))?.state, { timeout: 20 * lifetime + 5000 })
          .toBe('expired');
        await taken(behind.leases);
      },
    );

    test('the leases of a silent machine expire together: a command that waited for one waits for no other', async () => {
      const place = await newPlace();
      const silent = { self: elsewhere, lifetime, beatEvery: 3_600_000, clock: () => new Date(Date.now() - 3_600_000) };
      const { leases: left } = await place.open(silent);
      const workspace = { workspace: 'plm.example.com/1' };
      for (const one of [{}, workspace]) await taken(left, one);
      const { leases } = await place.open();
      // The one that was written last falls silent last.
      const last = { ...claim, ...workspace };
      await expect.poll(async () => (await leases.take(last)).is, { timeout: 20 * lifetime + 5000 }).toBe('taken');
      await taken(leases);
    });

    waiting('a machine that shows signs of life keeps it, no matter what the clocks say', async () => {
      const place = await newPlace();
      const beating = { self: elsewhere, lifetime, beatEvery: lifetime / 5, clock: () => new Date(0) };
      const lease = await taken((await place.open(beating)).leases);
      const { leases } = await place.open({ clock: () => new Date(Date.now() + 3_600_000) });
      for (let round = 0; round < 3; round += 1) {
        expect((await leases.take(claim)).is).toBe('held');
        await sleep(lifetime / 2);
      }
      await lease.check();
    });

    test('exactly one of many at once takes an expired lease', async () => {
      const place = await newPlace();
      const gone = await goneProcess();
      await taken((await place.open({ self: async () => gone })).leases);
      const opened = await Promise.all(Array.from({ length: many }, () => place.open()));
      const all = await Promise.all(opened.map(({ leases }) => leases.take(claim)));
      expect(all.filter((one) => one.is === 'taken')).toHaveLength(1);
    });

    test('a removed lease is lost, and does not come back', async () => {
      const place = await newPlace();
      // Rare enough for a removal to come between two heartbeats, also where each of them takes seconds.
      const lease = await taken((await place.open({ beatEvery: lifetime, lifetime })).leases);
      const { leases } = await place.open();
      const [found] = await leases.list(claim.service);
      await leases.remove('/somewhere else');
      await leases.remove(found?.place ?? '');
      await expect
        .poll(
          () =>
            lease.check().then(
              () => 'held',
              (error: { code: string }) => error.code,
            ),
          { timeout: 10_000 },
        )
        .toBe('LEASE_LOST');
      expect(await leases.find(claim)).toBeUndefined();
      const next = await taken(leases);
      await expect
        .poll(() => lease.check().then(() => '', String), { timeout: 10_000 })
        .toContain('The lock on environment prod was lost: it was taken by "dexsync apply"');
      await lease.release();
      await next.check();
    });
  });
}

/** What backends promise that several machines use. */
export function fencingContract(backend: string, newPlace: () => Promise<Place>): void {
  describe(`fencing in ${backend}`, () => {
    test('nothing is written once somebody else took the lease, even if the holder believes otherwise', async () => {
      const place = await newPlace();
      const late = await place.open({ beatEvery: 3_600_000 });
      const workspace = { workspace: 'h/1' };
      await taken(late.leases, workspace);
      const believes = async (): Promise<void> => undefined;
      const store = late.journals('h/1', believes);
      const writer = await store.create('j00000001_20260101T000000000Z-a.jsonl', ['first\n']);
      await writer.append('second\n');
      const next = await place.open();
      const [found] = await next.leases.list(claim.service);
      await next.leases.remove(found?.place ?? '');
      await taken(next.leases, workspace);
      await expect(writer.append('third\n')).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(store.saveSnapshot(['late'])).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(store.create('j00000002_20260101T000000000Z-b.jsonl', ['x\n'])).rejects.toMatchObject({
        code: 'LEASE_LOST',
      });
      const seen = next.journals('h/1', believes);
      expect([
        await seen.names(),
        await seen.read('j00000001_20260101T000000000Z-a.jsonl'),
        await seen.snapshot(),
      ]).toEqual([['j00000001_20260101T000000000Z-a.jsonl'], 'first\nsecond\n', undefined]);
    });
  });
}
