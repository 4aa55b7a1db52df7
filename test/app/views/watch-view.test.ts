import { expect, test } from 'vitest';
import { openView, type ViewKind } from '#app/views/open-view.js';
import { addressOf } from '#core/model/address.js';
import type { Event } from '#core/stream/event.js';
import type { RoundEnd } from '#core/stream/watch-event.js';

async function shown(kind: ViewKind, events: readonly Event[]): Promise<string> {
  let out = '';
  const write = (text: string | Uint8Array): void => {
    out += text;
  };
  const clock = (): Date => new Date('2026-11-22T10:00:00Z');
  const view = await openView(kind, { out: { write }, color: 'plain', progress: 'live', clock });
  for (const event of events) view.event(event);
  await view.close();
  return out;
}

const ended = (end: Partial<RoundEnd>): Event => ({
  type: 'watch',
  event: {
    ...{ is: 'round-ended', round: 1, result: 'unchanged', seconds: 1.25, pending: 0, drifted: [], held: [] },
    ...{ requests: { used: 9, remaining: 812 }, next: '2026-11-22T10:42:00.000Z' },
    ...end,
  },
});
const begun: Event = { type: 'watch', event: { is: 'round', round: 1, because: 'interval' } };
const warning: Event = {
  type: 'diagnostic',
  diagnostic: { severity: 'warning', code: 'odd', message: 'This is odd.' },
};

test('the log of a watch shows its subject, each round, and why nothing was applied', async () => {
  const text = await shown('watch', [
    {
      type: 'watch',
      event: {
        ...{ is: 'started', environment: 'prod', policy: 'safe', follows: 'origin/main', interval: 600 },
        url: 'http://127.0.0.1:9464',
      },
    },
    begun,
    ended({}),
    ended({ result: 'applied', pending: 1, requests: { used: 1, remaining: null } }),
    ended({
      ...{ result: 'held', pending: 3 },
      held: [
        { address: addressOf('UserGroup', 'Quality'), because: 'overwrites' },
        { address: addressOf('Policy', 'Old'), because: 'deletes' },
      ],
      drifted: [
        {
          ...{ address: addressOf('UserGroup', 'Quality'), what: 'changed', fields: ['description', 'members'] },
          ...{ changedBy: 'ann\u001b[2J@example.com', changedAt: '2026-11-22T09:58:00Z' },
        },
      ],
    }),
    ended({ result: 'blocked', pending: 2 }),
    ended({ result: 'partial', pending: 2 }),
    ended({ result: 'failed', error: { code: 'NETWORK', message: 'No answer.', hint: 'Check the network.' } }),
    { type: 'watch', event: { is: 'stopped', rounds: 6 } },
  ]);
  expect(text).toMatchInlineSnapshot(`
    "2026-11-22 10:00:00 UTC  Watching environment prod: follows origin/main, applies what adds or changes as the manifests ask (policy safe).
      A round begins after each change, and every 10 min.
      Metrics: http://127.0.0.1:9464/metrics, health: http://127.0.0.1:9464/healthz and http://127.0.0.1:9464/readyz
    2026-11-22 10:00:00 UTC  Round 1: The workspace matches the manifests. (9 requests, 812 left, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
    2026-11-22 10:00:00 UTC  Round 1: Applied 1 step; the workspace matches the manifests. (1 request, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
    2026-11-22 10:00:00 UTC  Round 1: 3 steps pending; nothing was applied, because the policy leaves 2 of them to a person. (9 requests, 812 left, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
      UserGroup/Quality: changed outside dexsync by ann<U+001B>[2J@example.com at 2026-11-22 09:58:00 UTC (description, members)
      UserGroup/Quality: would overwrite a change made outside dexsync
      Policy/Old: would be deleted
      Review with \`dexsync plan\` and apply with \`dexsync apply\`.
    2026-11-22 10:00:00 UTC  Round 1: 2 steps blocked or manual; nothing can be applied. (9 requests, 812 left, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
    2026-11-22 10:00:00 UTC  Round 1: Applied in part; some steps are left. (9 requests, 812 left, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
    2026-11-22 10:00:00 UTC  Round 1: Failed: No answer. [NETWORK] (9 requests, 812 left, 1.3 s) Next round: 2026-11-22 10:42:00 UTC.
      Check the network.
    2026-11-22 10:00:00 UTC  Stopped after 6 rounds.
    "
  `);
});

const empty = { severity: 'error', code: 'key-empty', message: 'This is odd.', file: 'a.csv', row: 2 } as const;
const found: Event = {
  type: 'findings',
  address: addressOf('Import', 'Parts'),
  findings: {
    ...{ errors: 1, warnings: 0, byCode: { 'key-empty': 1 }, kept: [empty] },
    groups: [{ severity: 'error', code: 'key-empty', count: 1, cases: [{ finding: empty, count: 1, rows: [2] }] }],
  },
};

test.each([
  ['message', warning],
  ['finding about a source', found],
])('a repeated %s of the rounds is shown once, until a round leaves it out', async (_, event) => {
  const text = await shown('watch', [begun, event, begun, event, begun, begun, event]);
  expect(text.match(/This is odd/g)).toHaveLength(2);
});

test('the log for programs has time and level in each line', async () => {
  const lines = (await shown('log', [warning, ended({}), ended({ result: 'held' }), ended({ result: 'failed' })]))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ time, level, type }) => [time, level, type])).toEqual([
    ['2026-11-22T10:00:00.000Z', 'warn', 'diagnostic'],
    ['2026-11-22T10:00:00.000Z', 'info', 'watch'],
    ['2026-11-22T10:00:00.000Z', 'warn', 'watch'],
    ['2026-11-22T10:00:00.000Z', 'error', 'watch'],
  ]);
});
