import { expect, test } from 'vitest';
import { findLive } from '#core/engine/find-live.js';
import { liveIndex } from '#core/engine/live-index.js';
import { liveUnder } from '#core/engine/live-under.js';
import { type Address, addressOf } from '#core/model/address.js';
import { type Manifest, originsAt } from '#core/model/document.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Observed } from '#core/model/observation.js';

const origin = { file: 'g.yaml', line: 1, column: 1, layer: 'base' };
const address = addressOf('UserGroup', 'Quality');
const other = addressOf('UserGroup', 'Other');
const manifest: Manifest = {
  address,
  kind: 'UserGroup',
  metadata: { name: 'Quality' },
  spec: {},
  origins: originsAt(origin),
};
const observation = {
  objects: new Map([['UserGroup', [{ name: 'Other', spec: {}, identity: 'q' }]]]),
  lookups: new Map(),
  unlisted: new Set<string>(),
};
const facts = new Map([[address, { stack: 's', how: 'created', applied: {}, protect: false, identity: 'q' } as const]]);

test('a renamed object is not taken from an unselected manifest that describes its new name', () => {
  expect(findLive([manifest], observation, facts, new Set([address, other]))).toMatchObject([
    { live: { match: 'none' }, elsewhere: { object: { name: 'Other' } } },
  ]);
  expect(findLive([manifest], observation, facts, new Set([address]))).toMatchObject([{ live: { match: 'moved' } }]);
});

test('a shared name means the object that the ledger has under it', () => {
  const twin = (identity: string) => ({ name: 'Quality', spec: {}, identity });
  const index = liveIndex({ objects: new Map([['UserGroup', [twin('a'), twin('b')]]]) });
  expect(liveUnder('UserGroup', 'Quality', index, 'b')).toMatchObject({ match: 'name', raw: twin('b') });
  expect(liveUnder('UserGroup', 'Quality', index, undefined)).toMatchObject({ match: 'several' });
  expect(liveUnder('UserGroup', 'Other', index, 'b')).toEqual({ match: 'none' });
});

test('a kind that was not read has no live objects', () => {
  const index = liveIndex(observation);
  expect([index.all('Item'), index.named('Item', 'Other'), index.withIdentity('Item', 'q')]).toEqual([
    [],
    [],
    undefined,
  ]);
});

test('an object that the ledger has under both names was renamed by an interrupted apply', () => {
  const renamed = { ...manifest, metadata: { name: 'Quality', renamedFrom: 'Other' } };
  const fact = { stack: 's', how: 'created', applied: {}, protect: false, identity: 'q' } as const;
  const interrupted = new Map([
    [address, fact],
    [other, fact],
  ]);
  const described = new Set([address]);
  expect(findLive([renamed], observation, interrupted, described)).toMatchObject([
    { live: { match: 'renamed' }, knownAs: other, formerly: other },
  ]);
  const done = { ...observation, objects: new Map([['UserGroup', [{ name: 'Quality', spec: {}, identity: 'q' }]]]) };
  expect(findLive([renamed], done, interrupted, described)).toMatchObject([
    { live: { match: 'name' }, formerly: other },
  ]);
  expect(findLive([renamed], done, facts, described)).toEqual([expect.not.objectContaining({ formerly: other })]);
});

test('a rename ends the record of the former name only if that object is gone', () => {
  const renamed = { ...manifest, metadata: { name: 'Quality', renamedFrom: 'Other' } };
  const known = (identity: string) =>
    new Map([[other, { stack: 's', how: 'created', applied: {}, protect: false, identity } as const]]);
  const find = (identity: string, ...more: Observed[]) => {
    const groups = [{ name: 'Other', spec: {}, identity: 'q' }, ...more];
    const lives = { ...observation, objects: new Map([['UserGroup', groups]]) };
    return findLive([renamed], lives, known(identity), new Set([address]));
  };
  expect(find('q')).toMatchObject([{ live: { match: 'renamed' }, knownAs: other, formerly: other }]);
  const recreated = find('gone');
  expect(recreated).toMatchObject([{ live: { match: 'renamed' }, formerly: other }]);
  expect(recreated).toEqual([expect.not.objectContaining({ knownAs: other })]);
  const elsewhere = find('r', { name: 'Third', spec: {}, identity: 'r' });
  expect(elsewhere).toEqual([expect.not.objectContaining({ formerly: other })]);
});

test('the former name of a deleted object stays open until the one in its place is known, unless a manifest has it', () => {
  const renamed = { ...manifest, metadata: { name: 'Quality', renamedFrom: 'Other' } };
  const gone = { stack: 's', how: 'created', applied: {}, protect: false, identity: 'gone' } as const;
  const { identity: _, ...unanswered } = gone;
  const open = new Map<Address, ObjectFact>([
    [address, unanswered],
    [other, gone],
  ]);
  const nothing = { ...observation, objects: new Map() };
  const made = { ...observation, objects: new Map([['UserGroup', [{ name: 'Quality', spec: {}, identity: 'q' }]]]) };
  for (const [lives, match] of [
    [nothing, 'none'],
    [made, 'name'],
  ] as const) {
    expect(findLive([renamed], lives, open, new Set([address]))).toMatchObject([{ live: { match }, formerly: other }]);
    expect(findLive([renamed], lives, open, new Set([address, other]))).toEqual([
      expect.not.objectContaining({ formerly: other }),
    ]);
  }
});
