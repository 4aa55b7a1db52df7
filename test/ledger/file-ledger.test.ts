import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DexsyncError } from '../../src/errors.js';
import { fileLedger } from '../../src/ledger/file-ledger.js';
import type { JournalRecord } from '../../src/ledger/record.js';
import { addressOf } from '../../src/model/address.js';
import type { JobState } from '../../src/model/job-state.js';
import type { Plan } from '../../src/model/plan.js';

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`;
const plan = (nonce: string): Plan => ({
  format: 'dexsync-plan/1',
  stack: 's',
  environment: 'e',
  workspace: { id: '1', name: 'W', identity: 'plm.example.com:443/1' },
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
  expect((await fileLedger(await folder(), 'h/1').state()).jobs.size).toBe(0);
});

test('what was appended is there for the next process, the latest state of each job', async () => {
  const root = await folder();
  for (const [second, nonce] of ['a', 'b'].entries()) {
    const journal = await fileLedger(root, 'h/1').begin(plan(nonce), at(second));
    await journal.append(job('K1', second === 0 ? { state: 'posted', runs } : committed));
    await journal.close();
  }
  const { jobs } = await fileLedger(root, 'h/1').state();
  expect([...jobs]).toEqual([['K1', committed]]);
  expect((await fileLedger(root, 'h/2').state()).jobs.size).toBe(0);
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
  expect([...(await fileLedger(root, 'h/1').state()).jobs.keys()]).toEqual(
    Array.from({ length: 500 }, (_, index) => `K${index}`),
  );
});

test('every character that a text can hold is read back', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin({ ...plan('a'), stack: 'a\u2028b\u2029c\u0085d\ne' }, at(0));
  await journal.append(job('K\u2028', committed));
  await journal.close();
  expect([...(await fileLedger(root, 'h/1').state()).jobs.keys()]).toEqual(['K\u2028']);
});

test('a record that a crash cut off is not there; the others are', async () => {
  const root = await folder();
  const journal = await fileLedger(root, 'h/1').begin(plan('a'), at(0));
  await journal.append(job('K1', committed));
  await journal.close();
  const [file = ''] = await journals(root);
  await appendFile(file, '{"type":"job","key":"K2","job":{"sta');
  expect([...(await fileLedger(root, 'h/1').state()).jobs.keys()]).toEqual(['K1']);
});

test('a journal that was begun and not finished being made does not count', async () => {
  const root = await folder();
  await (await fileLedger(root, 'h/1').begin(plan('a'), at(0))).close();
  const [file = ''] = await journals(root);
  await writeFile(file.replace('-a.jsonl', '-b.jsonl.new'), '{"type":"plan"');
  expect((await fileLedger(root, 'h/1').state()).jobs.size).toBe(0);
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

describe('who may no longer write', () => {
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
    expect([...(await fileLedger(root, 'h/1').state()).jobs.keys()]).toEqual(['K1']);
  });
});
