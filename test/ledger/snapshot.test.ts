import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addressOf } from '#core/model/address.js';
import type { JobState } from '#core/model/job-state.js';
import type { Plan } from '#core/model/plan.js';
import type { JournalRecord } from '#ledger/journal-record.js';
import { fileLedger } from '../harness/file-ledger.js';
import { scaled } from '../harness/sample.js';

const AT = '2026-01-01T00:00:00.000Z';
/** As large as it needs to be for a snapshot to be worth it. */
const planOf = (nonce: string, size = 0): Plan =>
  ({ format: 'dexsync-plan/1', stack: 's'.repeat(size + 1), environment: 'e', nonce, steps: [] }) as unknown as Plan;
const LARGE = 1_100_000;

const committed = (rows: number): JobState => ({
  ...{ state: 'committed', at: AT, rows, failed: 0 },
  runs: [{ run: 'R', first: 1, last: rows, commit: 'done' }],
});
const job = (key: string, rows: number): JournalRecord => ({
  ...{ type: 'job', at: AT, address: addressOf('Import', `I${key}`), key, job: committed(rows) },
  ...(key === 'A' ? { facts: { stack: 's', definition: 'Specs', retries: `of ${rows}` } } : {}),
});
const owned = (name: string, identity: string | null): JournalRecord => ({
  ...{ type: 'object', at: AT, address: addressOf('UserGroup', name) },
  object: identity === null ? null : { stack: 's', how: 'created', applied: {}, protect: false, identity },
});
const done = (name: string): JournalRecord => ({
  ...{ type: 'acknowledgement', at: AT, address: addressOf('Policy', name) },
  acknowledgement: { stack: 's', at: AT, by: 'ann', reason: `for ${name}`, fingerprint: 'f' },
});
const END: JournalRecord = { type: 'end', at: AT };

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'dexsync-snapshot-'));
  onTestFinished(async () => rm(made, { recursive: true, force: true }));
  return made;
}

const own = (root: string): string => join(root, 'ledger', 'h_1');
/** Paths, the oldest first: those that a snapshot covers are put aside. */
const journals = async (root: string): Promise<string[]> => {
  const found = await Promise.all(
    [join(own(root), 'older'), own(root)].map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
    }),
  );
  return found.flat().sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
};

interface Apply {
  readonly records: readonly JournalRecord[];
  readonly size?: number;
}

/** Each apply is a command of its own: it reads the ledger, then writes to it. */
async function write(root: string, applies: readonly Apply[]): Promise<void> {
  for (const { records, size = 0 } of applies) {
    const ledger = fileLedger(root, 'h/1');
    await ledger.state();
    const journal = await ledger.begin(planOf(`n${(await journals(root)).length}`, size), AT);
    for (const record of records) await journal.append(record);
    await journal.close();
  }
}

const stateOf = async (root: string) => {
  const { imports, objects, acknowledged, committedRows } = await fileLedger(root, 'h/1').state();
  const sorted = (map: ReadonlyMap<string, unknown>): unknown[] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    imports: sorted(imports),
    objects: sorted(objects),
    acknowledged: sorted(acknowledged),
    committedRows: sorted(committedRows),
  };
};

/** What all journals add up to. */
async function stateOfJournals(root: string) {
  await rm(join(own(root), 'snapshot.json'), { force: true });
  return stateOf(root);
}

describe('a snapshot', () => {
  test('replaces the journals before it: they are not read, and later ones are added', async () => {
    const root = await folder();
    await write(root, [
      { records: [job('A', 1), owned('Q', 'q'), owned('Gone', 'g'), done('P'), END], size: LARGE },
      { records: [job('A', 2), owned('Gone', null), owned('New', 'n'), END] },
    ]);
    const [first = ''] = await journals(root);
    const text = await readFile(first, 'utf8');
    const whole = await stateOf(root);
    await writeFile(first, 'this is not read');
    expect(await stateOf(root)).toEqual(whole);
    await writeFile(first, text);
    expect(await stateOfJournals(root)).toEqual(whole);
    expect(whole.committedRows).toEqual([['Import/IA', 2]]);
    expect(whole.imports).toMatchObject([['A', { facts: { retries: 'of 2' } }]]);
    expect(whole.acknowledged).toMatchObject([['Policy/P', { reason: 'for P' }]]);
  });

  test('is saved where reading has become slow, and not after every apply', async () => {
    const root = await folder();
    await write(root, [{ records: [job('A', 1), END] }]);
    const path = join(own(root), 'snapshot.json');
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await write(root, [{ records: [END], size: LARGE }]);
    const saved = await readFile(path, 'utf8');
    await write(root, [{ records: [job('B', 1), END] }]);
    expect(await readFile(path, 'utf8')).toBe(saved);
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['changed', (text: string) => text.replace('"rows":1', '"rows":9')],
    ['of another version', (text: string) => text.replace('snapshot/3', 'snapshot/2')],
    ['no JSON', () => 'x\ny\n'],
  ])('that is %s is skipped: the journals say the same', async (_, damage) => {
    const root = await folder();
    await write(root, [{ records: [job('A', 1), END], size: LARGE }, { records: [owned('Q', 'q'), END] }]);
    const path = join(own(root), 'snapshot.json');
    const whole = await stateOf(root);
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect(await stateOf(root)).toEqual(whole);
  });

  test('hides no later journal that is gone', async () => {
    const root = await folder();
    const apply = { records: [job('A', 1), END] };
    await write(root, [apply, { records: [END], size: LARGE }, apply, apply]);
    await rm((await journals(root))[2] ?? '');
    await expect(stateOf(root)).rejects.toMatchObject({ code: 'LEDGER_DAMAGED' });
  });

  test('puts the journals that it covers aside, so that no command lists them; the history has them all', async () => {
    const root = await folder();
    const apply = { records: [job('A', 1), END] };
    await write(root, [apply, apply, { records: [END], size: LARGE }, apply]);
    const all = await journals(root);
    expect(all.map((path) => basename(dirname(path)))).toEqual(['older', 'older', 'h_1', 'h_1']);
    const ledger = fileLedger(root, 'h/1');
    expect((await ledger.journals()).map(({ name }) => name)).toEqual(all.map((path) => basename(path)));
    expect((await Promise.all((await ledger.journals()).map(({ text }) => text()))).join('')).toContain('"nonce":"n0"');
    expect(await ledger.applyOf('n0')).toMatchObject({ isEnded: true });
  });

  test('that was lost is not needed: journals that were put aside are read again', async () => {
    const root = await folder();
    await write(root, [{ records: [job('A', 1), END] }, { records: [owned('Q', 'q'), END], size: LARGE }]);
    const whole = await stateOf(root);
    expect(await stateOfJournals(root)).toEqual(whole);
    await write(root, [{ records: [END], size: LARGE }]);
    expect(await stateOf(root)).toEqual(whole);
  });

  test('misses no line that came late to a journal without an end', async () => {
    const root = await folder();
    const late = await fileLedger(root, 'h/1').begin(planOf('late'), AT);
    await late.append(job('A', 1));
    await write(root, [{ records: [job('B', 1), END], size: LARGE }]);
    expect((await stateOf(root)).imports).toHaveLength(2);
    await late.append(job('C', 1));
    await late.close();
    expect((await stateOf(root)).imports).toHaveLength(3);
  });

  test('is not created from journals that this process wrote side by side, in an order that another reader would not see', async () => {
    const root = await folder();
    const ledger = fileLedger(root, 'h/1');
    await ledger.state();
    const slow = await ledger.begin(planOf('slow', LARGE), AT);
    const quick = await ledger.begin(planOf('quick', LARGE), AT);
    await quick.append(job('A', 2));
    await quick.close();
    await slow.append(job('A', 1));
    await slow.close();
    expect((await stateOf(root)).imports).toMatchObject([['A', { job: committed(2) }]]);
  });

  test('that cannot be saved keeps no apply from ending', async () => {
    const root = await folder();
    let saves = 0;
    const ledger = fileLedger(root, 'h/1', async () => {
      saves += 1;
      if (saves > 2) throw new Error('No longer.');
    });
    await ledger.state();
    const journal = await ledger.begin(planOf('a', LARGE), AT);
    await journal.append(END);
    await journal.close();
    expect(await readdir(own(root))).toHaveLength(1);
  });
});

test('state and journals agree after any applies, kills and damage', async () => {
  const names = fc.constantFrom('A', 'B', 'C');
  const record = fc.oneof(
    fc.tuple(names, fc.integer({ min: 0, max: 9 })).map(([key, rows]) => job(key, rows)),
    fc.tuple(names, fc.option(names)).map(([name, identity]) => owned(name, identity)),
  );
  const apply = fc.record({
    records: fc.array(record, { maxLength: 4 }),
    ended: fc.boolean(),
    size: fc.constantFrom(0, 0, LARGE),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(apply, { maxLength: 6 }), async (applies) => {
      const root = await mkdtemp(join(tmpdir(), 'dexsync-snapshot-'));
      try {
        await write(
          root,
          applies.map(({ records, ended, size }) => ({ records: ended ? [...records, END] : records, size })),
        );
        const [last] = (await journals(root)).slice(-1);
        if (last !== undefined) await appendFile(last, '{"type":"job","at":"cut o');
        const read = await stateOf(root);
        expect(await stateOfJournals(root)).toEqual(read);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    }),
    { numRuns: scaled(300, 30) },
  );
});
