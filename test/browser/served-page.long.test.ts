import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FleetProject, fleetProject } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { type ServedPage, servePage } from '../harness/page-browser.js';
import { seriousFindings } from './axe.js';
import { hasChromium, type Page, sharedBrowser } from './chromium.js';

const openPage = sharedBrowser();

const HOSTILE = `<script>alert(1)</script> "it's" & שלום ${'very-long-'.repeat(12)}`;

const PATHS = [
  ...['/', '/?show=plans', '/waiting', '/fleets', '/fleets/sites', '/releases', '/releases/s20%2Fr1'],
  ...['/environments/s20', '/environments/s2', '/environments/s3/plans/for-review'],
  `/environments/s20/objects?address=${encodeURIComponent(`UserGroup/${HOSTILE}`)}`,
];

/** A fleet of 500 in which a rollout was begun, with what people said, changed, and left undone. */
async function busyFleet(): Promise<FleetProject> {
  const fleet = await fleetProject(500, 'canary: "s1,s2", waves: [12, 30], soak: 1h, budget: 3');
  const { run, project, sites, writeSites } = fleet;
  const description = `${'A long text without an end. '.repeat(40)}<b>`;
  await project.write('manifests/other.yaml', manifest('UserGroup', HOSTILE, { description }));
  await run('plan', '--env', 's3', '--out', 'ledger:for-review', '--reason', '<img src=x onerror=alert(1)>');
  await run('plan', 'review', 'ledger:for-review', '--env', 's3', '--approve', '--reason', 'As agreed');
  await run('apply', '--env', 's20', '--yes', '--reason', `Reason of ${HOSTILE}`);
  await run('release', 'create', '--from', 's20', '--note', HOSTILE);
  await run('fleet', 'plan', 'sites', '--out', 'ledger:winter');
  await writeSites(sites.map((site, index) => (index === 1 ? { ...site, email: 'nobody@example.com' } : site)));
  await run('fleet', 'apply', 'ledger:winter', '--yes', '--json');
  await writeSites(sites);
  return fleet;
}

describe.skipIf(!hasChromium)('the page of the server in a browser', () => {
  let fleet: FleetProject;

  beforeAll(async () => {
    fleet = await busyFleet();
  }, 600_000);

  const serve = (): Promise<ServedPage> => servePage(fleet.project, fleet.variables);

  async function open(width = 1400, zone?: string): Promise<{ page: Page; served: ServedPage }> {
    const served = await serve();
    return { page: await openPage(served.url, width, zone), served };
  }

  const rowsOf = (page: Page): Promise<number> => page.value<number>('document.querySelectorAll("tbody tr").length');

  test('no page has a serious finding of axe, on a screen or a phone, in light or dark', async () => {
    const { page, served } = await open();
    for (const path of PATHS) {
      await page.go(`${served.origin}${path}`);
      // Rules that look at each pair of elements take minutes for 500 rows; a hundred of them show the same.
      await page.value('document.querySelectorAll("tbody tr:nth-child(n+100)").forEach((row) => row.remove())');
      expect([path, await seriousFindings(page)]).toEqual([path, []]);
    }
  });

  test('names and texts of others stay texts, and the page asks only its own server', async () => {
    const { page, served } = await open();
    for (const path of PATHS) {
      await page.go(`${served.origin}${path}`);
      expect(await page.value<number>('document.querySelectorAll("img, body script:not([type])").length')).toBe(0);
    }
    expect(page.complaints).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(served.origin))).toEqual([]);
    await page.go(`${served.origin}/releases/s20%2Fr1`);
    expect(await page.value<string>('document.querySelector("main").textContent')).toContain(HOSTILE.trim());
  });

  test('no page is wider than a phone', async () => {
    const { page, served } = await open(360);
    for (const path of PATHS) {
      await page.go(`${served.origin}${path}`);
      const width = await page.value<number>('document.documentElement.scrollWidth');
      expect([path, width <= 360]).toEqual([path, true]);
    }
  });

  test('500 environments are in one table, which totals and words narrow without a new page', async () => {
    const { page, served } = await open();
    expect(await rowsOf(page)).toBe(500);
    await page.press('/');
    await page.type('s49');
    await expect.poll(() => rowsOf(page)).toBe(11);
    expect(await page.value<string>('location.search')).toBe('?q=s49');
    await expect
      .poll(() => page.value<string>('document.querySelector("#count").textContent'))
      .toBe('11 environments of 500');
    await page.go(`${served.origin}/`);
    await page.arrives(() => page.click('.totals a[href="/?show=plans"]'));
    expect(await rowsOf(page)).toBe(1);
  });

  test('the keyboard alone finds an environment, and pauses a rollout with a reason', async () => {
    const { page, served } = await open();
    const tabTo = async (isThere: string): Promise<void> => {
      for (let tries = 0; tries < 40; tries += 1) {
        if (await page.value<boolean>(`(() => { const at = document.activeElement; return ${isThere}; })()`)) return;
        await page.press('Tab');
      }
      throw new Error(`The key Tab does not lead to ${isThere}.`);
    };
    await tabTo('at.textContent === "s1"');
    await page.arrives(() => page.press('Enter'));
    expect(await page.value<string>('document.querySelector("h1").textContent')).toBe('s1');
    await tabTo('at.textContent === "Fleets"');
    await page.arrives(() => page.press('Enter'));
    await tabTo('at.textContent === "sites"');
    await page.arrives(() => page.press('Enter'));
    await tabTo('at.tagName === "SUMMARY"');
    expect(await page.value<string>('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
    await page.press('Enter');
    await tabTo('at.name === "reason"');
    await page.type('Ask the plant first');
    await page.arrives(() => page.press('Enter'));
    const outcome = await page.value<string>('document.querySelector(".outcome").textContent');
    expect(outcome).toContain('Ask the plant first');
    const { status } = await fleet.run('fleet', 'status', 'sites', '--json');
    expect(status.next).toMatchObject({ is: 'paused', message: 'Ask the plant first' });
    await expect.poll(() => served.events().at(-1)).toMatchObject({ is: 'action', action: 'pause' });
  });

  test('what changes in the ledger comes to a page that is open, and leaves what somebody types there', async () => {
    const { page, served } = await open();
    await page.go(`${served.origin}/environments/s30`);
    await page.click('[name=address]');
    await page.type('UserGroup/Qual');
    expect(await page.value<string>('document.querySelector("[data-live=history]").textContent')).toContain('Nothing');
    await fleet.run('apply', '--env', 's30', '--yes', '--reason', 'While you look');
    await expect
      .poll(() => page.value<string>('document.querySelector("[data-live=history]").textContent'), { timeout: 60_000 })
      .toContain('While you look');
    expect(await page.value<string>('document.activeElement.value')).toBe('UserGroup/Qual');
  });

  test('times are in the zone of the reader, and a server that is gone is noticed at its next page', async () => {
    const { page, served } = await open(1400, 'Asia/Tokyo');
    await page.go(`${served.origin}/environments/s20`);
    const [shown, utc] = await page.value<[string, string]>(
      '(() => { const one = document.querySelector(".timeline time"); return [one.textContent, one.dateTime]; })()',
    );
    const there = new Date(Date.parse(utc) + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    expect(shown).toBe(there);
    expect(await page.value<string>('document.querySelector("#zone").textContent')).toBe('Times are in Asia/Tokyo.');
    await served.stop('SIGKILL');
    const again = await serve();
    await page.go(`${again.origin}/waiting`);
    expect(await page.value<string>('document.querySelector("h1").textContent')).toBe('You are not logged in');
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
          await page.screenshot(join(folder, `page-${index}-${width}-${scheme}.png`), scheme);
      }
    }
  });
});
