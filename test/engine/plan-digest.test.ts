import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOfPlan } from '../../src/engine/normal-form.js';
import type { Plan } from '../../src/model/plan.js';

const plan = { stack: 'é\u2028', nonce: 'n', steps: [{ message: 'a', fields: [] }] } as unknown as Plan;

test('the digest of a plan is the SHA-256 of its JSON with sorted keys', () => {
  const text = '{"nonce":"n","stack":"é\u2028","steps":[{"fields":[],"message":"a"}]}';
  expect(digestOfPlan(plan)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('what JSON leaves out does not count, so that a plan that was read again has the digest of the one that was written', () => {
  const made = { ...plan, environment: undefined } as unknown as Plan;
  expect(digestOfPlan(made)).toBe(digestOfPlan(JSON.parse(JSON.stringify(made))));
});

test('any change gives another digest', () => {
  expect(digestOfPlan({ ...plan, steps: [] })).not.toBe(digestOfPlan(plan));
});
