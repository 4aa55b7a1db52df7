import { describe, expect, test } from 'vitest';
import { stateRecordIn } from '#ledger/journal-record.js';

const at = '2026-01-01T00:00:00.000Z';
const RUN = { run: 'R1', first: 1, last: 10, commit: 'no' };
const posted = { state: 'posted', runs: [RUN] };
const committed = { state: 'committed', runs: [{ ...RUN, commit: 'done' }], at, rows: 10, failed: 0 };
const job = (of: unknown) => ({ type: 'job', at, address: 'Import/Parts', key: 'k', job: of });
const fact = { stack: 'test', how: 'created', protect: true, applied: {}, identity: 'G1' };
const object = (of: unknown) => ({ type: 'object', at, address: 'UserGroup/Quality', object: of });

describe('a line of a journal with state', () => {
  const whole: [string, unknown][] = [
    ['an object that was created', object(fact)],
    ['an object that was adopted', object({ ...fact, how: 'adopted' })],
    ['an object whose creation has no answer yet', object({ ...fact, identity: undefined })],
    ['an object without an owner', object(null)],
    ...['posted', 'committing', 'failed', 'lost'].map((state): [string, unknown] => [
      `an import that is ${state}`,
      job({ ...posted, state }),
    ]),
    ...['committed', 'rejected', 'validated'].map((state): [string, unknown] => [
      `an import that is ${state}`,
      job({ ...committed, state }),
    ]),
    ...['no', 'begun', 'done'].map((commit): [string, unknown] => [
      `a run whose commit is ${commit}`,
      job({ ...posted, runs: [RUN, { ...RUN, commit }] }),
    ]),
  ];
  test.each(whole)('is read unchanged: %s', (_, record) => {
    expect(stateRecordIn(record)).toEqual(record);
  });

  const broken: [string, unknown][] = [
    ['no object', 'object'],
    ['nothing', null],
    ['an object without address', { ...object(fact), address: undefined }],
    ['an object without an owner and an address', { ...object(null), address: 5 }],
    ['an object that is a text', object('Quality')],
    ['an object without its applied values', object({ ...fact, applied: undefined })],
    ['an object of no stack', object({ ...fact, stack: undefined })],
    ['an object without protection', object({ ...fact, protect: 'yes' })],
    ['an object that came in another way', object({ ...fact, how: 'found' })],
    ['an identity that is a number', object({ ...fact, identity: 5 })],
    ['an import without key', { ...job(posted), key: undefined }],
    ['an import that is a text', job('posted')],
    ['an import without state', job({ ...posted, state: undefined })],
    ['an import in a state that there is not', job({ ...posted, state: 'sent' })],
    ['an import without runs', job({ ...posted, runs: undefined })],
    ['an import with no run', job({ ...posted, runs: [] })],
    ['runs that are no list', job({ ...posted, runs: { 0: RUN } })],
    ['a run that is a text', job({ ...posted, runs: [RUN, 'R2'] })],
    ['a run without GUID', job({ ...posted, runs: [RUN, { ...RUN, run: 2 }] })],
    ['a run whose commit nobody knows', job({ ...posted, runs: [{ ...RUN, commit: 'maybe' }, RUN] })],
    ['a settled import without time', job({ ...committed, at: undefined })],
    ['a settled import without rows', job({ ...committed, rows: '10' })],
    ['a settled import without failed rows', job({ ...committed, failed: undefined })],
  ];
  test.each(broken)('is refused with %s', (_, record) => {
    expect(stateRecordIn(record)).toBeUndefined();
  });
});

describe('an import of an older journal, with one run over all rows', () => {
  const older = (state: string, more: object = {}) => job({ state, run: 'R1', ...more });
  const runs = (commit: string, more: object = {}) => [
    { run: 'R1', ...more, first: 1, last: Number.MAX_SAFE_INTEGER, commit },
  ];

  test.each([
    ['posted', 'no'],
    ['failed', 'no'],
    ['committing', 'begun'],
    ['lost', 'begun'],
  ])('is read when it is %s', (state, commit) => {
    expect(stateRecordIn(older(state))).toEqual(job({ state, runs: runs(commit) }));
  });

  test('is read when it is committed, with the number and the definition of its run', () => {
    const more = { at, rows: 10, failed: 1 };
    expect(stateRecordIn(older('committed', { ...more, number: 7, definition: 'D1' }))).toEqual(
      job({ state: 'committed', ...more, runs: runs('done', { number: 7, definition: 'D1' }) }),
    );
  });
});
