import { expect, test } from 'vitest';
import { typedVariables } from '#core/manifest/typed-variables.js';

const DEFAULTS = { text: 'a', number: 3, on: true, list: ['a'], map: { a: 1 }, nothing: null };

test.each<[name: string, text: string, value: unknown]>([
  ['text', '3', '3'],
  ['number', '7', 7],
  ['number', '1e3', 1000],
  ['on', 'false', false],
  ['list', '[a, 3]', ['a', 3]],
  ['map', '{ b: 2 }', { b: 2 }],
  ['nothing', '3', '3'],
  ['other', '[a]', '[a]'],
  ['constructor', 'x', 'x'],
])('%s: %s', (name, text, value) => {
  expect(typedVariables({ [name]: text }, DEFAULTS)).toEqual({ values: { [name]: value }, diagnostics: [] });
});

test.each<[name: string, text: string, hint: string]>([
  ['number', 'x', 'Give a number.'],
  ['number', '', 'Give a number.'],
  ['on', 'yes please', 'Give true or false.'],
  ['list', 'a', 'Give a list as YAML, such as `--var NAME="[a, b]"`.'],
  ['list', '[a', 'Give a list as YAML, such as `--var NAME="[a, b]"`.'],
  ['map', '[a]', 'Give a map as YAML, such as `--var NAME="{ a: b }"`.'],
  ['map', 'a: 1\n---\nb: 2', 'Give a map as YAML, such as `--var NAME="{ a: b }"`.'],
])('%s: %s is refused', (name, text, hint) => {
  expect(typedVariables({ [name]: text }, DEFAULTS)).toMatchObject({
    values: {},
    diagnostics: [{ code: 'variable-type', hint }],
  });
});
