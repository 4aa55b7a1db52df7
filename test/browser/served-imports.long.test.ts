import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PairProject, pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { type ServedPage, servePage } from '../harness/page-browser.js';
import { seriousFindings } from './axe.js';
import { hasChromium, type Page, sharedBrowser } from './chromium.js';

const openPage = sharedBrowser();

const LIST = '/environments/dev/imports';
const PATHS = [LIST, `${LIST}?show=waiting`, `${LIST}/1`, `${LIST}/1?cause=0&from=50#rows`, `${LIST}/2`, `${LIST}/3`];

const HOSTILE = ['<script>alert(1)</script>', '=1+cmd|calc', 'שלום עולם', `<img src=x>${'long-'.repeat(500)}`];

/** Parts of which every second one fails, and a list of forty columns that others wrote. */
async function importedProject(): Promise<PairProject> {
  const pair = await pairProject();
  const { project, run } = pair;
  const into = (name: string, file: string) =>
    manifest('Import', name, { definition: 'Specs', source: { file }, commit: 'always' });
  await project.write(
    'manifests/all.yaml',
    itemsDefinition('Specs', { Part: 'number', Name: 'name', Cost: 'standardCost', Phase: 'lifecyclePhase.name' }) +
      into('Parts', 'parts.csv'),
  );
  const parts = Array.from({ length: 300 }, (_, at) => {
    const cells = [
      `${at + 1}`,
      `RES-${1000 + at}`,
      `Resistor ${at} kΩ, thick film, 0603`,
      `${at % 2 ? `${at},50` : at}`,
    ];
    return `${cells.map((cell) => `"${cell}"`).join(',')},${at % 7 === 3 ? 'Prototyp' : 'In Production'},Rev A,Yageo\n`;
  });
  await project.write('manifests/parts.csv', `Line,Part,Name,Cost,Phase,Revision,Manufacturer\n${parts.join('')}`);
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(8);
  const other = Array.from({ length: 40 }, (_, index) => `Column ${index}`);
  const wide = HOSTILE.map((text, at) =>
    [...other.map((name) => `${name} ${text}`), `X-${at}`, text, `${text}y`, ''].map((one) => `"${one}"`).join(','),
  );
  await project.write(
    'manifests/wide.csv',
    `${[...other, 'Part', 'Name', 'Cost', 'Phase'].join(',')}\n${wide.join('\n')}\n`,
  );
  await project.write('manifests/more.yaml', into(`Wide ${HOSTILE[0]}`, 'wide.csv') + into('Gone', 'gone.csv'));
  await project.write('manifests/gone.csv', 'Part,Name,Cost,Phase\nG-1,,x,\n');
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(8);
  return pair;
}

describe.skipIf(!hasChromium)('the imports on the page of the server in a browser', () => {
  let pair: PairProject;
  /** The run whose report is not kept here: two runs of one apply are numbered in any order. */
  let gone = 0;

  beforeAll(async () => {
    pair = await importedProject();
    for (const run of [2, 3]) {
      const { out } = await pair.run('import', 'show', String(run), '--env', 'dev', '--json');
      if (!JSON.parse(out).address.includes('Gone')) continue;
      gone = run;
      await rm(join(pair.project.folder, `.dexsync/imports/Embedded-Workspace/Gone-${run}`), { recursive: true });
    }
  }, 120_000);

  async function open(width = 1400): Promise<{ page: Page; served: ServedPage }> {
    const served = await servePage(pair.project, pair.variables);
    return { page: await openPage(served.url, width), served };
  }

  test('no page has a serious finding of axe, is wider than a phone, or takes a cell for markup', async () => {
    const { page, served } = await open();
    for (const path of PATHS) {
      await page.go(`${served.origin}${path}`);
      expect([path, await seriousFindings(page)]).toEqual([path, []]);
      const [width, odd] = await page.value<number[]>(
        '[document.documentElement.scrollWidth, document.querySelectorAll("img, body script").length]',
      );
      expect([path, (width ?? 0) <= 360, odd]).toEqual([path, true, 0]);
    }
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(served.origin))).toEqual([]);
  });

  test('the keyboard alone leads from what waits to the rows of a cause, and to the next of them', async () => {
    const { page, served } = await open();
    await page.go(`${served.origin}/waiting`);
    const follow = async (isThere: string): Promise<void> => {
      for (let tries = 0; tries < 60; tries += 1) {
        if (await page.value<boolean>(`(() => { const at = document.activeElement; return ${isThere}; })()`))
          return page.arrives(() => page.press('Enter'));
        await page.press('Tab');
      }
      throw new Error(`The key Tab does not lead to ${isThere}.`);
    };
    await follow('at.textContent === "Its imports"');
    await follow('at.textContent === "Parts"');
    await follow('at.search === "?cause=0"');
    expect(await page.value<number>('document.querySelectorAll(".sheet tbody tr").length')).toBe(50);
    expect(await page.value<number>('document.querySelectorAll(".sheet td.failed").length')).toBeGreaterThan(49);
    await follow('at.textContent === "Next"');
    expect(await page.value<string>('location.search')).toBe('?cause=0&from=50');
    expect(await page.value<string>('document.querySelector(".pages span").textContent')).toBe('51 to 100 of 150');
  });

  test('a report that is fetched comes to a page that is open', async () => {
    const { page, served } = await open();
    await page.go(`${served.origin}${LIST}/${gone}`);
    await page.arrives(() => page.click('[data-live=fetch] button'));
    await expect
      .poll(() => page.value<number>('document.querySelectorAll(".sheet td.failed").length'), { timeout: 30_000 })
      .toBe(1);
  });

  test.skipIf(process.env.DEXSYNC_SCREENSHOTS === undefined)('gives screenshots for people to look at', async () => {
    const folder = process.env.DEXSYNC_SCREENSHOTS ?? '';
    await mkdir(folder, { recursive: true });
    const { page, served } = await open();
    for (const width of [1400, 360]) {
      await page.resize(width);
      for (const [index, path] of PATHS.entries()) {
        await page.go(`${served.origin}${path}`);
        for (const scheme of ['light', 'dark'] as const)
          await page.screenshot(join(folder, `imports-${index}-${width}-${scheme}.png`), scheme);
      }
    }
  });
});
