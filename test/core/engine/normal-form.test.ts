import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestOfPlan, fingerprint, normalForm, withoutDefaults, withoutLookups } from '#core/engine/normal-form.js';
import { targetFields } from '#core/kinds/attribute-target.js';
import { caselessText, keyedList, object, serverDefault, set } from '#core/model/fields.js';
import type { JsonObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import { Type } from '#core/model/schema.js';

const schema = object({
  code: Type.Optional(caselessText()),
  text: Type.Optional(Type.String()),
  tags: Type.Optional(set(Type.String())),
  order: Type.Optional(Type.Array(Type.String())),
  codes: Type.Optional(set(caselessText())),
  rows: Type.Optional(
    keyedList(['id'], object({ id: caselessText(), on: Type.Optional(Type.Boolean(serverDefault(true))) })),
  ),
  on: Type.Optional(Type.Boolean(serverDefault(true))),
});

describe('equivalent values have one form and one fingerprint', () => {
  test.each([
    ['letter case of a caseless text', { code: 'Ab' }, { code: 'aB' }],
    ['the order of a set', { tags: ['a', 'b', 'c'] }, { tags: ['c', 'a', 'b'] }],
    ['a set of caseless texts', { codes: ['A', 'b'] }, { codes: ['B', 'a'] }],
    ['the order of a keyed list', { rows: [{ id: 'a' }, { id: 'B' }] }, { rows: [{ id: 'b' }, { id: 'A' }] }],
    ['the order of keys', { code: 'a', text: 'b' }, { text: 'b', code: 'a' }],
  ])('%s', (_, one, other) => {
    expect(normalForm(schema, one)).toEqual(normalForm(schema, other));
    expect(fingerprint(schema, one)).toBe(fingerprint(schema, other));
  });

  test.each([
    ['letter case of a text', { text: 'Ab' }, { text: 'ab' }],
    ['the order of a list', { order: ['a', 'b'] }, { order: ['b', 'a'] }],
    ['letter case in a set of texts', { tags: ['A'] }, { tags: ['a'] }],
    ['a value and its absence', { text: '' }, {}],
  ])('other values differ by %s', (_, one, other) => {
    expect(fingerprint(schema, one)).not.toBe(fingerprint(schema, other));
  });

  test('lookups do not change a fingerprint, but a field that every record has is not an attribute', () => {
    const targets = object({
      to: keyedList(['apiName', 'attribute'], object({ ...targetFields })),
    });
    const of = (...to: readonly object[]) => fingerprint(targets, { to: to as JsonObject[] });
    expect(of({ attribute: 'RoHS Status' }, { apiName: 'number' })).toBe(
      of({ apiName: 'number' }, { apiName: 'RoHS Status' }),
    );
    expect(of({ attribute: 'number' })).not.toBe(of({ apiName: 'number' }));
    expect(of({ attribute: 'RoHS Status' })).not.toBe(of({ attribute: 'Status' }));
    expect(withoutLookups(targets, { to: [{ attribute: null }], more: 1 })).toEqual({
      to: [{ attribute: null }],
      more: 1,
    });
  });

  test('a value outside the schema stays as it is', () => {
    const value = { free: ['B', 'a', { x: 'Y' }], n: 1, no: null };
    expect(normalForm(undefined, value)).toEqual(value);
    expect(normalForm(schema, value)).toEqual(value);
    expect(withoutDefaults(undefined, { free: ['B'], n: 1 })).toEqual({ free: ['B'], n: 1 });
  });
});

test('values that the service would fill in are left out, also within entries, and so are containers that this empties', () => {
  const value = {
    on: true,
    text: 'x',
    order: [],
    rows: [
      { id: 'a', on: true },
      { id: 'b', on: false },
    ],
  };
  expect(withoutDefaults(schema, value)).toEqual({ text: 'x', order: [], rows: [{ id: 'a' }, { id: 'b', on: false }] });
  expect(withoutDefaults(object({ in: schema }), { in: { on: true } })).toEqual({});
  expect(withoutDefaults(schema, { on: false, text: null })).toEqual({ on: false });
});

const plan = { stack: 'é\u2028', nonce: 'n', steps: [{ message: 'a', fields: [] }] } as unknown as Plan;

test('the digest of a plan is the SHA-256 of its JSON with sorted keys', () => {
  const text = '{"nonce":"n","stack":"é\u2028","steps":[{"fields":[],"message":"a"}]}';
  expect(digestOfPlan(plan)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('fields that JSON leaves out do not count, so a plan has the same digest after it was written and read', () => {
  const made = { ...plan, environment: undefined } as unknown as Plan;
  expect(digestOfPlan(made)).toBe(digestOfPlan(JSON.parse(JSON.stringify(made))));
});

test('any change gives another digest', () => {
  expect(digestOfPlan({ ...plan, steps: [] })).not.toBe(digestOfPlan(plan));
});
