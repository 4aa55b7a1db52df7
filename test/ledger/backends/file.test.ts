import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveDocuments, plansShelf } from '#ledger/document-store.js';
import { fileBackend } from '#ledger/file/file-backend.js';
import { machineHeads } from '#ledger/machine-head.js';
import { plansContract } from './documents-contract.js';
import { journalsContract } from './journals-contract.js';
import { leasesContract } from './leases-contract.js';
import { ledgerContract } from './ledger-contract.js';
import { type Place, timingOf } from './place.js';

/** Of a ledger that nobody damaged there is nothing to say. */
const warn = (message: string): never => expect.unreachable(message);

async function newPlace(): Promise<Place> {
  const data = await mkdtemp(join(tmpdir(), 'dexsync-files-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return {
    open: async (over) =>
      fileBackend({
        folder: join(data, 'ledger'),
        data,
        heads: machineHeads({ data, state: async () => join(data, 'state'), warn }),
        ...timingOf(over),
      }),
  };
}

journalsContract('files', newPlace);
ledgerContract('files', newPlace);
leasesContract('files', newPlace, { many: 40, lifetime: 2000 });
plansContract('files', newPlace);

test('moved plans keep their reviews, and an interrupted move resumes', async () => {
  const [old, now] = [await newPlace(), await newPlace()];
  const [from, to] = [
    (await old.open()).documents(plansShelf('s', 'prod')),
    (await now.open()).documents(plansShelf('s', 'prod')),
  ];
  for (const name of ['p', 'q']) {
    await from.add(name, `${name}\n`, 'saved by ann');
    for (const review of ['one\n', 'two\n']) await from.addNote(name, review, 'approved by bob');
  }
  await to.add('p', 'p\n', 'moved here');
  await to.addNote('p', 'one\n', 'moved here');
  expect(await moveDocuments(from, to, plansShelf('s', 'prod'))).toBe(2);
  for (const name of ['p', 'q']) expect(await to.read(name)).toEqual({ text: `${name}\n`, notes: ['one\n', 'two\n'] });
  expect(await from.names()).toEqual([]);

  await from.add('p', 'another\n', 'saved by ann');
  await expect(moveDocuments(from, to, plansShelf('s', 'prod'))).rejects.toMatchObject({ code: 'USAGE' });
  expect(await from.read('p')).toEqual({ text: 'another\n', notes: [] });
});
