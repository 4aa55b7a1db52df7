import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { servePage } from '../harness/page-browser.js';
import { people, signedProject } from '../harness/signed-project.js';
import { groups } from '../scenarios/lease-project.js';
import { seriousFindings } from './axe.js';
import { hasChromium, sharedBrowser } from './chromium.js';

const openPage = sharedBrowser();

describe.skipIf(!hasChromium)('verdicts on the page in a browser', () => {
  test('the keyboard alone leads to a statement, without a serious finding of axe, on a phone too', async () => {
    const { ann, bob, eve } = await people('ann', 'bob', 'eve');
    const { as, project, variables } = await signedProject(
      { 'manifests/all.yaml': groups(2) },
      [bob, eve],
      '{ required: 2 }',
    );
    await as(ann)('plan', '--out', 'ledger:p', '--reason', 'Groups of the new plant');
    await as(bob)('plan', 'review', 'ledger:p', '--approve', '--reason', '<img src=x onerror=alert(1)> as agreed');
    const served = await servePage(project, variables);
    const page = await openPage(served.url, 1200);
    await page.go(`${served.origin}/environments/prod/plans/p`);
    expect(await page.value<string>('document.querySelector("#verdicts").parentElement.textContent')).toContain(
      '1 of 2 approvals',
    );
    await page.value('document.querySelector("details.action summary").focus()');
    await page.press('Enter');
    await page.press('Tab');
    await page.press(' ');
    for (let tabs = 0; tabs < 2; tabs += 1) await page.press('Tab');
    await page.value('document.querySelector("[name=signer]").select()');
    await page.type('eve@example.com');
    const check = async (where: string): Promise<void> => {
      expect([where, await seriousFindings(page)]).toEqual([where, []]);
      for (const width of [1200, 360])
        for (const scheme of ['light', 'dark'] as const) {
          await page.resize(width);
          await page.scheme(scheme);
          const wide = await page.value<number>('document.documentElement.scrollWidth');
          expect([where, width, scheme, wide <= width]).toEqual([where, width, scheme, true]);
          const shots = process.env.DEXSYNC_SCREENSHOTS;
          if (shots !== undefined)
            await page.screenshot(join(shots, `verdict-${where}-${width}-${scheme}.png`), scheme);
        }
      await page.resize(1200);
    };
    await check('plan');
    await page.value('document.querySelector("[name=signer]").focus()');
    await page.arrives(() => page.press('Enter'));
    expect(await page.value<string>('document.querySelector("h1").textContent')).toBe('Sign your verdict');
    expect(await page.value<string>('document.querySelector("main").textContent')).toContain(
      '"signer": "eve@example.com"',
    );
    await check('statement');
    expect(page.complaints).toEqual([]);
  });
});
