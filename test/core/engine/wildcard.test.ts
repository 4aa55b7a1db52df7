import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPattern, matchesPattern, namesSeveral } from '#core/engine/wildcard.js';

describe('matchesPattern', () => {
  test.each<[pattern: string, text: string, expected: boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'any/thing\\at [all]\n', true],
    ['?', '', false],
    ['?', '😀', true],
    ['??', '😀', false],
    ['Quality', 'Quality', true],
    ['Quality', 'quality', false],
    ['Quality', 'Quality 2', false],
    ['Qual*', 'Quality/Vienna', true],
    ['*ity', 'Quality', true],
    ['*ity', 'Quality ', false],
    ['Q*y', 'Qy', true],
    ['Q*y', 'Q', false],
    ['aba*aba', 'ababa', false],
    ['aba*aba', 'abaaba', true],
    ['*a?c*', 'xxabcxx', true],
    ['*a?c*', 'xxacxx', false],
    ['*b*a*', 'ab', false],
    ['Parts (old)', 'Parts (old)', true],
    ['Parts [1-9]', 'Parts 5', false],
    ['Parts [1-9]', 'Parts [1-9]', true],
    ['Item\\Resistor', 'Item\\Resistor', true],
    ['Item\\*', 'Item\\Resistor', true],
    ['a.c', 'abc', false],
    ['{a,b}', 'a', false],
    ['!a', 'b', false],
    ['a*****b', 'ab', true],
  ])('%j and %j: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  test('finds what a regular expression of the same meaning finds', () => {
    const letters = fc.stringMatching(/^[ab/.*?(]{0,8}$/);
    fc.assert(
      fc.property(letters, fc.stringMatching(/^[ab/.(]{0,10}$/), (pattern, text) => {
        const source = pattern.replaceAll(/[/.(]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
        expect(matchesPattern(pattern, text)).toBe(new RegExp(`^${source}$`, 's').test(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('takes no time for many stars against a long name', () => {
    const started = performance.now();
    expect(matchesPattern(`${'*a'.repeat(40)}*b`, 'a'.repeat(5000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test.each([
  ['Quality', false],
  ['Qual*', true],
  ['Q?', true],
])('isPattern(%j): %s', (text, expected) => expect(isPattern(text)).toBe(expected));

test.each([
  ['site-vie', false],
  ['site-*', true],
  ['site-vie,site-ber', true],
])('namesSeveral(%j): %s', (text, expected) => expect(namesSeveral(text)).toBe(expected));
