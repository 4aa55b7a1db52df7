import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/views/report/render-report.js';
import type { Report } from '../../src/views/report/report.js';
import { temporaryFolder } from '../bulk/support.js';
import { HOSTILE, hostileReport, planReport } from '../views/reports/hostile.js';
import { hasChromium, openPage, type Page } from './chromium.js';

const step = (index: number, more: object = {}) => ({
  address: `UserGroup/Group ${index}`,
  action: index % 3 === 0 ? 'create' : 'update',
  fields: [{ path: 'description', before: `the old ${index}`, after: `the new ${index}`, cause: 'asked' }],
  ...more,
});

const policy = { address: 'Policy/Release', action: 'create', dependsOn: ['UserGroup/Group 3'] };

async function open(report: Report): Promise<Page> {
  const path = join(await temporaryFolder(), 'plan.html');
  await writeFile(path, renderReport('html', report));
  return openPage(path);
}

const text = (page: Page, selector: string): Promise<string> =>
  page.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);

const listed = (page: Page): Promise<string[]> =>
  page.value(`[...document.querySelectorAll('#list summary b')].map((one) => one.textContent)`);

const isQuiet = (page: Page): void => {
  expect(page.requests).toHaveLength(1);
  expect(page.complaints).toEqual([]);
};

describe.skipIf(!hasChromium)('in a browser, the page of a plan', () => {
  test('of 10 steps shows both values side by side, and filters by text, action and kind', async () => {
    const page = await open(planReport([...Array.from({ length: 9 }, (_, index) => step(index)), policy]));
    expect(await text(page, '#count')).toBe('10 of 10 changes');
    const cells = `[...document.querySelectorAll('#list details .diff tbody tr')][1].cells`;
    expect(await page.value(`[...${cells}].map((cell) => cell.textContent)`)).toEqual([
      ...['description', '"the old 1"', '"the new 1"'],
    ]);
    expect(await page.value(`[...${cells}[2].querySelectorAll('mark')].map((one) => one.textContent)`)).toEqual([
      'new',
    ]);
    await page.click('#text');
    await page.type('group new 4');
    expect(await listed(page)).toEqual(['UserGroup/Group 4']);
    await page.click('button[type=reset]');
    await page.value(
      `(() => { const s = document.getElementById('kind'); s.value = 'Policy'; s.dispatchEvent(new Event('input')); })()`,
    );
    expect(await listed(page)).toEqual(['Policy/Release']);
    isQuiet(page);
  });

  test('is used by keys alone: / to search, and a box of the picture leads to its change', async () => {
    const page = await open(planReport([...Array.from({ length: 9 }, (_, index) => step(index)), policy]));
    await page.press('/');
    await page.type('no such');
    expect(await text(page, '#count')).toBe('0 of 10 changes');
    await page.value(`document.querySelector('.node[data-search="Policy/Release"]').focus()`);
    await page.press('Enter');
    expect(await listed(page)).toEqual(['Policy/Release']);
    expect(await page.value('document.activeElement.tagName')).toBe('SUMMARY');
    await page.press('Enter');
    expect(await page.value(`document.querySelector('#list details').open`)).toBe(true);
    isQuiet(page);
  });

  test('of 5,000 steps shows a page of them, and the picture by kinds', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      step(index, index === 7 ? { dependsOn: ['Policy/Release'] } : {}),
    );
    const page = await open(planReport([{ ...policy, dependsOn: [] }, ...many]));
    expect([await text(page, '#count'), await text(page, '#page')]).toEqual(['5,001 of 5,001 changes', 'page 1 of 51']);
    expect(await listed(page)).toHaveLength(100);
    expect(await page.value(`[...document.querySelectorAll('.node text')].map((one) => one.textContent)`)).toEqual([
      ...['Policy/Release', '1667 × UserGroup', '3333 × UserGroup'],
    ]);
    await page.click('.node[data-action="update"]');
    expect(await text(page, '#count')).toBe('3,333 of 5,001 changes');
    await page.click('#text');
    await page.type('4999');
    expect(await listed(page)).toEqual(['UserGroup/Group 4999']);
    await page.click('button[type=reset]');
    await page.click('#next');
    expect(await text(page, '#page')).toBe('page 2 of 51');
    isQuiet(page);
  });

  test('runs nothing of what hostile names and values hold', async () => {
    for (const [, hostile] of HOSTILE.slice(0, 3)) {
      const page = await open(hostileReport(hostile));
      await page.click('#open');
      expect(await page.value('document.images.length')).toBe(0);
      isQuiet(page);
    }
  });
});
