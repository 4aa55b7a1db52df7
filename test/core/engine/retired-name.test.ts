import { expect, test } from 'vitest';
import { hasRetiredName, isRetired } from '#core/engine/retired-name.js';

test.each([
  ['Specs ~retired #3', true, true],
  ['Parts ~retired #3', true, false],
  ['Specs ~retired #3 copy', false, false],
  ['Specs', false, false],
])('the end of %s identifies it as retired, and the whole name as a retired Specs', (name, byItsEnd, ofSpecs) => {
  expect([hasRetiredName(name), isRetired(name, 'Specs')]).toEqual([byItsEnd, ofSpecs]);
});
