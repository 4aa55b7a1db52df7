import { describe, expect, test } from 'vitest';
import { type DocumentStore, plansShelf, releasesShelf } from '#ledger/document-store.js';
import type { Place } from './place.js';

const TEXT = `{"format":"x","text":"\u2028\u0085 \\"\\\\ \\u0000 ${'ü'.repeat(20_000)}"}\n`;

/** What every backend promises of saved plans; each that is opened is a process of its own. */
export function plansContract(backend: string, makePlace: () => Promise<Place>): void {
  const newPlace = async () => {
    const place = await makePlace();
    return async (): Promise<DocumentStore> => (await place.open()).documents(plansShelf('s', 'prod'));
  };
  describe(`saved plans in ${backend}`, () => {
    test('are there for the next process, every character of them, until they are removed', async () => {
      const open = await newPlace();
      const store = await open();
      expect([await store.names(), await store.read('release-12')]).toEqual([[], undefined]);
      await store.add('release-12', TEXT, 'saved by ann');
      await store.add('A.b_c', 'other\n', 'saved by ann');
      const other = await open();
      expect(await other.names()).toEqual(['A.b_c', 'release-12']);
      expect(await other.read('release-12')).toEqual({ text: TEXT, notes: [] });
      await other.remove('release-12', 'removed by bob');
      await other.remove('release-12', 'removed by bob');
      expect([await store.names(), await store.read('release-12')]).toEqual([['A.b_c'], undefined]);
    });

    test('keep a name that is taken, which is free again when its plan was removed', async () => {
      const open = await newPlace();
      const [own, other] = [await open(), await open()];
      await own.add('p', 'mine\n', 'saved by ann');
      await own.addNote('p', 'one\n', 'approved by ann');
      await expect(other.add('p', 'yours\n', 'saved by bob')).rejects.toMatchObject({
        code: 'USAGE',
        message: 'The ledger already has a saved plan "p", which is not replaced.',
      });
      expect(await own.read('p')).toEqual({ text: 'mine\n', notes: ['one\n'] });
      await own.remove('p', 'removed by ann');
      await other.add('p', 'yours\n', 'saved by bob');
      expect(await own.read('p')).toEqual({ text: 'yours\n', notes: [] });
    });

    test('accept exactly one of several processes that add one name at once', async () => {
      const open = await newPlace();
      const stores = await Promise.all([open(), open(), open()]);
      const results = await Promise.allSettled(
        stores.map((store, index) => store.add('p', `${index}\n`, `saved by ${index}`)),
      );
      const won = results.findIndex(({ status }) => status === 'fulfilled');
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect(await stores[0]?.read('p')).toEqual({ text: `${won}\n`, notes: [] });
    });

    test('keep reviews of several processes in their order, and none without its plan', async () => {
      const open = await newPlace();
      const [own, other] = [await open(), await open()];
      await own.add('p', 'text\n', 'saved by ann');
      await other.addNote('p', 'first\n', 'approved by bob');
      await own.addNote('p', 'second\n', 'rejected by eve');
      expect(await other.read('p')).toEqual({ text: 'text\n', notes: ['first\n', 'second\n'] });
      await Promise.all([own.addNote('p', 'x\n', 'approved by x'), other.addNote('p', 'y\n', 'approved by y')]);
      const all = (await own.read('p'))?.notes ?? [];
      expect([all.slice(0, 2), all.slice(2).sort()]).toEqual([
        ['first\n', 'second\n'],
        ['x\n', 'y\n'],
      ]);
      await Promise.all(['1', '2', '3', '4'].map((note) => own.addNote('p', note, `noted ${note}`)));
      expect((await other.read('p'))?.notes.slice(4).sort()).toEqual(['1', '2', '3', '4']);
      await expect(own.addNote('q', 'one\n', 'approved by bob')).rejects.toMatchObject({ code: 'UNKNOWN_NAME' });

      const turns = ['a', 'b', 'c', 'd', 'e', 'f'];
      for (const [index, note] of turns.entries()) await [own, other][index % 2]?.addNote('p', note, `noted ${note}`);
      expect((await own.read('p'))?.notes.slice(-turns.length)).toEqual(turns);
    });

    test('are separate for stacks and environments with names of any kind, and from releases', async () => {
      const place = await makePlace();
      const backend = await place.open();
      for (const environment of ['prod', '..', 'a/b ü']) {
        const store = backend.documents(plansShelf('s', environment));
        await store.add('p', `${environment}\n`, 'saved by ann');
        expect([await store.names(), (await store.read('p'))?.text]).toEqual([['p'], `${environment}\n`]);
      }
      expect(await backend.documents(plansShelf('t', 'prod')).names()).toEqual([]);
      const releases = backend.documents(releasesShelf('s'));
      await releases.add('dev@r1', 'first\n', 'created by ann');
      await expect(releases.add('dev@r1', 'other\n', 'created by bob')).rejects.toThrow('the release dev/r1');
      expect([await releases.names(), await backend.documents(plansShelf('s', 'prod')).names()]).toEqual([
        ['dev@r1'],
        ['p'],
      ]);
    });
  });
}
