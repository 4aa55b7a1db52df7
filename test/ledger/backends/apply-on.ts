import { expect } from 'vitest';
import { addressOf } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Backend } from '#ledger/backend.js';
import { storedLedger } from '#ledger/stored-ledger.js';

const AT = '2026-01-01T00:00:00.000Z';

/** A plan without steps. */
export const planNamed = (nonce: string): Plan => ({
  format: 'dexsync-plan/1',
  stack: 's',
  environment: 'e',
  workspace: { id: '1', name: 'w', identity: 'h/1' },
  manifests: 'd',
  nonce,
  createdAt: AT,
  summary: { create: 0, update: 0, unchanged: 0 } as Plan['summary'],
  steps: [],
  guards: [],
  notes: [],
  requests: { used: 0, apply: { min: 0, max: 0 }, remaining: null },
});

const claim = { service: 'h', login: 'ann', environment: 'prod', command: 'dexsync apply' };

/** All that an apply does with a ledger: locks, reads, writes one object after the other, ends, gives the locks back. */
export async function applyOn(backend: Backend, objects: readonly string[], nonce = 'a'): Promise<void> {
  const taken = [await backend.leases.take(claim), await backend.leases.take({ ...claim, workspace: 'h/1' })];
  const leases = taken.map((one) => {
    if (one.is === 'held') throw new Error('held');
    return one.lease;
  });
  const mayWrite = async (): Promise<void> => {
    for (const lease of leases) await lease.check();
  };
  const ledger = storedLedger(backend.journals('h/1', mayWrite));
  await ledger.state();
  const journal = await ledger.begin(planNamed(nonce), AT);
  for (const name of objects) {
    const object = { stack: 's', how: 'created', applied: {}, protect: false, identity: name } as const;
    await journal.append({ type: 'object', at: AT, address: addressOf('UserGroup', name), object });
  }
  await journal.append({ type: 'end', at: AT });
  await journal.close();
  for (const lease of leases) await lease.release();
}

/** Expects that exactly these were applied, each recorded once, in one journal. */
export async function expectApplied(backend: Backend, objects: readonly string[]): Promise<void> {
  const store = backend.journals('h/1', async () => undefined);
  const names = await store.names();
  expect(names).toHaveLength(1);
  const lines = (await store.read(names[0] ?? '')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['plan', ...objects.map(() => 'object'), 'end']);
  expect([...(await storedLedger(store).state()).objects.keys()]).toEqual(objects.map((name) => `UserGroup/${name}`));
  expect(await backend.leases.list('h')).toEqual([]);
}
