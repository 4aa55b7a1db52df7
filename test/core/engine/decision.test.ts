import { expect, test } from 'vitest';
import { lastChange, numberAndMaker } from '#core/engine/decision.js';
import type { AuditRecord } from '#core/model/audit-record.js';

const DAY = '2026-11-20T10:22:00Z';

test.each<[AuditRecord, number | undefined, string]>([
  [{}, undefined, ''],
  [{}, 7, '#7'],
  [{ createdBy: 'Ann Lee' }, undefined, 'created by Ann Lee'],
  [{ createdAt: DAY }, undefined, 'created on 2026-11-20'],
  [{ createdBy: 'Ann Lee', createdAt: DAY }, 7, '#7, created by Ann Lee on 2026-11-20'],
])('facts of the service distinguish objects of one name: %j', (audit, number, expected) => {
  const told = number === undefined ? {} : { number };
  expect(numberAndMaker({ name: 'Q', spec: {}, identity: 'q', audit, ...told })).toBe(expected);
  expect(numberAndMaker({ name: 'Q', spec: {}, identity: 'q', ...told })).toBe(number === undefined ? '' : '#7');
});

test('the author of a change is named as far as known', () => {
  expect(lastChange()).toBe('');
  expect(lastChange({ changedBy: 'Ann Lee', changedAt: DAY })).toBe(', last changed by Ann Lee on 2026-11-20');
});
