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
    paged: true,
    can: { create: true, delete: true },
    profiles: { arena: { path: '/vendors', can: { delete: false } } },
  },
  schema: object({ text: Type.Optional(Type.String()) }),
});

test('a kind brings its endpoints along, in each profile that it names', () => {
  const placeIn = (profile: typeof reference) => profileWith(profile, [supplier]).collections[supplier.collection];
  const readOnly = { list: true, create: false, update: [], updateBody: 'full', delete: false };
  expect(placeIn(reference)).toEqual({
    path: '/suppliers',
    paged: true,
    can: { ...readOnly, create: true, delete: true },
  });
  expect(placeIn(arena)).toEqual({ path: '/vendors', paged: true, can: { ...readOnly, create: true } });
  expect(profileWith(reference, [])).toBe(reference);
});
