import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSecrets } from '#base/secrets.js';
import { addressOf } from '#core/model/address.js';
import { findList } from '#data/bulk/find-list.js';
import { readPlan } from '#delivery/planfile/read-plan.js';
import type { LedgerState } from '#ledger/fold.js';
import { parseJournal } from '#ledger/parse-journal.js';
import { fileLedger } from '../harness/file-ledger.js';

/** Two applies and a saved plan as dexsync 0.1 wrote them on 2026-11-22; never edited. */
const WRITTEN = join(import.meta.dirname, 'written-by-0.1');

const published = async (name: string) =>
  new Ajv({ discriminator: true, strict: false }).compile(JSON.parse(await readFile(join('schema', name), 'utf8')));

const journals = async (): Promise<string[]> => {
  const names = (await readdir(WRITTEN)).filter((name) => name.endsWith('.jsonl')).sort();
  return Promise.all(names.map((name) => readFile(join(WRITTEN, name), 'utf8')));
};

describe('a ledger that dexsync 0.1 wrote', () => {
  let root: string;
  let state: LedgerState;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'dexsync-ledger-'));
    await cp(WRITTEN, join(root, 'ledger', 'embedded_303784039'), { recursive: true });
    state = await fileLedger(root, 'embedded/303784039').state();
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('is read whole: objects with their last applied values, imports with their runs', () => {
    expect(state.objects.size).toBe(10);
    expect(state.objects.get(addressOf('Trigger', 'Compliance edited'))).toMatchObject({
      stack: 'fixture',
      how: 'created',
      applied: { description: 'Somebody changes everything that is said about RoHS' },
    });
    expect([...state.imports.values()].map(({ job }) => [job.state, job.runs.length])).toEqual([
      ['committed', 1],
      ['committed', 1],
    ]);
    expect(state.committedRows.get(addressOf('Import', 'Lamp BOM'))).toBe(6);
  });

  test('has plans and facts for the history, and no damage', async () => {
    const parsed = (await journals()).map(parseJournal);
    expect(parsed.map(({ damaged }) => damaged)).toEqual([undefined, undefined]);
    expect(parsed.map(({ apply }) => apply?.command)).toEqual(['apply', 'apply']);
    expect(parsed.map(({ plan }) => plan()?.steps.length)).toEqual([12, 1]);
  });

  test('matches the published schema', async () => {
    const validate = await published('journal.json');
    for (const line of (await journals()).flatMap((text) => text.trimEnd().split('\n'))) {
      expect(validate(JSON.parse(line)), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

test('a plan that dexsync 0.1 saved can be applied, and matches the published schema', async () => {
  const host = {
    ...{ cwd: WRITTEN, variables: {}, version: '0', clock: () => new Date(0), nonce: () => 'n' },
    ...{ signal: new AbortController().signal, emit: () => undefined, secrets: openSecrets(), findList },
  };
  const { plan } = await readPlan('plan.json', host);
  expect(plan.steps.map(({ address, action }) => [address, action])).toEqual([['Trigger/Compliance edited', 'update']]);
  const validate = await published('plan.json');
  expect(validate(plan), JSON.stringify(validate.errors)).toBe(true);
});
