import { expect, test } from 'vitest';
import {
  arePlainDesignators,
  designatorCount,
  plainDesignators,
  splitDesignators,
} from '#data/bulk/source/designators.js';

test.each([
  ['R1', 1],
  ['R1, R2 R3;R4', 4],
  ['C1-C6', 6],
  ['C1-6', 6],
  ['C7–C9', 3],
  ['C1 - C3, R5', 4],
  ['C1- C3', 3],
  ['Q1 to Q4', 4],
  ['Q1 bis Q4, Q9', 5],
  ['D1..D3', 3],
  ['D1...D3', 3],
  ['D4~D6', 3],
  ['C1～C6', 6],
  ['J1 J2', 2],
  ['C1、C2，C3；C4', 4],
  ['R1-C3', undefined],
  ['R5-R1', undefined],
])('%s are %s designators', (cell, count) => {
  expect(designatorCount(splitDesignators(cell))).toBe(count);
});

test.each([
  ['R1, R2 R4-R10;', 'R1,R2,R4-R10', true],
  ['C3~C7', 'C3-C7', false],
  ['C3 - C7', 'C3-C7', false],
  ['R1、R2', 'R1,R2', false],
])('the service reads %s as %s: %s', (cell, plain, isPlain) => {
  expect([plainDesignators(cell), arePlainDesignators(cell)]).toEqual([plain, isPlain]);
});
