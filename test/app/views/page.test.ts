import { expect, test } from 'vitest';
import type { EnvironmentStatus } from '#app/operations/status.js';
import type { Known } from '#app/server/knowledge.js';
import { waitingCount, waitingPage } from '#app/views/page/waiting.js';
import { workspacesPage } from '#app/views/page/workspaces.js';
import type { StepCounts } from '#ledger/counts.js';

const AT = '2026-11-22T10:00:00.000Z';
const COUNTS: StepCounts = { done: { update: 2 }, failed: 0, unknown: 0, partly: 0, skipped: 0, manual: 0, blocked: 0 };

const quiet = (environment: string): EnvironmentStatus => ({
  ...{ environment, production: false, known: true, release: null, created: null, next: null, seen: null },
  ...{ plans: { waiting: 0, approved: 0, rejected: 0 }, imports: { missing: 0, open: 0 }, locks: [], attention: false },
  lastApply: { number: 3, at: AT, state: 'ended', counts: COUNTS, apply: null },
});

const RELEASE = { name: 'dev/r2', objects: 5, open: 0, conflicts: 0, hotfixes: 0, behind: 0 };
const SEEN = { at: AT, drifted: 0, unknown: 0, remaining: 812, by: 'ann', sinceLastApply: true };

/** An environment in each state that the page distinguishes. */
const ENVIRONMENTS: readonly EnvironmentStatus[] = [
  quiet('calm'),
  { ...quiet('behind'), production: true, release: { ...RELEASE, behind: 2 }, attention: true },
  { ...quiet('conflict'), release: { ...RELEASE, open: 3, conflicts: 1, hotfixes: 1 }, attention: true },
  {
    ...quiet('kept'),
    next: { name: 'dev/r3', closed: [{ gate: 'freeze', message: 'No change before Christmas.' }] },
    attention: true,
  },
  { ...quiet('free'), next: { name: 'dev/r3', closed: [] }, attention: true },
  { ...quiet('drifted'), seen: { ...SEEN, drifted: 3 }, attention: true },
  { ...quiet('rows'), imports: { missing: 12, open: 1 }, attention: true },
  {
    ...quiet('failed'),
    lastApply: { number: 4, at: AT, state: 'ended', counts: { ...COUNTS, failed: 1, manual: 2 }, apply: null },
    attention: true,
  },
  {
    ...quiet('broken'),
    problem: { message: 'The ledger cannot be read.', hint: 'Run `dexsync ledger check`.' },
    attention: true,
  },
  { ...quiet('locked'), seen: SEEN, locks: ['"apply" of ann on laptop (process 7, "Hotfix")'] },
];

const KNOWN: Known = { stack: 'plm', at: AT, environments: ENVIRONMENTS, fleets: [], plans: [], rollouts: [] };

/** The names of the environments that a page lists. */
const listed = (show: string, words = ''): string[] =>
  [...workspacesPage(KNOWN, { show, words }).text.matchAll(/<th scope="row"><a href="\/environments\/([^"]+)">/g)].map(
    ([, name = '']) => name,
  );

test('each total lists the environments that it counts', () => {
  const { text } = workspacesPage(KNOWN, { show: '', words: '' });
  const totals = [...text.matchAll(/href="\/(?:\?show=(\w+))?"[^>]*><b>(\d+)<\/b>/g)].map(([, show = '', count]) => ({
    show,
    count: Number(count),
  }));
  expect(totals.map(({ show }) => show)).toEqual([
    ...['', 'waiting', 'behind', 'drifted', 'conflicts', 'kept', 'rows', 'failed', 'used'],
  ]);
  for (const { show, count } of totals) expect([show, listed(show).length]).toEqual([show, count]);
  expect([listed('kept'), listed('failed'), listed('used'), listed('no such total').length]).toEqual([
    ...[['kept'], ['failed', 'broken'], ['locked'], ENVIRONMENTS.length],
  ]);
});

test('words narrow the list and its totals, in any order and case', () => {
  expect(listed('', 'FT dri')).toEqual(['drifted']);
  expect(listed('waiting', 'e')).toEqual(['behind', 'kept', 'free', 'drifted', 'failed', 'broken']);
  expect(workspacesPage(KNOWN, { show: '', words: 'zzz' }).text).toContain('No environment is like that.');
});

test('a row says what is behind, in conflict, kept, drifted, left, and who uses it and why', () => {
  const { text } = workspacesPage(KNOWN, { show: '', words: '' });
  for (const part of [
    ...[
      'production',
      '2 behind',
      '(2 of 5)',
      '1 conflict',
      '1 hotfix',
      'title="No change before Christmas."',
      'may come',
    ],
    ...['3 objects', '12 rows missing', '1 open import', '1 failed', 'cannot be read', '812', '&quot;Hotfix&quot;'],
  ])
    expect([part, text.includes(part)]).toEqual([part, true]);
});

test('what waits is listed with what to do, and counted', () => {
  const { text } = waitingPage(KNOWN);
  const sections = [...text.matchAll(/<h2>([^<]+) <span class="count">(\d+)/g)].map(([, title, count]) => [
    title,
    count,
  ]);
  expect(sections).toEqual([
    ['Conflicts', '1'],
    ['Gates', '2'],
    ['Manual steps', '1'],
    ['Imports', '1'],
    ['Applies that did not end well', '1'],
    ['Drift', '1'],
    ['Cannot be read', '1'],
  ]);
  expect(waitingCount(KNOWN)).toBe(8);
  for (const part of [
    'dexsync promote --to free',
    'No change before Christmas.',
    'dexsync history show 4 --env failed',
  ])
    expect([part, text.includes(part)]).toEqual([part, true]);
  expect(waitingPage({ ...KNOWN, environments: [quiet('calm')] }).text).toContain('Nothing waits for a person.');
});
