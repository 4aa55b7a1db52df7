import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { PlanInput } from '#core/engine/plan.js';
import { addressOf } from '#core/model/address.js';
import type { JobRun, JobState } from '#core/model/job-state.js';
import {
  type ImportFacts,
  type PartialImport,
  partialImports,
  type RecordedImport,
} from '#core/model/partial-imports.js';
import { reference } from '#service/profiles/reference.js';
import { planned } from './planning-world.js';

const PARTS = addressOf('Import', 'Parts');
const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;

interface Commit extends Partial<ImportFacts> {
  readonly day: number;
  readonly rows: number;
  readonly failed: number;
  /** Rows that the service passed over in silence are neither. */
  readonly committed?: number;
}

const facts = ({ stack = 's', definition = 'Specs', retries }: Partial<ImportFacts>): ImportFacts => ({
  ...{ stack, definition },
  ...(retries === undefined ? {} : { retries }),
});

/** Committed by the run that has the number of its day. */
const commit = (key: string, name: string, { day, rows, failed, committed, ...given }: Commit): RecordedImport => ({
  ...{ address: addressOf('Import', name), key, facts: facts(given) },
  job: {
    ...{ state: 'committed', at: at(day), rows, failed },
    ...(committed === undefined ? {} : { committed }),
    runs: [{ run: `R${day}`, number: day, first: 1, last: rows, commit: 'done' }],
  },
});

const open = (key: string, state: 'posted' | 'rejected', retries?: string): RecordedImport => {
  const runs = [{ run: 'R9', number: 9, first: 1, last: 1, commit: 'no' as const }];
  const job: JobState = state === 'posted' ? { state, runs } : { state, runs, at: at(9), rows: 3, failed: 1 };
  return {
    address: addressOf('Import', 'Parts (retry)'),
    key,
    job,
    facts: facts(retries === undefined ? {} : { retries }),
  };
};

/** `Import/Parts: 2 of 10 missing`, and by which runs rows came later. */
const missing = (recorded: readonly RecordedImport[]): string[] =>
  partialImports(recorded, new Map()).map(
    ({ address, job: { rows }, committed, retriedBy }) =>
      `${address}: ${rows - committed} of ${rows} missing${retriedBy.length === 0 ? '' : ` after ${retriedBy}`}`,
  );

const FIRST = commit('a', 'Parts', { day: 1, rows: 10, failed: 4 });
const without = ({ facts: _, ...one }: RecordedImport): RecordedImport => one;

describe('an import is partial', () => {
  const cases: [promise: string, recorded: RecordedImport[], expected: string[]][] = [
    ['where rows of it failed', [FIRST], ['Import/Parts: 4 of 10 missing']],
    ['also in records of earlier versions', [without(FIRST)], ['Import/Parts: 4 of 10 missing']],
    ['not where all rows took effect', [commit('a', 'Parts', { day: 1, rows: 10, failed: 0 })], []],
    [
      'where the service passed over rows in silence',
      [commit('a', 'Parts', { day: 1, rows: 10, failed: 0, committed: 7 })],
      ['Import/Parts: 3 of 10 missing'],
    ],
    ['not before it is committed', [open('a', 'posted'), open('b', 'rejected')], []],
    [
      'by the rows that a retry leaves',
      [FIRST, commit('b', 'Parts (retry)', { day: 2, rows: 4, failed: 1, retries: 'a' })],
      ['Import/Parts: 1 of 10 missing after 2'],
    ],
    [
      'and by the rows that retries of retries leave, in any order',
      [
        commit('c', 'Parts (retry) (retry)', { day: 3, rows: 1, failed: 0, retries: 'b' }),
        commit('d', 'Parts (retry)', { day: 4, rows: 1, failed: 1, retries: 'a' }),
        FIRST,
        commit('b', 'Parts (retry)', { day: 2, rows: 3, failed: 1, retries: 'a' }),
      ],
      ['Import/Parts: 1 of 10 missing after 2,3,4'],
    ],
    [
      'until retries have brought all rows, or more than that',
      [FIRST, commit('b', 'Parts (retry)', { day: 2, rows: 6, failed: 0, retries: 'a' })],
      [],
    ],
    [
      'as long as a retry is open or was rejected',
      [FIRST, open('b', 'posted', 'a'), open('c', 'rejected', 'a')],
      ['Import/Parts: 4 of 10 missing'],
    ],
    ['not once a later content of it was committed', [FIRST, commit('b', 'Parts', { day: 2, rows: 9, failed: 0 })], []],
    [
      'by its newest content alone',
      [commit('b', 'Parts', { day: 2, rows: 9, failed: 2 }), FIRST],
      ['Import/Parts: 2 of 9 missing'],
    ],
    [
      'still where the same file was sent through another definition',
      [FIRST, commit('b', 'Parts', { day: 2, rows: 10, failed: 0, definition: 'Sourcing' })],
      ['Import/Parts: 4 of 10 missing'],
    ],
    [
      'not where it is unknown which definition the earlier one had',
      [without(FIRST), commit('b', 'Parts', { day: 2, rows: 10, failed: 0 })],
      [],
    ],
    [
      'not where it is unknown which definition the later one had',
      [FIRST, without(commit('b', 'Parts', { day: 2, rows: 10, failed: 0 }))],
      [],
    ],
    [
      'on its own where the retried import is unknown',
      [commit('b', 'Parts (retry)', { day: 2, rows: 4, failed: 1, retries: 'gone' })],
      ['Import/Parts (retry): 1 of 4 missing'],
    ],
    [
      'on its own where records say that it retries itself',
      [commit('b', 'Parts', { day: 2, rows: 4, failed: 1, retries: 'b' })],
      ['Import/Parts: 1 of 4 missing'],
    ],
  ];
  test.each(cases)('%s', (_, recorded, expected) => {
    expect(missing(recorded)).toEqual(expected);
  });

  test('and is accepted only for the acknowledged content', () => {
    const said = { stack: 's', at: at(5), by: 'ann', reason: 'CHG-7', fingerprint: 'a' };
    const accepted = (recorded: RecordedImport[]): unknown[] =>
      partialImports(recorded, new Map([[PARTS, said]])).map(({ acknowledgement }) => acknowledgement);
    expect(accepted([FIRST])).toEqual([said]);
    expect(accepted([FIRST, commit('b', 'Parts', { day: 2, rows: 9, failed: 2 })])).toEqual([undefined]);
  });
});

describe('a plan with partial imports', () => {
  const run = (number?: number): JobRun => ({
    ...{ run: 'R1', first: 1, last: 10, commit: 'done' },
    ...(number === undefined ? {} : { number }),
  });
  const committed = (number?: number) =>
    ({ state: 'committed', runs: [run(number)], at: at(1), rows: 10, failed: 4 }) as const;
  const partial = (over: Partial<PartialImport> = {}): PartialImport => ({
    ...{ address: PARTS, key: 'a', job: committed(12), committed: 6, retriedBy: [], ...over },
  });
  const plan = (
    given: readonly PartialImport[],
    prune: 'no' | 'all' = 'no',
    undone: NonNullable<PlanInput['undone']> = [],
  ) =>
    planned({
      ...{ manifests: [], facts: new Map(), partial: given, undone, prune },
      observation: { objects: new Map(), lookups: new Map(), unlisted: new Set() },
      capabilityOf: ({ collection }) => reference.collections[collection]?.can ?? expect.fail(builtIn.kinds.join()),
    }).plan;

  test('names the missing rows, with the next commands', () => {
    const [note] = plan([partial()]).notes;
    expect(note).toEqual({
      code: 'partly-imported',
      message:
        'Import/Parts: 4 of 10 rows are not in the workspace (run #12, 2026-01-01). `dexsync import errors 12` shows why, ' +
        '`dexsync import retry 12` sends them again once corrected, and `dexsync import acknowledge 12 --reason TEXT` ' +
        'accepts that they stay out.',
      addresses: [PARTS],
      partial: { runs: [12], at: at(1), rows: 10, committed: 6 },
    });
    expect(plan([partial()]).steps).toEqual([]);
  });

  test('says which import was undone, whole or in part, and by which runs', () => {
    const one = { address: PARTS, key: 'a', job: committed(12), undone: 'whole', undoneBy: [14, 15] } as const;
    const other = {
      ...one,
      address: addressOf('Import', 'Lamp parts'),
      undone: 'in part',
      job: committed(),
      undoneBy: [],
    } as const;
    const { notes } = plan([], 'no', [one, other]);
    expect(notes.map(({ code, message }) => [code, message])).toEqual([
      [
        'import-undone',
        'Import/Parts: run #12 was undone by #14, #15, so the workspace does not have its rows as the file does. ' +
          'They are sent again when the file changes, or now with `--reimport Import/Parts`.',
      ],
      [
        'import-undone',
        'Import/Lamp parts: its last run was undone in part, so the workspace does not have its rows as the file does. ' +
          "They are sent again when the file changes, or now with `--reimport 'Import/Lamp parts'`.",
      ],
    ]);
    expect(plan([partial()], 'all', [one]).notes.map(({ code }) => code)).not.toContain('import-undone');
  });

  test('says one row in the singular, and names an import without run numbers', () => {
    const [note] = plan([
      partial({ address: addressOf('Import', 'Lamp parts'), job: committed(), committed: 9 }),
    ]).notes;
    expect(note?.message).toBe(
      "Import/Lamp parts: 1 of 10 rows is not in the workspace (2026-01-01). `dexsync import errors 'Lamp parts'` shows why, " +
        "`dexsync import retry 'Lamp parts'` sends it again once corrected, and `dexsync import acknowledge 'Lamp parts' " +
        '--reason TEXT` accepts that it stays out.',
    );
  });

  test('does not ask for rows where it removes everything', () => {
    expect(plan([partial()], 'all').notes).toEqual([]);
  });
});
