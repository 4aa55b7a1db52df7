import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './chromium.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious, on a screen and a phone, in light and dark. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const all: string[] = [];
  await page.value(`void (0, eval)(${JSON.stringify(AXE)})`);
  for (const width of [1400, 360]) {
    await page.resize(width);
    for (const scheme of ['light', 'dark'] as const) {
      await page.scheme(scheme);
      const found = await page.value<
        string[]
      >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 150) + ' ' + (any[0]?.message ?? '')).join(' | ')))`);
      all.push(...found.map((one) => `${width} ${scheme} ${one}`));
    }
  }
  return all;
}
