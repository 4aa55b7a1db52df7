import { expect, test } from 'vitest';
import { type Address, addressOf } from '#core/model/address.js';
import type { JobState } from '#core/model/job-state.js';
import { foldJournals, stateRecords } from '#ledger/fold.js';
import type { AcknowledgementRecord, JobRecord, ObjectRecord } from '#ledger/journal-record.js';

const at = '2026-01-01T00:00:00.000Z';
const PARTS = addressOf('Import', 'Parts');
const GROUP = addressOf('UserGroup', 'Quality');
const RUN = { run: 'R1', first: 1, last: 10, commit: 'done' } as const;

const job = (key: string, state: JobState, address: Address = PARTS): JobRecord => ({
  type: 'job',
  at,
  address,
  key,
  job: state,
});
const settled = (state: 'committed' | 'rejected' | 'validated', rows: number): JobState => ({
  state,
  runs: [RUN],
  at,
  rows,
  failed: 0,
});
const object = (of: ObjectRecord['object'], address: Address = GROUP): ObjectRecord => ({
  type: 'object',
  at,
  address,
  object: of,
});
const fact = (identity?: string): NonNullable<ObjectRecord['object']> => ({
  stack: 'test',
  how: 'created',
  protect: false,
  applied: {},
  ...(identity === undefined ? {} : { identity }),
});

test('the latest record of an import by its key, and of an object by its address, counts, over all journals', () => {
  const state = foldJournals([
    [job('k1', { state: 'posted', runs: [RUN] }), object(fact())],
    [job('k1', settled('committed', 10)), object(fact('G1'))],
    [job('k2', { state: 'posted', runs: [RUN] })],
  ]);
  expect([...state.imports].map(([key, one]) => [key, one.job])).toEqual([
    ['k1', settled('committed', 10)],
    ['k2', { state: 'posted', runs: [RUN] }],
  ]);
  expect([...state.objects]).toEqual([[GROUP, fact('G1')]]);
});

test('an object without an owner is absent, and may come back', () => {
  expect(foldJournals([[object(fact('G1'))], [object(null)]]).objects.size).toBe(0);
  expect(foldJournals([[object(fact('G1')), object(null), object(fact('G2'))]]).objects.get(GROUP)).toEqual(fact('G2'));
});

test('the rows of an import are those of its last committed content, no matter how others ended', () => {
  const records = [
    job('k1', settled('committed', 10)),
    job('k2', settled('committed', 12)),
    job('k3', settled('rejected', 99)),
    job('k4', settled('validated', 98)),
    job('k5', { state: 'committing', runs: [RUN] }),
    job('k6', settled('committed', 5), addressOf('Import', 'BOM')),
  ];
  expect([...foldJournals([records]).committedRows]).toEqual([
    [PARTS, 12],
    [addressOf('Import', 'BOM'), 5],
  ]);
});

const done = (reason: string, address: Address = GROUP): AcknowledgementRecord => ({
  ...{ type: 'acknowledgement', at, address },
  acknowledgement: { stack: 'test', at, by: 'ann', reason, fingerprint: 'f' },
});

test('a manual step counts as done until the next acknowledgement or record of its object', () => {
  const reasons = (...records: (AcknowledgementRecord | ObjectRecord)[]): string[] =>
    [...foldJournals([records]).acknowledged.values()].map(({ reason }) => reason);
  expect(reasons(done('first'), done('second'))).toEqual(['second']);
  expect(reasons(done('first'), object(fact('G1')))).toEqual([]);
  expect(reasons(done('first'), object(null))).toEqual([]);
  expect(reasons(done('first'), object(null), done('again'))).toEqual(['again']);
  expect(reasons(object(fact('G1')), done('of ours'), object(fact('G2'), PARTS))).toEqual(['of ours']);
});

test('the records of a state add up to it', () => {
  const other = addressOf('Policy', 'Buyers');
  const state = foldJournals([[job('k1', settled('committed', 10)), object(fact('G1')), done('x', other)]]);
  expect(foldJournals([stateRecords(state, '2026-02-02T00:00:00.000Z')])).toEqual(state);
});

test('the records of a state have imports in the order of what happened to them, with its times', () => {
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
  const [first = '', second = '', third = ''] = times;
  const state = foldJournals([
    [
      job('k3', { state: 'posted', runs: [RUN] }),
      job('k1', { ...settled('committed', 10), at: first } as JobState),
      job('k2', { ...settled('rejected', 12), at: second } as JobState),
      job('k3', { ...settled('committed', 14), at: third } as JobState),
    ],
  ]);
  const records = stateRecords(state, '2026-02-02T00:00:00.000Z') as readonly JobRecord[];
  expect(records.map(({ key, at: when }) => [key, when])).toEqual([
    ['k1', first],
    ['k2', second],
    ['k3', third],
  ]);
});

test('the sender of an import is known from the first record that names it, also where a later one does not', () => {
  const facts = { stack: 'test', definition: 'Specs', retries: 'k0' };
  const state = foldJournals([
    [{ ...job('k1', { state: 'posted', runs: [RUN] }), facts }],
    [job('k1', settled('committed', 10)), job('k2', settled('committed', 3))],
  ]);
  expect([...state.imports.values()]).toEqual([
    { address: PARTS, key: 'k1', job: settled('committed', 10), facts },
    { address: PARTS, key: 'k2', job: settled('committed', 3), facts: undefined },
  ]);
  expect(foldJournals([stateRecords(state, at)])).toEqual(state);
});

test('the state without journals is empty', () => {
  const { imports, objects, committedRows } = foldJournals([]);
  expect([imports.size, objects.size, committedRows.size]).toEqual([0, 0, 0]);
});

test('a replacement continues the lineage of what it replaces, through renames, further replacements and a rewritten ledger', () => {
  const renamed = addressOf('UserGroup', 'Quality board');
  const replacing = (former: string) => object({ ...fact(), former: fact(former) }, renamed);
  const state = foldJournals([
    [object(fact('G1'))],
    [object(fact('G1'), renamed), object(null)],
    [replacing('G1'), object(fact('G2'), renamed)],
    [replacing('G2'), object(fact('G3'), renamed)],
    [object({ ...fact('G4'), former: fact('G4') }), object(fact('G4'))],
  ]);
  const expected = new Map([
    ['G2', 'G1'],
    ['G3', 'G1'],
  ]);
  expect(state.lineages).toEqual(expected);
  const again = foldJournals([stateRecords(state, at)]);
  expect(again.lineages).toEqual(new Map([['G3', 'G1']]));
  expect(again.objects).toEqual(state.objects);
});
