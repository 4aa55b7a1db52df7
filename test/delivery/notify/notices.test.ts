import { describe, expect, test } from 'vitest';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import { lookOfRound } from '#delivery/notify/look-of-round.js';
import { bodyOf, lineOf, type Message } from '#delivery/notify/message.js';
import { type Found, nextNotice } from '#delivery/notify/notice.js';
import { environmentPlace, seenInEnvironment, seenInRollout } from '#delivery/notify/seen.js';
import type { Said } from '#ledger/said.js';

const found = (...entries: string[]): Found => ({ entries, text: 't', command: 'c', recovered: 'r' });

/** What is said of a topic after each of some looks. */
const saidAfter = (...looks: string[][]) => {
  let said: Said = {};
  return looks.map((entries) => {
    const next = nextNotice(said, 'drifted', found(...entries));
    said = next?.said ?? said;
    return next?.notice?.is;
  });
};

describe('what is said', () => {
  test('the same once; what is new besides; the end of all; and then all again', () => {
    expect(saidAfter(['a'], ['a'], ['b', 'a'], ['a', 'b'], ['b'], ['b', 'a'], [], [], ['a'])).toEqual([
      ...['drifted', undefined, 'drifted', undefined, undefined, 'drifted'],
      ...['recovered', undefined, 'drifted'],
    ]);
  });

  test('a person who decided needs no message that nothing waits', () => {
    const { recovered: _, ...waiting } = found();
    expect(nextNotice({ waiting: ['a'] }, 'waiting', waiting)).toEqual({ said: { waiting: [] } });
  });

  test('a round: what the policy holds and what no write can do waits; interrupted or locked, it says nothing', () => {
    const step = (address: string, writes: unknown[]) => ({ address, writes });
    const plan = { steps: [step('A/held', [1]), step('A/manual', []), step('A/adopted', []), step('A/failed', [1])] };
    const ends = new Map([
      ['A/failed', 'failed'],
      ['A/adopted', 'done'],
    ] as const);
    const end = { result: 'partial', held: [{ address: 'A/held', because: 'deletes' }], drifted: [] } as const;
    expect(lookOfRound(end as never, plan as never, ends)).toEqual({
      ...{ waiting: ['A/held', 'A/manual'], drifted: [], failed: ['A/failed'] },
    });
    for (const code of ['INTERRUPTED', 'LOCKED'])
      expect(lookOfRound({ ...end, error: { code, message: '' } } as never, undefined, new Map())).toBeUndefined();
    expect(lookOfRound({ result: 'held', held: [], drifted: [] }, undefined, new Map())).toBeUndefined();
  });

  test('a line names five things at most, and the message of an error is not among them', () => {
    const many = Array.from({ length: 7 }, (_, index) => `A/${index}`);
    const { drifted } = seenInEnvironment('prod eu', { drifted: many });
    expect(drifted).toMatchObject({
      text: '7 objects changed outside dexsync: A/0, A/1, A/2, A/3, A/4 and 2 more',
      command: "dexsync drift --env 'prod eu'",
    });
    expect(seenInEnvironment('prod', { failed: { code: 'NETWORK' } }).failed?.text).toBe(
      'it could not be compared (NETWORK)',
    );
  });

  test('a rollout that a person paused or stopped is silent; one that is done does not mention what failed before', () => {
    const status = { fleet: 'f', name: 'r', targets: [], exitCode: 0 } as unknown as RolloutStatus;
    expect(seenInRollout({ ...status, next: { is: 'paused' } })).toEqual({});
    const { failed, done } = seenInRollout({ ...status, next: { is: 'ended' } });
    expect([failed?.recovered, done?.entries]).toEqual([undefined, ['r']]);
  });
});

describe('hostile names', () => {
  const name = 'A/<!channel> & [x](http://evil)\r\nBcc: all@example.com \u001b[31m*b*';
  const message: Message = {
    ...{ is: 'drifted', place: environmentPlace('prod'), command: 'dexsync drift' },
    ...{ text: `1 object changed: ${name}`, stack: 's', at: '2026-11-30T00:00:00Z' },
  };

  test('stay on one line, without control characters, and are no mention, link or format', () => {
    expect(lineOf(message)).toBe(
      '[s] prod: 1 object changed: A/<!channel> & [x](http://evil) Bcc: all@example.com <U+001B>[31m*b*. Next: dexsync drift',
    );
    expect(bodyOf(message, 'slack')).toMatchObject({
      text: expect.stringContaining('A/&lt;!channel&gt; &amp; [x]'),
      blocks: [{ text: { type: 'plain_text' } }],
    });
    expect(JSON.stringify(bodyOf(message, 'teams'))).not.toContain('"TextBlock"');
    expect(bodyOf({ ...message, text: 'x'.repeat(9000) }, 'json')).toMatchObject({
      line: expect.stringMatching(/\.\.\./),
    });
  });
});
