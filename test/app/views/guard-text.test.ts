import { expect, test } from 'vitest';
import { guardsText } from '#app/views/human/guard-text.js';
import type { Palette } from '#app/views/human/palette.js';
import type { Address } from '#core/model/address.js';
import type { GuardFinding } from '#core/model/guards.js';

/** Colours as words, so that the test can see them. */
const words = new Proxy({}, { get: (_, tone: string) => (text: string) => `<${tone} ${text}>` }) as Palette;

const addresses = ['A', 'B', 'C', 'D', 'E'].map((name) => `UserGroup/${name}` as Address);
const finding = (over: Partial<GuardFinding>): GuardFinding => ({
  guard: 'deletes',
  severity: 'deny',
  message: 'Too many.',
  addresses,
  ...over,
});

test.each<[string, Partial<GuardFinding>, string]>([
  ['a blocked step of a guard', {}, '  <red ✗> <bold deletes>  Too many.\n'],
  ['a step that was let through', { severity: 'warn' }, '  <yellow !> <bold deletes>  Too many.\n'],
  ['a blocked step of a rule: its message names it', { guard: 'rule', rule: 'R' }, '  <red ✗> Too many.\n'],
  [
    'a warning of a rule, with its first steps',
    { guard: 'rule', rule: 'R', severity: 'warn' },
    '  <yellow !> Too many. <dim (UserGroup/A, UserGroup/B, UserGroup/C, 2 more)>\n',
  ],
  [
    'a warning about few steps names them all',
    { guard: 'rule', rule: 'R', severity: 'warn', addresses: addresses.slice(0, 3) },
    '  <yellow !> Too many. <dim (UserGroup/A, UserGroup/B, UserGroup/C)>\n',
  ],
])('%s', (_, over, expected) => {
  expect(guardsText([finding(over)], words)).toBe(expected);
});
