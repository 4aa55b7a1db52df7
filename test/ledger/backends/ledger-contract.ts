import { describe, expect, test } from 'vitest';
import { addressOf } from '#core/model/address.js';
import { checkLedger, intactState } from '#ledger/check-ledger.js';
import type { LedgerState } from '#ledger/fold.js';
import { stateRecords } from '#ledger/fold.js';
import { movedNonce, rebuiltNonce } from '#ledger/journal-name.js';
import type { JournalRecord, StateRecord } from '#ledger/journal-record.js';
import type { JournalStore, WholeJournal } from '#ledger/journal-store.js';
import { type LastSeen, readLastSeen, saveLastSeen } from '#ledger/last-seen.js';
import { saveState } from '#ledger/read-state.js';
import { storedLedger } from '#ledger/stored-ledger.js';
import { planNamed } from './apply-on.js';
import type { Place } from './place.js';

const AT = '2026-01-01T00:00:00.000Z';
const may = async (): Promise<void> => undefined;

const owned = (name: string): StateRecord => ({
  type: 'object',
  at: AT,
  address: addressOf('UserGroup', name),
  object: { stack: 's', how: 'created', applied: {}, protect: false, identity: `i${name}` },
});

async function applied(store: JournalStore, nonce: string, records: readonly JournalRecord[]): Promise<void> {
  const ledger = storedLedger(store);
  await ledger.state();
  const journal = await ledger.begin(planNamed(nonce), AT);
  for (const record of records) await journal.append(record);
  await journal.append({ type: 'end', at: AT });
  await journal.close();
}

const names = ({ objects }: LedgerState): string[] => [...objects.keys()].map((address) => address.split('/')[1] ?? '');
const statesOf = async (store: JournalStore): Promise<string[]> => names(await storedLedger(store).state());

/** The journals of two applies, as text. */
async function written(store: JournalStore): Promise<WholeJournal[]> {
  await applied(store, 'a', [owned('A'), owned('B')]);
  await applied(store, 'b', [owned('C')]);
  return Promise.all((await store.names()).map(async (name) => ({ name, text: await store.read(name) })));
}

/** What a ledger promises wherever it is kept. */
export function ledgerContract(backend: string, newPlace: () => Promise<Place>): void {
  const open = async (place: Place): Promise<JournalStore> => (await place.open()).journals('h/1', may);
  const newStore = async (): Promise<JournalStore> => open(await newPlace());

  describe(`a ledger in ${backend}`, () => {
    test('sums up the applies for the next reader', async () => {
      const place = await newPlace();
      await written(await open(place));
      const store = await open(place);
      expect(await statesOf(store)).toEqual(['A', 'B', 'C']);
      expect(await storedLedger(store).applyOf('a')).toMatchObject({ isEnded: true });
      expect(await storedLedger(store).applyOf('c')).toBeUndefined();
      expect(await checkLedger(store)).toMatchObject({ applies: 2, unfinished: 0, objects: 3, problems: [] });
    });

    test('saves a snapshot once reading has become slow, reads it, and keeps the history whole', async () => {
      const place = await newPlace();
      const many = Array.from({ length: 6000 }, (_, index) => owned(`G${index % 50}`));
      const store = await open(place);
      await applied(store, 'first', [owned('A')]);
      const ledger = storedLedger(store);
      await ledger.state();
      const journal = await ledger.begin(planNamed('large'), AT);
      await Promise.all(many.map((record) => journal.append(record)));
      await journal.append({ type: 'end', at: AT });
      await journal.close();
      await applied(await open(place), 'next', [owned('Z')]);
      const late = await open(place);
      expect(await late.snapshot()).toBeDefined();
      expect([(await late.recent()).length, (await late.names()).length]).toEqual([2, 3]);
      expect(await statesOf(late)).toHaveLength(52);
      expect(await checkLedger(late)).toMatchObject({ applies: 3, snapshot: 'matches', problems: [] });
    });

    test('keeps what was seen last in each environment, and replaces it once it differs or is old', async () => {
      const place = await newPlace();
      // A branch begins with an apply.
      await applied(await open(place), 'a', [owned('A')]);
      const seenIn = async (environment: string) => (await place.open()).seen('s', environment);
      const seen: LastSeen = { at: AT, drifted: 2, unknown: 0, remaining: 100, by: 'ann' };
      const save = async (change: Partial<LastSeen>) => saveLastSeen(await seenIn('dev'), { ...seen, ...change });
      const known = async (environment = 'dev') => readLastSeen(await seenIn(environment));
      expect(await known()).toBeUndefined();
      await save({});
      await save({ remaining: 99, at: '2026-01-01T00:04:00.000Z' });
      expect([await known(), await known('prod')]).toEqual([seen, undefined]);
      await save({ drifted: 0, at: '2026-01-01T00:04:00.000Z' });
      expect(await known()).toMatchObject({ drifted: 0 });
      await save({ drifted: 0, remaining: 90, at: '2026-01-01T00:10:00.000Z' });
      expect(await known()).toMatchObject({ remaining: 90 });
      await (await seenIn('dev')).write('{}');
      expect(await known()).toBeUndefined();
      expect(await statesOf(await open(place))).toEqual(['A']);
    });

    test('reads the format of older versions: without numbers and hashes', async () => {
      const store = await newStore();
      const line = (record: object): string => `${JSON.stringify(record)}\n`;
      const text = [{ type: 'plan', at: AT, plan: planNamed('old') }, owned('O'), { type: 'end', at: AT }].map(line);
      await store.putWhole([{ name: '20250101T000000000Z-old.jsonl', text: text.join('') }]);
      await applied(store, 'new', [owned('N')]);
      expect(await statesOf(store)).toEqual(['O', 'N']);
      expect((await storedLedger(store).journals()).map(({ begun }) => begun)).toEqual([
        '2025-01-01T00:00:00.000Z',
        AT,
      ]);
    });

    test.each([
      ['a changed line', (text: string) => text.replace('"identity":"iA"', '"identity":"iX"'), ['C']],
      ['a line that is cut off', (text: string) => text.replace(/.{40}\n(?=[^\n]*end)/, '\n'), ['A', 'C']],
      ['a line that is gone', (text: string) => text.split('\n').toSpliced(1, 1).join('\n'), ['C']],
    ])('finds %s, and keeps the intact part when it is rebuilt', async (_, damage, expected) => {
      const journals = await written(await newStore());
      const place = await newPlace();
      const store = await open(place);
      const [first, second] = journals as [WholeJournal, WholeJournal];
      await store.putWhole([{ ...first, text: damage(first.text) }, second]);
      await expect(statesOf(store)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
      expect((await checkLedger(store)).problems.length).toBeGreaterThan(0);

      const intact = await intactState(store);
      expect(names(intact)).toEqual(expected);
      const journal = await storedLedger(store).begin(planNamed(rebuiltNonce('r')), AT);
      for (const record of stateRecords(intact, AT)) await journal.append(record);
      await journal.append({ type: 'end', at: AT });
      await journal.close();
      expect(await statesOf(await open(place))).toEqual(names(intact));
      await applied(await open(place), 'after', [owned('Z')]);
      expect(await statesOf(await open(place))).toEqual([...names(intact), 'Z']);
    });

    test('skips a snapshot if a journal that counts before it came later, as after a merge', async () => {
      const [first, second] = (await written(await newStore())) as [WholeJournal, WholeJournal];
      const place = await newPlace();
      const store = await open(place);
      await store.putWhole([first]);
      await saveState(store);
      const merged = { name: second.name.replace('j00000002', 'j00000000'), text: second.text };
      await store.putWhole([merged]);
      expect((await statesOf(await open(place))).sort()).toEqual(['A', 'B', 'C']);
      expect(await checkLedger(await open(place))).toMatchObject({ snapshot: 'unreadable', problems: [] });
    });

    test('does not regain objects after a second rebuild that it gave up after the first', async () => {
      const place = await newPlace();
      const store = await open(place);
      await written(store);
      await saveState(store);
      const rebuilt = await open(place);
      const journal = await storedLedger(rebuilt).begin(planNamed(rebuiltNonce('r')), AT, undefined, [owned('A')]);
      await journal.append({ type: 'end', at: AT });
      await journal.close();
      expect(await statesOf(await open(place))).toEqual(['A']);
      expect(names(await intactState(await open(place)))).toEqual(['A']);
      expect(await checkLedger(await open(place))).toMatchObject({ problems: [], objects: 1 });
    });

    test('keeps the snapshot as the intact part where a journal that it covers is gone', async () => {
      const [first, second] = (await written(await newStore())) as [WholeJournal, WholeJournal];
      const whole = await newStore();
      await whole.putWhole([first, second]);
      await saveState(whole);
      const place = await newPlace();
      const store = await open(place);
      await store.putWhole([second]);
      await store.saveSnapshot([(await whole.snapshot()) ?? '']);
      expect(names(await intactState(await open(place)))).toEqual(['A', 'B', 'C']);
    });

    test('finds a missing journal', async () => {
      const [, second] = await written(await newStore());
      const store = await newStore();
      await store.putWhole([second as WholeJournal]);
      await expect(statesOf(store)).rejects.toThrow(/The journal .+ is missing/);
      expect((await checkLedger(store)).problems).toMatchObject([{ message: expect.stringContaining('is missing') }]);
    });

    test.each([
      ['edited', (text: string) => text.replace('UserGroup/C', 'UserGroup/X')],
      ['cut', (text: string) => text.slice(0, 100)],
      ['replaced', () => '{"format":"something else"}\n'],
    ])('names a snapshot that was %s, skips it, and creates it again from the journals', async (_, edit) => {
      const store = await newStore();
      await written(store);
      await saveState(store);
      await store.saveSnapshot([edit((await store.snapshot()) ?? '')]);
      expect(await statesOf(store)).toEqual(['A', 'B', 'C']);
      expect(await checkLedger(store)).toMatchObject({
        snapshot: 'edited',
        problems: [{ message: expect.stringContaining('snapshot') }],
      });
      await saveState(store);
      expect(await checkLedger(store)).toMatchObject({ snapshot: 'matches', problems: [] });
    });

    test('names a snapshot that differs from the journals, also where its digest is right', async () => {
      const store = await newStore();
      const other = await newStore();
      await written(store);
      await applied(other, 'a', [owned('A'), owned('B')]);
      await applied(other, 'b', [owned('X')]);
      await saveState(other);
      await store.saveSnapshot([(await other.snapshot()) ?? '']);
      expect(await checkLedger(store)).toMatchObject({
        snapshot: 'differs',
        problems: [{ message: expect.stringContaining('snapshot') }],
      });
    });

    test('refuses to be read after a move, and says where it is', async () => {
      const place = await newPlace();
      const store = await open(place);
      await written(store);
      const facts = { command: 'ledger move', environment: 'e', stack: 's', actor: { login: 'ann@example.com' } };
      const moved = { ...facts, host: 'h', pid: 1, version: '1', reason: 'moved to the database x', digest: 'd' };
      await (await storedLedger(store).begin(planNamed(movedNonce('m')), AT, moved)).close();
      await expect(statesOf(await open(place))).rejects.toMatchObject({
        code: 'LEDGER_MOVED',
        message: 'The ledger was moved to the database x on 2026-01-01 by ann@example.com.',
      });
      expect(await storedLedger(await open(place)).journals()).toHaveLength(3);
    });
  });
}
