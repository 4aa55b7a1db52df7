import { describe, expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import type { JournalStore } from '#ledger/journal-store.js';
import type { Place } from './place.js';

const NAMES = ['j00000001_20260101T000000000Z-a.jsonl', 'j00000002_20260101T000000000Z-b.jsonl'] as const;
const lost = (): Promise<void> => Promise.reject(new DexsyncError('LEASE_LOST', 'Lost.'));

/** What every backend promises of journals; `newPlace` makes an empty one. */
export function journalsContract(backend: string, makePlace: () => Promise<Place>): void {
  const newPlace = async () => {
    const place = await makePlace();
    return {
      open: async (mayWrite: () => Promise<void> = async () => undefined): Promise<JournalStore> =>
        (await place.open()).journals('h/1', mayWrite),
    };
  };
  describe(`journals in ${backend}`, () => {
    test('is empty at first', async () => {
      const store = await (await newPlace()).open();
      expect([await store.names(), await store.recent(), await store.snapshot()]).toEqual([[], [], undefined]);
    });

    test('keeps appended lines for the next process, in order', async () => {
      const place = await newPlace();
      const store = await place.open();
      for (const name of NAMES) {
        const writer = await store.create(name, [`first of ${name}\n`]);
        await Promise.all(Array.from({ length: 50 }, (_, index) => writer.append(`${index}\n`)));
        await writer.close();
      }
      const other = await place.open();
      expect(await other.names()).toEqual(NAMES);
      const lines = Array.from({ length: 50 }, (_, index) => `${index}\n`).join('');
      expect(await other.read(NAMES[1])).toBe(`first of ${NAMES[1]}\n${lines}`);
    });

    test('shows a line to every reader once appending has returned', async () => {
      const place = await newPlace();
      const writer = await (await place.open()).create(NAMES[0], ['first\n']);
      expect(await (await place.open()).read(NAMES[0])).toBe('first\n');
      await writer.append('second\n');
      expect(await (await place.open()).read(NAMES[0])).toBe('first\nsecond\n');
      await writer.close();
    });

    test('begins no journal that exists already', async () => {
      const place = await newPlace();
      await (await (await place.open()).create(NAMES[0], 'mine\n')).close();
      await expect((await place.open()).create(NAMES[0], 'yours\n')).rejects.toThrow();
      expect(await (await place.open()).read(NAMES[0])).toBe('mine\n');
    });

    test('lists journals that were put aside with the others, and reads them', async () => {
      const place = await newPlace();
      const store = await place.open();
      for (const name of NAMES) await (await store.create(name, [`${name}\n`])).close();
      const before = await place.open();
      expect(await before.recent()).toEqual(NAMES);
      await store.putAside([NAMES[0]]);
      // What lists may be a second old.
      await expect.poll(() => before.recent(), { timeout: 5000 }).toEqual([NAMES[1]]);
      for (const one of [store, before, await place.open()]) {
        expect(await one.recent()).toEqual([NAMES[1]]);
        expect(await one.names()).toEqual(NAMES);
        expect(await one.read(NAMES[0])).toBe(`${NAMES[0]}\n`);
      }
    });

    test('keeps the snapshot that was saved last, every character of it', async () => {
      const place = await newPlace();
      const store = await place.open();
      await (await store.create(NAMES[0], ['first\n'])).close();
      for (const text of ['one', `two \u2028\u0085 "\\ ${'ü'.repeat(100_000)}\n`])
        await store.saveSnapshot([text.slice(0, 1), text.slice(1)]);
      expect(await (await place.open()).snapshot()).toBe(`two \u2028\u0085 "\\ ${'ü'.repeat(100_000)}\n`);
    });

    test('refuses writes of a process that has lost the lease, also when the permission comes back', async () => {
      const place = await newPlace();
      let may: () => Promise<void> = async () => undefined;
      const store = await place.open(() => may());
      const writer = await store.create(NAMES[0], ['first\n']);
      may = lost;
      await expect(writer.append('second\n')).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(store.create(NAMES[1], ['first\n'])).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(store.saveSnapshot(['late'])).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(store.putAside([NAMES[0]])).rejects.toMatchObject({ code: 'LEASE_LOST' });
      may = async () => undefined;
      await expect(writer.append('third\n')).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await writer.close();
      const other = await place.open();
      expect([await other.names(), await other.read(NAMES[0]), await other.snapshot()]).toEqual([
        [NAMES[0]],
        'first\n',
        undefined,
      ]);
    });

    test('keeps whole journals, and finds them when it keeps them again', async () => {
      const place = await newPlace();
      const journals = NAMES.map((name) => ({ name, text: `${name}\nlast\n` }));
      await (await place.open()).putWhole(journals);
      const store = await place.open();
      expect(await store.recent()).toEqual(NAMES);
      expect(await store.read(NAMES[1])).toBe(`${NAMES[1]}\nlast\n`);
      await expect(store.putWhole([{ name: NAMES[1], text: 'other\n' }])).rejects.toThrow();
      expect(await store.read(NAMES[1])).toBe(`${NAMES[1]}\nlast\n`);
    });

    test('separates workspaces', async () => {
      const place = await makePlace();
      const may = async (): Promise<void> => undefined;
      await (await (await place.open()).journals('h/1', may).create(NAMES[0], 'one\n')).close();
      const other = (await place.open()).journals('h/2', may);
      expect(await other.names()).toEqual([]);
      await (await other.create(NAMES[0], 'two\n')).close();
      expect(await (await place.open()).journals('h/1', may).read(NAMES[0])).toBe('one\n');
    });

    test('says which journal cannot be read', async () => {
      const store = await (await newPlace()).open();
      await expect(store.read(NAMES[0])).rejects.toThrow(NAMES[0]);
    });
  });
}
