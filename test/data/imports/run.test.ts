import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import type { CommitRule } from '#core/jobs/import.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { decide, mayStart } from '#data/imports/run/decide-commit.js';
import { pace } from '#data/imports/run/poll.js';
import { priceOfImport } from '#data/imports/run/price.js';
import type { RunStatus } from '#service/import-runs.js';
import { ServiceError } from '#service/service-error.js';
import { refusal } from '../bulk/support.js';
import { complete, play, preparedRows, reportOf, scriptedRuns } from './scripted-runs.js';

const running = (successCount: number) => ({ status: 'RUNNING' as RunStatus, totalCount: 3, successCount });

test('a clean run is posted, polled, committed and polled again, each write recorded before and after it', async () => {
  const played = await play({ reads: [running(1), complete(3), running(0), complete(3)], commit: running(0) }, 3);
  const outcome = await played.outcome;
  expect(outcome).toMatchObject({
    outcome: 'committed',
    runs: [{ run: 'RUN1', number: 12, definition: 'D', first: 1, last: 3, commit: 'done' }],
    rows: 3,
    succeeded: 3,
    failed: 0,
    findings: [],
  });
  expect(played.log).toEqual([
    'POST',
    'posted',
    'GET',
    'GET',
    'validated',
    'committing',
    'PUT',
    'GET',
    'GET',
    'settled committed',
  ]);
  expect(played.events.map(({ type }) => type)).toEqual([
    'uploading',
    'validating',
    'validating',
    'validating',
    'decided',
    'committing',
    'committing',
    'committing',
    'done',
  ]);
  expect(played.events[2]).toEqual({
    type: 'validating',
    run: 'RUN1',
    number: 12,
    polls: 1,
    processed: 1,
    total: 3,
    speed: 5,
    wait: 320,
    because: 'rows',
  });
});

test('the spool is sent byte for byte, and can be sent again', async () => {
  const prepared = await preparedRows(2000);
  const { runs, uploaded } = scriptedRuns({ reads: [complete(2000)] });
  const played = await play({ reads: [complete(2000)] }, 1, { prepared, runsOf: () => runs, rule: 'never' });
  await played.outcome;
  expect(Buffer.concat(uploaded)).toEqual(await readFile(prepared.path));
  const sent = played.events.filter((event) => event.type === 'uploading').at(-1);
  expect(sent).toEqual({ type: 'uploading', bytes: prepared.bytes, total: prepared.bytes });
});

describe('the commit rule', () => {
  const report = reportOf('3,R2,Error,3001,"The attribute ""name"" is required."');
  const reads = [complete(2, 1), complete(2, 1)];

  test('clean: commits nothing after one failed row', async () => {
    const played = await play({ reads, reports: [report] }, 3);
    expect(await played.outcome).toMatchObject({
      outcome: 'rejected',
      failed: 1,
      limit: 0,
      reason: '1 of 3 rows failed, but `commit: clean` allows none.',
      errors: {
        count: 1,
        kept: [{ row: 4, key: 'R2', column: 'Description', value: 'part 2', code: 3001, certainty: 'certain' }],
      },
    });
    expect(played.log).toEqual(['POST', 'posted', 'GET', 'GET errors', 'settled rejected']);
  });

  test('never: validates, and leaves the commit to a person', async () => {
    const played = await play({ reads, reports: [report] }, 3, { rule: 'never' });
    expect(await played.outcome).toMatchObject({ outcome: 'validated', succeeded: 2, failed: 1 });
    expect(played.log).not.toContain('PUT');
  });

  test('always: commits the valid rows, and reads the errors again afterwards', async () => {
    const later = reportOf('3,R2,Error,3001,first', '4,R3,Error,3012,second');
    const played = await play({ reads: [complete(2, 1), complete(1, 2)], reports: [report, later] }, 3, {
      rule: 'always',
    });
    expect(await played.outcome).toMatchObject({ outcome: 'committed', failed: 2, errors: { count: 2 } });
    expect(played.log.filter((line) => line === 'GET errors')).toHaveLength(2);
  });

  test.each<[CommitRule, number, number, string, number?]>([
    [{ maxErrors: 2 }, 2, 100, 'commit', 2],
    [{ maxErrors: 2 }, 3, 100, 'reject', 2],
    [{ maxErrors: '1%' }, 1, 199, 'commit', 1],
    [{ maxErrors: '1%' }, 2, 199, 'reject', 1],
    [{ maxErrors: '0.5%' }, 1, 199, 'reject', 0],
    ['clean', 0, 5, 'commit', 0],
    ['always', 5, 5, 'commit'],
    ['never', 0, 5, 'leave'],
  ])('%o with %i of %i rows failed: %s', (rule, errors, rows, decision, limit) => {
    expect(decide(rule, errors, rows)).toMatchObject(limit === undefined ? { decision } : { decision, limit });
  });

  test('clean stops before any request with errors in the file, and the others continue, unless the whole table is wrong', () => {
    const findings = {
      kept: [],
      errors: 2,
      warnings: 1,
      byCode: new Map(),
      groups: [],
      errorCodes: new Set(['value-unknown']),
    };
    expect(mayStart(findings, 'clean')).toBe(false);
    expect(mayStart(findings, { maxErrors: 5 })).toBe(true);
    for (const code of ['column-missing', 'key-overwritten'])
      expect(mayStart({ ...findings, errorCodes: new Set([code]) }, 'always')).toBe(false);
    // The same code can be that of a warning, such as for columns that nothing is mapped to.
    expect(mayStart({ ...findings, byCode: new Map([['column-repeated', 1]]) }, { maxErrors: 5 })).toBe(true);
    expect(mayStart({ ...findings, errors: 0 }, 'clean')).toBe(true);
  });
});

describe('a run that does not complete', () => {
  test('gives the service’s own words in status ERROR', async () => {
    const warnings = [{ code: 3523, message: 'Cannot load data.' }];
    const played = await play({ reads: [{ status: 'ERROR', warnings }] }, 3);
    expect(await refusal(played.outcome)).toBe(
      'Run #12 of parts.csv could not be processed; nothing was committed. The service reports: Cannot load data. (3523) Correct the file and import it again. [RUN_FAILED]',
    );
  });

  test('ends with PURGED', async () => {
    const played = await play({ reads: [{ status: 'PURGED' }] }, 3);
    expect(await refusal(played.outcome)).toBe(
      'Run #12 of parts.csv was purged by the service before it finished. The service keeps runs for 60 days. Import the file again. [RUN_FAILED]',
    );
  });

  test('asks for an unknown state a limited number of times, which may still pass', async () => {
    const stuck = await play({ reads: [{ status: 'THINKING' }] }, 3);
    expect(await refusal(stuck.outcome)).toMatch(
      /^Run #12 of parts\.csv is still in the state THINKING, which dexsync does not know\. .*\[RUN_FAILED\]$/,
    );
    expect(stuck.log.filter((line) => line === 'GET')).toHaveLength(21);
    const passing = await play({ reads: [{ status: 'QUEUED' }, complete(3)] }, 3);
    expect(await passing.outcome).toMatchObject({ outcome: 'committed' });
  });
});

test('counts that do not add up are reported, with the run’s own warnings', async () => {
  const warnings = [{ code: 331, message: 'Column "x" is ignored.' }];
  const played = await play({ reads: [{ ...complete(118), totalCount: 119, warnings }] }, 120, { rule: 'never' });
  expect((await played.outcome).findings.map(({ severity, code, message }) => [severity, code, message])).toEqual([
    ['warning', 'rows-unaccounted', 'The service processed 119 of 120 rows.'],
    ['warning', 'counts-uneven', 'The service counts 118 rows as valid and 0 as failed, but 119 in total.'],
    ['warning', 'run-warning', 'Column "x" is ignored. (331)'],
  ]);
});

test('rows that are neither valid nor counted as failed have failed where errorCount is absent', async () => {
  const played = await play(
    { reads: [{ status: 'COMPLETE', totalCount: 3, successCount: 2 }], reports: [reportOf('2,R1,Error,1,x')] },
    3,
  );
  expect(await played.outcome).toMatchObject({ outcome: 'rejected', failed: 1 });
});

describe('an import in several runs', () => {
  const divided = async (rows: number, rowsPerRun: number): Promise<PreparedImport> => preparedRows(rows, rowsPerRun);

  test('sends every part with the header and its own rows, and validates all before it commits the first', async () => {
    const prepared = await divided(5, 2);
    expect(prepared.parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 4],
      [5, 5],
    ]);
    const played = await play({ reads: [complete(2)] }, 5, { prepared });
    expect(await played.outcome).toMatchObject({ outcome: 'committed', rows: 5, succeeded: 6 });
    const [header = '', ...rows] = (await readFile(prepared.path, 'utf8')).split('\r\n');
    expect(Buffer.concat(played.uploaded).toString()).toBe(
      [
        [header, rows[0], rows[1]],
        [header, rows[2], rows[3]],
        [header, rows[4]],
      ]
        .map((lines) => `${lines.join('\r\n')}\r\n`)
        .join(''),
    );
    expect(played.log.filter((line) => !line.startsWith('GET'))).toEqual([
      'POST',
      'posted',
      'POST',
      'posted posted',
      'POST',
      'posted posted posted',
      'validated',
      'committing posted posted',
      'PUT',
      'committed posted posted',
      'committed committing posted',
      'PUT',
      'committed committed posted',
      'committed committed committing',
      'PUT',
      'settled committed',
    ]);
  });

  test('does not send or commit again what a killed process had sent or committed', async () => {
    const prepared = await divided(5, 2);
    const known = (commit: 'no' | 'begun' | 'done', first: number, last: number) => ({
      run: 'RUN1',
      first,
      last,
      commit,
    });
    const half = await play({ reads: [complete(2)] }, 5, { prepared, resume: [known('no', 1, 2)] });
    await half.outcome;
    expect(half.log.filter((line) => line === 'POST')).toHaveLength(2);
    const committed = { ...complete(2), commit: true };
    const reads = [committed, committed, complete(1), committed, committed, committed];
    const resume = [known('done', 1, 2), known('begun', 3, 4), known('no', 5, 5)];
    const late = await play({ reads }, 5, { prepared, resume });
    await late.outcome;
    expect(late.log.filter((line) => line === 'POST' || line === 'PUT')).toEqual(['PUT']);
  });

  test('counts the rows of all runs together', async () => {
    const prepared = await divided(4, 2);
    const report = reportOf('2,R1,Error,3001,"The attribute ""name"" is required."');
    const played = await play({ reads: [complete(1, 1)], reports: [report, report] }, 4, {
      prepared,
      rule: { maxErrors: 1 },
    });
    expect(await played.outcome).toMatchObject({ outcome: 'rejected', failed: 2, limit: 1 });
  });
});

describe('a resumed run', () => {
  const posted = [{ run: 'RUN1', first: 1, last: 3, commit: 'no' as const }];
  const committing = [{ run: 'RUN1', first: 1, last: 3, commit: 'begun' as const }];

  test('continues from its validation, and is not posted again', async () => {
    const played = await play({ reads: [complete(3)] }, 3, { resume: posted });
    expect(await played.outcome).toMatchObject({ outcome: 'committed' });
    expect(played.log).toEqual(['GET', 'validated', 'committing', 'PUT', 'GET', 'settled committed']);
  });

  test('only waits for a commit that did arrive', async () => {
    const reads = [
      { ...running(1), commit: true },
      { ...complete(3), commit: true },
    ];
    const played = await play({ reads }, 3, { resume: committing });
    expect(await played.outcome).toMatchObject({ outcome: 'committed', succeeded: 3 });
    expect(played.log).toEqual(['GET', 'GET', 'settled committed']);
  });

  test('decides about a commit that did not arrive, and sends it', async () => {
    const played = await play({ reads: [complete(3)] }, 3, { resume: committing });
    await played.outcome;
    expect(played.log.filter((line) => line === 'PUT')).toHaveLength(1);
  });
});

test('a commit without an answer is settled by reading the run', async () => {
  const lost = (): never => {
    throw new DexsyncError('WRITE_UNANSWERED', 'No answer.');
  };
  const arrived = await play({ reads: [complete(3), complete(3)], commit: lost }, 3);
  expect(await arrived.outcome).toMatchObject({ outcome: 'committed' });
  const missed = await play({ reads: [complete(3), { ...complete(3), commit: false }], commit: lost }, 3);
  expect(await refusal(missed.outcome)).toContain('[WRITE_UNANSWERED]');
  expect(missed.log).not.toContain('settled committed');
});

test('a run that the service only acknowledged was not being committed: its rows are sent again', async () => {
  const absent = (method: 'GET' | 'PUT') => (): never => {
    const body = { text: JSON.stringify({ errors: [{ code: 3011, message: 'The GUID is not valid.' }] }) };
    throw new ServiceError(
      'SERVICE_ERROR',
      { method, path: '/imports/D/runs/RUN1' },
      { status: 400, headers: {}, body },
    );
  };
  const lost = (): never => {
    throw new DexsyncError('WRITE_UNANSWERED', 'No answer.');
  };
  const played = await play({ post: complete(3), commit: absent('PUT'), reads: [absent('GET')] }, 3);
  expect(await refusal(played.outcome)).toContain('nothing of it was committed. Repeat the command');
  expect(played.log).toEqual(['POST', 'posted', 'validated', 'committing', 'PUT', 'GET', 'posted']);
  const open = await play({ post: complete(3), commit: lost, reads: [absent('GET')] }, 3);
  expect(await refusal(open.outcome)).toContain('[SERVICE_ERROR]');
  expect(open.log.at(-1)).toBe('GET');
});

describe('an abort ends between requests and says what is left', () => {
  test('before anything was sent', async () => {
    const played = await play({ reads: [complete(3)] }, 3, { signal: AbortSignal.abort() });
    expect(await refusal(played.outcome)).toBe(
      'Interrupted before parts.csv was sent. Nothing was committed.  [INTERRUPTED]',
    );
    expect(played.log).toEqual([]);
  });

  test.each([
    [
      'while validating',
      { reads: [running(1)] },
      'posted',
      'Interrupted. Run #12 of parts.csv is still being validated, or is validated; nothing was committed. Repeat the command: it resumes this run and sends nothing twice. [INTERRUPTED]',
    ],
    [
      'while committing',
      { reads: [complete(3), running(1)], commit: running(0) },
      'PUT',
      'Interrupted. Run #12 of parts.csv is being committed by the service; its rows may already be applied. Repeat the command: it resumes this run and sends nothing twice. [INTERRUPTED]',
    ],
  ])('%s', async (_, script, after, message) => {
    const controller = new AbortController();
    const played = await play(script, 3, {
      signal: controller.signal,
      sleep: async () => {
        if (played.log.includes(after)) controller.abort();
      },
    });
    expect(await refusal(played.outcome)).toBe(message);
    expect(played.log.at(-1)).toBe(after);
  });
});

describe('polling', () => {
  test('starts soon, slows down where nothing changes, and stays below half a minute', () => {
    const { next } = pace(100);
    const waits = Array.from({ length: 16 }, () => next({ ...complete(0), status: 'RUNNING' } as never).wait);
    expect(waits.slice(0, 4)).toEqual([200, 320, 512, 819]);
    expect(Math.max(...waits)).toBe(30_000);
    expect(pace(134_881).next(complete(0) as never).wait).toBe(6744);
  });

  test('waits no longer than the remaining rows should take', () => {
    const { next } = pace(10_000);
    next(complete(0) as never);
    expect(next(complete(5000) as never).wait).toBe(500);
    expect(next(complete(9900) as never).wait).toBe(200);
  });

  test('slows down as the quota ends, and says so', () => {
    const next = (remaining: number) => pace(10, () => remaining).next({ ...complete(0), status: 'RUNNING' } as never);
    expect(next(25_000)).toEqual({ wait: 200, because: 'rows' });
    expect(next(200)).toEqual({ wait: 2000, because: 'quota' });
    expect(next(1)).toEqual({ wait: 30_000, because: 'quota' });
  });

  test('the price includes the records that are read back, by requests for each resource', () => {
    const most = (records: Parameters<typeof priceOfImport>[2]) =>
      priceOfImport([{ first: 1, last: 40 }], 'clean', records).max -
      priceOfImport([{ first: 1, last: 40 }], 'clean').max;
    const beforeImage = true;
    // Items and files by numbers, 20 and 1 at once; one more for what each item has; supplier items and suppliers besides.
    expect(most({ beforeImage, records: 'items' })).toBe(3);
    expect(most({ beforeImage, records: 'BOM lines' })).toBe(43);
    expect(most({ beforeImage, records: 'files of items' })).toBe(43);
    expect(most({ beforeImage, records: 'files' })).toBe(81);
    expect(most({ beforeImage, records: 'sourcing' })).toBe(203);
    expect(most({ verify: 'sample', records: 'files of items' })).toBe(22);
    expect(most({ verify: 'all', records: 'files' })).toBe(81);
  });

  test('a run costs its price', async () => {
    for (const rows of [1, 1000, 134_881]) {
      const { min, max } = priceOfImport([{ first: 1, last: rows }], 'clean');
      expect(min).toBe(4);
      expect(max).toBeGreaterThan(min);
      expect(max).toBeLessThan(260);
    }
    expect(priceOfImport([{ first: 1, last: 10 }], 'never')).toEqual({ min: 2, max: 3 });
    const two = [
      { first: 1, last: 5 },
      { first: 6, last: 10 },
    ];
    expect(priceOfImport(two, 'never')).toEqual({ min: 4, max: 6 });
    const played = await play({ post: {}, reads: [complete(3)], commit: complete(3) }, 3);
    await played.outcome;
    expect(played.log.filter((line) => /^(GET|PUT|POST)/.test(line))).toHaveLength(
      priceOfImport([{ first: 1, last: 3 }], 'clean').min,
    );
  });
});
