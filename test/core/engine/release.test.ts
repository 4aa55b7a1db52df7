import { expect, test } from 'vitest';
import { releaseChanges, releaseDigest } from '#core/engine/release.js';
import { addressOf } from '#core/model/address.js';
import type { ReleaseContent, ReleasedObject } from '#core/model/release.js';

const schema = { type: 'object', properties: { description: { type: 'string' }, place: { type: 'string' } } };

const object = (name: string, lineage: string, more: Partial<ReleasedObject> = {}): ReleasedObject => ({
  address: addressOf('UserGroup', name),
  lineage,
  protect: false,
  spec: { description: 'as asked' },
  unnamed: { place: 'as seen' },
  ...more,
});

const content = (...objects: ReleasedObject[]): { content: ReleaseContent } => ({
  content: { objects, imports: [], lookups: {} },
});

const changes = (before: Parameters<typeof releaseChanges>[0], after: ReturnType<typeof content>) =>
  releaseChanges(before, after, () => schema);

test('objects are compared by lineage, so that a renamed one is neither new nor gone', () => {
  const before = content(object('a', '1'), object('b', '2'), object('c', '3'), object('d', '4'));
  const after = content(
    object('a', '1'),
    object('bb', '2'),
    object('c', '3', { spec: { description: 'other' }, protect: true }),
    object('e', '5'),
  );
  expect(changes(before, after)).toEqual([
    { address: 'UserGroup/bb', is: 'renamed', from: 'UserGroup/b', fields: [] },
    {
      address: 'UserGroup/c',
      is: 'changed',
      fields: [
        { path: 'description', before: 'as asked', after: 'other' },
        { path: 'metadata.protect', before: false, after: true },
      ],
    },
    { address: 'UserGroup/d', is: 'deleted', fields: [] },
    {
      address: 'UserGroup/e',
      is: 'created',
      fields: [
        { path: 'description', after: 'as asked' },
        { path: 'place', after: 'as seen' },
      ],
    },
  ]);
});

test('the first release creates all that it has, protected objects with their protection', () => {
  const [first] = changes(undefined, content(object('a', '1', { protect: true, unnamed: {} })));
  expect(first).toEqual({
    address: 'UserGroup/a',
    is: 'created',
    fields: [
      { path: 'description', after: 'as asked' },
      { path: 'metadata.protect', before: false, after: true },
    ],
  });
});

test('a field that no manifest names any longer is not a change, and one that is gone is', () => {
  const before = content(object('a', '1', { spec: { description: 'as asked', place: 'here' }, unnamed: {} }));
  expect(changes(before, content(object('a', '1', { unnamed: { place: 'here' } })))).toEqual([]);
  expect(changes(before, content(object('a', '1', { unnamed: {} })))).toMatchObject([
    { is: 'changed', fields: [{ path: 'place', before: 'here' }] },
  ]);
});

test('labels, and when and how an import was committed, do not change the digest', () => {
  const committed = { address: addressOf('Import', 'Parts'), digest: 'd1', rows: 1, at: '2026-01-01T00:00:00.000Z' };
  const digestOf = (more: Partial<ReleasedObject>, one: Partial<typeof committed>): string =>
    releaseDigest({ objects: [object('a', '1', more)], imports: [{ ...committed, ...one }], lookups: {} });
  const digest = digestOf({}, {});
  expect(digestOf({ labels: { team: 'a' } }, { rows: 2, at: '2026-02-01T00:00:00.000Z' })).toBe(digest);
  const others = [digestOf({ lineage: '2' }, {}), digestOf({ protect: true }, {}), digestOf({}, { digest: 'd2' })];
  expect(new Set([digest, ...others]).size).toBe(4);
});
