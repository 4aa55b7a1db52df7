import { expect, test } from 'vitest';
import { countRequests, type Usage } from '#service/interceptors/quota.js';
import { reference } from '#service/profiles/reference.js';

const TODAY = 'Sat, 01-Feb-2025 00:00:00 GMT-0800 (PST)';
const TOMORROW = 'Sun, 02-Feb-2025 00:00:00 GMT-0800 (PST)';

test.each<[string, readonly [remaining: number, reset: string | undefined][], number]>([
  [
    'answers that come in another order than they were counted in',
    [
      [40, TODAY],
      [38, TODAY],
      [39, TODAY],
    ],
    38,
  ],
  [
    'the first answers after the reset',
    [
      [2, TODAY],
      [25_000, TOMORROW],
      [24_999, TOMORROW],
    ],
    24_999,
  ],
  [
    'a negative number, which leaves nothing',
    [
      [2, TODAY],
      [-3, TODAY],
    ],
    0,
  ],
  [
    'words in place of a number, which say nothing',
    [
      [2, TODAY],
      [Number.NaN, TODAY],
    ],
    2,
  ],
  [
    'a service that does not say when it resets',
    [
      [2, undefined],
      [25_000, undefined],
    ],
    25_000,
  ],
])('the remaining quota is the least that is known: %s', async (_, answers, left) => {
  const { requestsRemaining, nextReset } = reference.headers;
  const usage: Usage = { used: 0, remaining: null, reset: null };
  const rest = [...answers];
  const send = countRequests(
    usage,
    reference,
  )(async () => {
    const [remaining, reset] = rest.shift() ?? [];
    const headers = { [requestsRemaining]: String(remaining), ...(reset === undefined ? {} : { [nextReset]: reset }) };
    return { status: 200, headers, body: { text: '' } };
  });
  for (const _answer of answers) await send({ method: 'GET', path: '/' });
  expect([usage.used, usage.remaining]).toEqual([answers.length, left]);
});
