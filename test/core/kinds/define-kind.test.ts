import { expect, test } from 'vitest';
import { defineKind } from '#core/kinds/define-kind.js';
import { object } from '#core/model/fields.js';
import { Type } from '#core/model/schema.js';
import { arena } from '#service/profiles/arena.js';
import { profileWith } from '#service/profiles/profile.js';
import { reference } from '#service/profiles/reference.js';

const supplier = defineKind({
  name: 'Supplier',
  summary: 'A company.',
  endpoints: {
    path: '/suppliers',
    paged: 'yes',
    can: { create: 'yes', delete: 'yes' },
    profiles: { arena: { path: '/vendors', can: { delete: 'no' } } },
  },
  schema: object({ text: Type.Optional(Type.String()) }),
});

test('a kind brings its endpoints along, in each profile that it names', () => {
  const placeIn = (profile: typeof reference) => profileWith(profile, [supplier]).collections[supplier.collection];
  const readOnly = { list: 'yes', create: 'no', update: [], updateBody: 'full', delete: 'no' };
  expect(placeIn(reference)).toEqual({
    path: '/suppliers',
    paged: 'yes',
    can: { ...readOnly, create: 'yes', delete: 'yes' },
  });
  expect(placeIn(arena)).toEqual({ path: '/vendors', paged: 'yes', can: { ...readOnly, create: 'yes' } });
  expect(profileWith(reference, [])).toBe(reference);
});
