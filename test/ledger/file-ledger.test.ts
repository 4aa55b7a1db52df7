import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { addressOf } from '#core/model/address.js';
import type { JobState } from '#core/model/job-state.js';
import type { Plan } from '#core/model/plan.js';
import type { JournalRecord } from '#ledger/journal-record.js';
import { fileLedger } from '../harness/file-ledger.js';
import { scaled } from '../harness/sample.js';

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const plan = (nonce: string): Plan => ({
  format: 'dexsync-plan/1',
  stack: 's',
  environment: 'e',
  workspace: { id: '1', name: 'W', identity: 'h/1' },
  manifests: 'd',
  nonce,
  createdAt: at(0),
  summary: {
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    retire: 0,
    forget: 0,
    rename: 0,
    adopt: 0,
    import: 0,
    manual: 0,
    blocked: 0,
    unchanged: 0,
  },
  notes: [],
  steps: [],
  guards: [],
  requests: { used: 0, apply: { min: 0, max: 0 }, remaining: null },
});

const job = (key: string, state: JobState): JournalRecord => ({
  type: 'job',
  at: at(1),
  address: addressOf('Import', 'I'),
  key,
  job: state,
});
const runs = [{ run: 'R', first: 1, last: 1, commit: 'no' as const }];
const committed: JobState = { state: 'committed', runs, at: at(1), rows: 1, failed: 0 };

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'dexsync-ledger-'));
  onTestFinished(async () => rm(made, { recursive: true, force: true }));
  return made;
}

const journals = async (root: string): Promise<string[]> => {
  const [workspace = ''] = await readdir(join(root, 'ledger'));
  return (await readdir(join(root, 'ledger', workspace))).map((name) => join(root, 'ledger', workspace, name)).sort();
};

test('a workspace without a ledger has an empty one', async () => {
  expect((await fileLedger(await folder(), 'h/1').state()).imports.size).toBe(0);
});

test('the next process finds the appended records, with the latest state of each job', async () => {
  const root = await folder();
  for (const [second, nonce] of ['a', 'b'].entries()) {
    const journal = await fileLedger(root, 'h/1').begin(plan(nonce), at(second));
    await journal.append(job('K1', second === 0 ? { state: 'posted', runs } : committed));
    await journal.close();
  }
  const { imports } = await fileLedger(root, 'h/1').state();
  expect([...imports]).toMatchObject([['K1', { job: committed }]]);
  expect((await fileLedger(root, 'h/2').state()).imports.size).toBe(0);
});

test('the plan is on the disk before the first record', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
  const [file = ''] = await journals(root);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ type: 'plan', plan: { nonce: 'a' } });
  await journal.close();
});

test('records appended at once are all there, in order', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
  await Promise.all(Array.from({ length: 500 }, (_, index) => journal.append(job(`K${index}`, committed))));
  await journal.close();
  expect([...(await fileLedger(root, 'h/1').state()).imports.keys()]).toEqual(
    Array.from({ length: 500 }, (_, index) => `K${index}`),
  );
});

test('every character that a text can hold is read back', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin({ ...plan('a'), stack: 'a\u2028b\u2029c\u0085d\ne' }, at(0));
  await journal.append(job('K\u2028', committed));
  await journal.close();
  expect([...(await fileLedger(root, 'h/1').state()).imports.keys()]).toEqual(['K\u2028']);
});

test('a record that a crash cut off is missing; the others are there', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
  await journal.append(job('K1', committed));
  await journal.close();
  const [file = ''] = await journals(root);
  await appendFile(file, '{"type":"job","key":"K2","job":{"sta');
  expect([...(await fileLedger(root, 'h/1').state()).imports.keys()]).toEqual(['K1']);
});

test('a journal whose creation was not finished does not count', async () => {
  const root = await folder();
  await (await fileLedger(root, 'h/1').begin(plan('a'), at(0))).close();
  const [file = ''] = await journals(root);
  await writeFile(file.replace('-a.jsonl', '-b.jsonl.new'), '{"type":"plan"');
  expect((await fileLedger(root, 'h/1').state()).imports.size).toBe(0);
});

test.each(['no record\n', '\n', '{"type":"job","key":x}\n', '{"type":"end","at":"\n'])(
  'a damaged record is refused with its place, not passed over: %j',
  async (damage) => {
    const root = await folder();
    await (await fileLedger(root, 'h/1').begin(plan('a'), at(0))).close();
    const [file = ''] = await journals(root);
    await appendFile(file, damage);
    await expect(fileLedger(root, 'h/1').state()).rejects.toMatchObject({
      code: 'LEDGER_DAMAGED',
      message: `Line 2 of the journal ${file} is not a record.`,
    });
  },
);

describe('a change after the write', () => {
  const owned: JournalRecord = {
    type: 'object',
    at: at(1),
    address: addressOf('UserGroup', 'Q'),
    object: { stack: 's', how: 'created', applied: { description: 'd' }, protect: false, identity: 'i' },
  };

  /** Two journals, each with a job and an object. */
  async function written(): Promise<{ root: string; files: string[] }> {
    const root = await folder();
    for (const [second, nonce] of ['a', 'b'].entries()) {
      const journal = await fileLedger(root, 'h/1').begin(plan(nonce), at(second));
      await journal.append(job(`K${nonce}`, committed));
      await journal.append(owned);
      await journal.append({ type: 'end', at: at(2) });
      await journal.close();
    }
    return { root, files: await journals(root) };
  }

  const stateOf = async (root: string) => {
    const { imports, objects } = await fileLedger(root, 'h/1').state();
    return [...imports, ...objects];
  };

  test('of any byte is found, or does not change what the ledger says', async () => {
    const { root, files } = await written();
    const whole = await stateOf(root);
    const silent: string[] = [];
    for (const file of files) {
      const bytes = await readFile(file);
      for (let index = 0; index < bytes.length; index += scaled(1, 7)) {
        const flipped = Buffer.from(bytes);
        flipped[index] = (flipped[index] as number) ^ (1 << (index % 7));
        await writeFile(file, flipped);
        const said = await stateOf(root).catch((error: DexsyncError) => error.code);
        if (said !== 'LEDGER_DAMAGED' && JSON.stringify(said) !== JSON.stringify(whole))
          silent.push(`${file}:${index}`);
      }
      await writeFile(file, bytes);
    }
    expect(silent).toEqual([]);
  });

  test.each([
    [
      '"identity":"i"',
      '"identity":"j"',
      /^Line 3 of the journal .* was changed after it was written; it recorded the owner of UserGroup\/Q and what was last applied to it\.$/,
    ],
    ['"key":"Ka"', '"key":"Kx"', /it recorded whether the rows of Import\/I were committed\.$/],
    ['"environment":"e"', '"environment":"f"', /^Line 1 .*; it recorded the plan\.$/],
  ])('is named with its consequences: %s', async (before, after, message) => {
    const { root, files } = await written();
    const [file = ''] = files;
    await writeFile(file, (await readFile(file, 'utf8')).replace(before, after));
    await expect(fileLedger(root, 'h/1').state()).rejects.toMatchObject({
      code: 'LEDGER_DAMAGED',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('`dexsync ledger rebuild` keeps what can still be read'),
    });
  });

  test('is found for a missing line, two swapped ones, and a missing journal', async () => {
    const { root, files } = await written();
    const [first = '', second = ''] = files;
    const lines = (await readFile(first, 'utf8')).split('\n');
    const [plan1, job1, object1, end1] = lines;
    for (const kept of [[plan1, object1, end1], [plan1, object1, job1, end1], [plan1, job1, object1], []]) {
      await writeFile(first, kept.map((line) => `${line}\n`).join(''));
      await expect(fileLedger(root, 'h/1').state(), String(kept.length)).rejects.toMatchObject({
        code: 'LEDGER_DAMAGED',
      });
    }
    await rm(first);
    await expect(fileLedger(root, 'h/1').state()).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The journal j00000001_.*-a\.jsonl is missing, so it is unknown what its apply created or imported\.$/,
      ),
    });
    expect(second).toContain('j00000002_');
  });

  test('does not include lines that an apply added to its journal after the next one began', async () => {
    const root = await folder();
    const slow = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
    const next = await fileLedger(root, 'h/1').begin(plan('b'), at(1));
    await slow.append(job('K1', committed));
    await next.append(job('K2', committed));
    await Promise.all([slow.close(), next.close()]);
    expect((await stateOf(root)).map(([key]) => key)).toEqual(['K1', 'K2']);
  });
});

test('journals count in the order in which they began, no matter what the clock said', async () => {
  const root = await folder();
  for (const [nonce, second, key] of [
    ['a', 9, 'old'],
    ['b', 1, 'new'],
  ] as const) {
    const journal = await fileLedger(root, 'h/1').begin(plan(nonce), at(second));
    await journal.append({ ...job('K', { ...committed, rows: key === 'old' ? 1 : 2 }) });
    await journal.close();
  }
  expect((await fileLedger(root, 'h/1').state()).imports.get('K')?.job).toMatchObject({ rows: 2 });
  expect((await fileLedger(root, 'h/1').journals()).map(({ begun }) => begun)).toEqual([at(9), at(1)]);
});

test('journals of older versions, without numbers and hashes, are read, and come first', async () => {
  const root = await folder();
  const own = join(root, 'ledger', 'h_1');
  await mkdir(own, { recursive: true });
  const old = [{ type: 'plan', at: at(0), plan: plan('o') }, job('K', committed)];
  await writeFile(join(own, '20260101T000000000Z-o.jsonl'), old.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const journal = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
  await journal.append(job('K', { ...committed, rows: 2 }));
  await journal.close();
  const ledger = fileLedger(root, 'h/1');
  expect((await ledger.state()).imports.get('K')?.job).toMatchObject({ rows: 2 });
  expect(await ledger.applyOf('o')).toMatchObject({ at: at(0) });
  expect(await ledger.applyOf('a')).toMatchObject({ at: at(0) });
  expect((await ledger.journals()).map(({ begun }) => begun)).toEqual([at(0), at(0)]);
});

test.skipIf(process.platform === 'win32')('nobody else can read it', async () => {
  const { root } = { root: await folder() };
  await chmod(root, 0o755);
  await (await fileLedger(root, 'h/1').begin(plan('a'), at(0))).close();
  const [file = ''] = await journals(root);
  const modes = await Promise.all([root, join(root, 'ledger'), dirname(file), file].map((path) => stat(path)));
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '700', '700', '600']);
});

describe('a process that may no longer write', () => {
  const refused = (): Promise<void> => Promise.reject(new DexsyncError('LEASE_LOST', 'Lost.'));

  test('begins no journal', async () => {
    const root = await folder();
    await expect(fileLedger(root, 'h/1', refused).begin(plan('a'), at(0))).rejects.toMatchObject({
      code: 'LEASE_LOST',
    });
    expect(await readdir(root)).toEqual([]);
  });

  test('appends nothing more, also when the permission comes back', async () => {
    const root = await folder();
    let may = async (): Promise<void> => undefined;
    const journal = await fileLedger(root, 'h/1', () => may()).begin(plan('a'), at(0));
    await journal.append(job('K1', committed));
    may = refused;
    await expect(journal.append(job('K2', committed))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    may = async () => undefined;
    await expect(journal.append(job('K3', committed))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await journal.close();
    expect([...(await fileLedger(root, 'h/1').state()).imports.keys()]).toEqual(['K1']);
  });
});
