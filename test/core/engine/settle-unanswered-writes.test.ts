import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { settleUnansweredWrites } from '#core/engine/settle-unanswered-writes.js';
import { addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';

const QUALITY = addressOf('UserGroup', 'Quality');

const recorded = (applied: JsonObject, over: Partial<ObjectFact> = {}): ObjectFact => ({
  ...{ stack: 's', how: 'created', applied, protect: false, identity: 'q' },
  ...over,
});

/** What the ledger says of an object after an update that nobody answered: what was sent, and what it knew before. */
function settled(sent: ObjectFact, former: ObjectFact, live: JsonObject | undefined): ObjectFact | undefined {
  const objects = live === undefined ? [] : [{ name: 'Quality', identity: 'q', spec: live }];
  return settleUnansweredWrites(
    new Map([[QUALITY, { ...sent, former }]]),
    { objects: new Map([['UserGroup', objects]]) },
    builtIn.knownKind,
  ).get(QUALITY);
}

describe('the ledger records after an update without an answer', () => {
  const before = recorded({ description: 'a', enabled: true });
  const cases: [promise: string, sent: JsonObject, live: JsonObject, applied: JsonObject][] = [
    [
      'the sent value, where it is there',
      { description: 'b' },
      { description: 'b', enabled: true },
      { description: 'b' },
    ],
    ['the former value, where that is there', { description: 'b' }, { description: 'a' }, { description: 'a' }],
    ['the former value, where somebody else wrote', { description: 'b' }, { description: 'c' }, { description: 'a' }],
    ['a field that was cleared', { description: null }, { enabled: true }, { description: null }],
    [
      'each field by itself',
      { description: 'b', enabled: false },
      { description: 'b', enabled: true },
      { description: 'b', enabled: true },
    ],
    [
      'the former value of a list that was not read',
      { description: 'b', members: ['ann@example.com'] },
      { description: 'b' },
      { description: 'b' },
    ],
  ];
  test.each(cases)('%s', (_, sent, live, applied) => {
    expect(settled(recorded(sent), before, live)?.applied).toMatchObject(applied);
  });

  test('fields that no manifest names as they were, and protection as it was', () => {
    const former = recorded({ description: 'a' }, { observed: { enabled: true, assignability: [] }, protect: true });
    const sent = recorded({ description: 'b', enabled: false }, { observed: { assignability: [] } });
    const live = { description: 'b', enabled: true, assignability: ['CHANGES'] };
    expect(settled(sent, former, live)).toEqual({
      ...recorded({ description: 'b' }, { protect: true, observed: { enabled: true, assignability: [] } }),
      former,
    });
  });

  test('the sent values, while nobody sees the object', () => {
    const sent = recorded({ description: 'b' });
    expect(settled(sent, before, undefined)).toEqual({ ...sent, former: before });
  });
});
