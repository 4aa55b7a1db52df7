import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { Bound } from '#core/engine/bind.js';
import { followRename, namesBeforeRename } from '#core/engine/follow-renames.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';

const fact = (identity: string, applied: JsonObject = {}, observed?: JsonObject): ObjectFact => ({
  ...{ stack: 's', how: 'created', protect: false, identity, applied },
  ...(observed === undefined ? {} : { observed }),
});

const OLD = addressOf('UserGroup', 'Old');

const facts = new Map<Address, ObjectFact>([
  [OLD, fact('g')],
  [addressOf('Policy', 'Named'), fact('n', { userGroups: ['Old', 'Other'] })],
  [addressOf('Policy', 'Seen'), { ...fact('o', {}, { userGroups: ['Old'] }), stack: 'another' }],
  [addressOf('Policy', 'Free'), fact('f', { userGroups: ['Other'] })],
]);

const follow = (identity: string, formerly?: Address, after: ObjectFact | null = fact(identity)) =>
  followRename(
    { address: addressOf('UserGroup', 'New'), fact: after, ...(formerly === undefined ? {} : { formerly }) },
    facts,
    facts,
    builtIn.schemaOf,
  );

test('facts of all stacks have the new name of a renamed object, and no others are recorded', () => {
  expect(follow('g', OLD)).toEqual([
    [addressOf('Policy', 'Named'), fact('n', { userGroups: ['New', 'Other'] })],
    [addressOf('Policy', 'Seen'), { ...fact('o', {}, { userGroups: ['New'] }), stack: 'another' }],
  ]);
});

test('a step that renames nothing, or whose former address was that of another object, is not followed', () => {
  expect(follow('g')).toEqual([]);
  expect(follow('g', addressOf('UserGroup', 'Unknown'))).toEqual([]);
  expect(follow('h', OLD)).toEqual([]);
  expect(follow('g', OLD, null)).toEqual([]);
});

test('until its rename, an object has the name that the ledger knows, or else the one that it has', () => {
  const described = (live: string, known?: ObjectFact, knownAs?: Address) =>
    ({
      manifest: { address: addressOf('UserGroup', 'New') },
      live: { match: 'renamed', raw: { identity: 'g', name: live } },
      ...{ fact: known, knownAs },
    }) as unknown as Bound;
  const named = (one: Bound): unknown => namesBeforeRename([one]).get(addressOf('UserGroup', 'New'));
  expect(named(described('Old'))).toBe('Old');
  expect(named(described('Old', fact('another'), addressOf('UserGroup', 'First')))).toBe('Old');
  expect(named(described('Old', fact('g'), addressOf('UserGroup', 'First')))).toBe('First');
  expect(named(described('Old', fact('g')))).toBeUndefined();
  expect(named({ ...described('Old'), live: { match: 'none' } })).toBeUndefined();
});
