import { expect, test } from 'vitest';
import { compileQuery } from '#app/api/query.js';
import { Overrun, withDeadline } from '#base/deadline.js';
import { readCondition } from '#core/engine/rules/read-condition.js';
import type { RuleVariables } from '#core/model/rule.js';

test('limited work gives its result, and throws its error', () => {
  expect(withDeadline(() => ({ a: [1] }), 1000)).toEqual({ a: [1] });
  const error = new TypeError('x');
  expect(() =>
    withDeadline(() => {
      throw error;
    }, 1000),
  ).toThrow(error);
});

test('the deadline ends a rule of nested comprehensions', () => {
  const list = `[${Array.from({ length: 40 }, (_, index) => index).join(',')}]`;
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const text = names.reduceRight(
    (inner, name) => `${list}.all(${name}, ${inner})`,
    names.map((name) => `${name} >= 0`).join(' && '),
  );
  const decide = readCondition(text, 'step');
  if (typeof decide !== 'function') throw new Error(decide.message);
  const variables = { production: false, now: new Date(), plan: {}, step: {} } as unknown as RuleVariables;
  expect(() => withDeadline(() => decide(variables), 200)).toThrow(Overrun);
  expect(() => withDeadline(() => decide(variables), 200)).toThrow('it did not end within 0.2 s');
});

test('a query works as without a deadline', () => {
  expect(compileQuery('results[].name')({ results: [{ name: 'a' }, { name: 'b' }] })).toEqual(['a', 'b']);
});
