import { expect, test } from 'vitest';
import { printableText } from '#base/printable.js';

test.each([
  ['a byte order mark before JSON', '\ufeff{"a":1}', '<U+FEFF>{"a":1}'],
  ['a space without width in a key', 'desc\u200bription', 'desc<U+200B>ription'],
  ['a joiner in an English word', 'desc\u200dription', 'desc<U+200D>ription'],
  ['a word joiner', 'a\u2060b', 'a<U+2060>b'],
])('%s is shown', (_, text, shown) => {
  expect(printableText(text)).toBe(shown);
});

test.each(['می\u200cخواهم', '👩\u200d🔧', 'Zürich'])('%s stays as it is', (text) => {
  expect(printableText(text)).toBe(text);
});
