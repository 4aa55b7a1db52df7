import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderReport } from '#app/views/report/render-report.js';
import type { Report } from '#app/views/report/report.js';
import { HOSTILE, hostileReport, planReport } from '../app/views/reports/hostile.js';
import { temporaryFolder } from '../data/bulk/support.js';
import { hasChromium, type Page, sharedBrowser } from './chromium.js';

const openPage = sharedBrowser();

const step = (index: number, more: object = {}) => ({
  address: `UserGroup/Group ${index}`,
  action: index % 3 === 0 ? 'create' : 'update',
  fields: [{ path: 'description', before: `the old ${index}`, after: `the new ${index}`, cause: 'asked' }],
  ...more,
});

const policy = { address: 'Policy/Release', action: 'create', dependsOn: ['UserGroup/Group 3'] };

async function open(report: Report, width?: number, zone?: string): Promise<Page> {
  const path = join(await temporaryFolder(), 'plan.html');
  await writeFile(path, renderReport('html', report));
  return openPage(path, width, zone);
}

/** Parts of names of fields that are in more than one line. */
const BROKEN_NAMES = `[...document.querySelectorAll('.diff td.field')].flatMap(({ childNodes }) => [...childNodes]).filter((part) => {
  const range = document.createRange();
  range.selectNodeContents(part);
  return range.getClientRects().length > 1;
}).map((part) => part.textContent)`;

/** Lines of boxes that stand out of their box. */
const TEXTS_OUT_OF_BOXES = `[...document.querySelectorAll('.graph .node')].filter((one) => one.checkVisibility()).flatMap((one) => {
  const box = one.querySelector('rect').getBoundingClientRect();
  return [...one.querySelectorAll('text')].filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
  }).map((text) => text.textContent);
})`;

const text = (page: Page, selector: string): Promise<string> =>
  page.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);

const listed = (page: Page): Promise<string[]> =>
  page.value(`[...document.querySelectorAll('#list summary b')].map((one) => one.textContent)`);

const isQuiet = (page: Page): void => {
  expect(page.requests).toHaveLength(1);
  expect(page.complaints).toEqual([]);
};

describe.skipIf(!hasChromium)('the page of a plan in a browser', () => {
  test('shows both values of 10 steps side by side, and filters by text, action and kind', async () => {
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

  test('works with the keyboard alone: / searches, and a box of the diagram leads to its change', async () => {
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

  test('shows a page of 5,000 steps, and the diagram by kinds', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      step(index, index === 7 ? { dependsOn: ['Policy/Release'] } : {}),
    );
    const page = await open(planReport([{ ...policy, dependsOn: [] }, ...many]));
    expect([await text(page, '#count'), await text(page, '#page')]).toEqual(['5,001 of 5,001 changes', 'page 1 of 51']);
    expect(await listed(page)).toHaveLength(100);
    expect(
      await page.value(`[...document.querySelectorAll('.across .node text')].map((one) => one.textContent)`),
    ).toEqual([...['Policy/Release', '1667 × UserGroup', '3333 × UserGroup']]);
    await page.click('.node[data-action="update"]');
    expect(await text(page, '#count')).toBe('3,333 of 5,001 changes');
    await page.click('#text');
    await page.type('4999');
    expect(await listed(page)).toEqual(['UserGroup/Group 4999']);
    await page.click('button[type=reset]');
    // The page applies a reset after the event.
    await expect.poll(() => text(page, '#page')).toBe('page 1 of 51');
    await page.click('#next');
    expect(await text(page, '#page')).toBe('page 2 of 51');
    isQuiet(page);
  });

  test.each([375, 1400])(
    'at %i px fits the window, with the whole diagram and every name of a field',
    async (width) => {
      const fields = [
        {
          path: 'assignability[CHANGES].approvers',
          before: null,
          after: 'Quality assurance of Vienna',
          cause: 'asked',
        },
        { path: 'description', before: 'x'.repeat(90), after: 'y'.repeat(90), cause: 'both' },
      ];
      const name = `UserGroup/${'Engineering and quality '.repeat(4)}end`;
      const page = await open(
        planReport([
          step(1, { address: name, fields }),
          step(2),
          { ...policy, dependsOn: [name, 'UserGroup/Group 2'] },
        ]),
        width,
      );
      const root = 'document.documentElement';
      expect(await page.value(`${root}.scrollWidth - ${root}.clientWidth`)).toBe(0);
      const seen = `[...document.querySelectorAll('.graph')].find((one) => one.checkVisibility())`;
      expect(
        await page.value(`[${seen}.scrollWidth <= ${seen}.clientWidth, ${seen}.scrollHeight <= ${seen}.clientHeight]`),
      ).toEqual([true, true]);
      const boxes = await page.value<string[]>(
        `[...${seen}.querySelectorAll('.node')].map((one) => [...one.querySelectorAll('text')].map((text) => text.textContent).join(''))`,
      );
      expect(boxes.toSorted()).toEqual(['Policy/Release', name, 'UserGroup/Group 2'].toSorted());
      expect(await page.value(TEXTS_OUT_OF_BOXES)).toEqual([]);
      expect(await page.value(BROKEN_NAMES)).toEqual([]);
      isQuiet(page);
    },
  );

  test('has no pager, filter or count for one change, and no green headline over a replacement', async () => {
    const page = await open(planReport([step(1, { action: 'replace' })]));
    for (const one of ['.filter', '#previous', '#page', '#next', '#open']) {
      expect([one, await page.value(`document.querySelector('${one}').checkVisibility()`)]).toEqual([one, false]);
    }
    expect(await text(page, '#count')).toBe('1 change');
    const good = await open(planReport([step(1)]));
    const colourOf = (one: Page): Promise<string> =>
      one.value(`getComputedStyle(document.querySelector('.outcome')).color`);
    expect(await colourOf(page)).not.toBe(await colourOf(good));
    expect(await text(page, 'h1')).toBe('dexsync plan: prod');
  });

  test('shows times in the zone of the reader, and names the zone', async () => {
    const audit = { changedAt: '2026-11-24T23:30:00.000Z', changedBy: 'Ada' };
    const fields = [{ path: 'description', before: '2026-11-24 23:30:00 UTC', after: 'x', cause: 'drift' }];
    const page = await open(planReport([step(1, { audit, fields })]), 1200, 'Asia/Tokyo');
    expect(await text(page, 'dl')).toContain('Time2026-11-22 19:11:12 GMT+9');
    expect(await text(page, '#list .body p')).toContain('2026-11-25 08:30:00 GMT+9');
    expect(await text(page, '#list .diff')).toContain('2026-11-24 23:30:00 UTC');
    isQuiet(page);
  });

  test.skipIf(process.env.DEXSYNC_SCREENSHOTS === undefined)('is photographed for people to look at', async () => {
    const page = await open(planReport([...Array.from({ length: 9 }, (_, index) => step(index)), policy]));
    const folder = process.env.DEXSYNC_SCREENSHOTS ?? '.';
    for (const scheme of ['light', 'dark'] as const) await page.screenshot(join(folder, `plan-${scheme}.png`), scheme);
  });

  test('runs nothing from hostile names and values', async () => {
    for (const [, hostile] of HOSTILE.slice(0, 3)) {
      const page = await open(hostileReport(hostile));
      await page.click('#open');
      expect(await page.value('document.images.length')).toBe(0);
      isQuiet(page);
    }
  });
});
