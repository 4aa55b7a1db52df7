import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { combinePlaces } from '#ledger/combine-leases.js';
import { fileLeases } from '#ledger/file/file-leases.js';
import type { Claim, Lease, Leases } from '#ledger/lease.js';

const claim: Claim = { service: 'plm', login: 'ann', environment: 'prod', command: 'dexsync apply' };
let nonces = 0;

async function place(): Promise<Leases> {
  const root = await mkdtemp(join(tmpdir(), 'dexsync-joined-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return fileLeases({ root, clock: () => new Date(), nonce: () => `j${nonces++}` });
}

async function takenFrom(leases: Leases): Promise<Lease> {
  const result = await leases.take(claim);
  if (result.is === 'held') throw new Error('held');
  onTestFinished(() => result.lease.release().catch(() => undefined));
  return result.lease;
}

const stateIn = async (leases: Leases): Promise<string | undefined> => (await leases.find(claim))?.state;

test('a combined lease is taken in every place, and released in every one', async () => {
  const [one, two] = [await place(), await place()];
  const lease = await takenFrom(combinePlaces([one, two]));
  expect([await stateIn(one), await stateIn(two)]).toEqual(['held', 'held']);
  expect(await combinePlaces([one, two]).list('plm')).toHaveLength(2);
  await lease.check();
  await lease.release();
  expect([await stateIn(one), await stateIn(two)]).toEqual([undefined, undefined]);
});

test('the holder of the second place is reported, and the first place is free again', async () => {
  const [one, two] = [await place(), await place()];
  await takenFrom(two);
  expect(await combinePlaces([one, two]).take(claim)).toMatchObject({ is: 'held', by: { holder: claim } });
  expect(await stateIn(one)).toBeUndefined();
  expect(await combinePlaces([one, two]).find(claim)).toMatchObject({ state: 'held' });
});

test('the first place is free again where the second fails', async () => {
  const one = await place();
  const failing: Leases = { ...(await place()), take: () => Promise.reject(new Error('disk')) };
  await expect(combinePlaces([one, failing]).take(claim)).rejects.toThrow('disk');
  expect(await stateIn(one)).toBeUndefined();
});

test('a lease that was lost in any place is lost', async () => {
  const [one, two] = [await place(), await place()];
  const lease = await takenFrom(combinePlaces([one, two]));
  const found = await two.find(claim);
  await two.remove(String(found?.place));
  await expect(lease.check()).rejects.toMatchObject({ code: 'LEASE_LOST' });
});
