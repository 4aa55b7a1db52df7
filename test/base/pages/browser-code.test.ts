import { expect, test } from 'vitest';
import { FailedRows } from '#base/pages/browser/failed-rows.js';
import { PlanChanges } from '#base/pages/browser/plan-changes.js';
import { SheetChanges } from '#base/pages/browser/sheet-changes.js';
import { htmlPage } from '#base/pages/html-page.js';
import { foreignNames } from '../../harness/foreign-names.js';

test.each([FailedRows, PlanChanges, SheetChanges])('the text of %o runs without any module', (view) => {
  const html = [...htmlPage({ title: '', style: '', view, body: [], data: [] })].join('');
  expect(foreignNames(html)).toEqual([]);
  expect(foreignNames(html.replace('new Date(', 'new Dates('))).toEqual(['Dates']);
});
