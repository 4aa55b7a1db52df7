import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PairProject, pairProject } from '../harness/environment-pair.js';
import { logInAs } from '../harness/login-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { browserOf, servePage } from '../harness/page-browser.js';
import { servedFor } from '../harness/page-for-people.js';

const PARTS = 'Note,Part,Name,Cost\nn1,X-1,one,1\n\nn2,X-2,,2\nn3,X-3,three,"1,5"\nn4,X-4,,x\n';

/** A project with an import of which three of four rows failed in dev. */
async function partsProject(rows = PARTS): Promise<PairProject> {
  const pair = await pairProject();
  await pair.project.write(
    'manifests/all.yaml',
    itemsDefinition('Specs', { Part: 'number', Name: 'name', Cost: 'standardCost' }) +
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' }, commit: 'always' }),
  );
  await pair.project.write('manifests/parts.csv', rows);
  expect((await pair.run('apply', '--env', 'dev', '--yes', '--reason', 'Nightly')).code).toBe(8);
  return pair;
}

const PATIENT = { timeout: 60_000 };

const REPORT = '.dexsync/imports/Embedded-Workspace/Parts-1';
const LIST = '/environments/dev/imports';
const ONE = `${LIST}/1`;

/** The texts of the cells of a row of the table with failed rows. */
const rowsIn = (page: string): string[][] =>
  [...page.slice(page.indexOf('id="rows"')).matchAll(/<tr>(<th scope="row">.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '')),
  );

test('an engineer finds the import, the cause, and each failed cell in its row, without a request', async () => {
  const { project, variables, dev } = await partsProject();
  const before = (await dev.usage()).length;
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  const from = async (path: string, link: string) => {
    const { text, status } = await browser.send(path);
    expect([path, status, text.includes(`href="${link}"`)]).toEqual([path, 200, true]);
    return text;
  };
  await from('/', `${LIST}?show=waiting`);
  await from('/waiting', `${LIST}?show=waiting`);
  await from('/environments/dev', LIST);
  const list = await from(`${LIST}?show=waiting`, ONE);
  expect(list).toContain('dexsync import retry 1');
  const shown = await from(ONE, `${ONE}?cause=0#rows`);
  for (const said of ['The attribute does not accept this value.', 'or map another column', REPORT, 'apply 1'])
    expect([said, shown.includes(said)]).toEqual([said, true]);
  expect(rowsIn(shown).map(([row, , ...cells]) => [row, ...cells])).toEqual([
    ['4', 'n2', 'X-2', 'failed: empty', '2'],
    ['5', 'n3', 'X-3', 'three', 'failed: 1,5'],
    ['6', 'n4', 'X-4', '', 'failed: x'],
  ]);
  const [, wrong = ''] = rowsIn(shown)[1] ?? [];
  expect(wrong).toMatch(/^Cost: The attribute does not accept this value\..*1,5.*3003.*Correct the cells/s);
  const ofCause = await from(`${ONE}?cause=0`, `${ONE}#rows`);
  expect(rowsIn(ofCause).map(([row]) => row)).toEqual(['5', '6']);
  expect(rowsIn((await browser.send(`${ONE}?cause=1`)).text).map(([row]) => row)).toEqual(['4']);
  for (const odd of ['?cause=7', '?from=999999999', '?from=-1&cause=x', '?from[]=1&cause[a]=2'])
    expect([odd, (await browser.send(`${ONE}${odd}`)).status]).toEqual([odd, 200]);
  expect((await dev.usage()).length).toBe(before);
  for (const path of [`${LIST}/2`, `${LIST}/nobody`, '/environments/nowhere/imports', `${LIST}/2/failed.xlsx`])
    expect([path, (await browser.send(path)).status]).toEqual([path, 404]);
  expect((await browser.send('/environments/prod/imports')).text).toContain('No import was sent yet.');
});

test('the failed rows are a file for a spreadsheet, which is sent again once it is corrected', async () => {
  const { project, variables, run } = await partsProject();
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  const { status, headers, text } = await browser.send(`${ONE}/failed.xlsx`);
  expect([status, text.slice(0, 2)]).toEqual([200, 'PK']);
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': 'attachment; filename="dev-Parts-1-failed.xlsx"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  await expect
    .poll(() => page.events().at(-1), PATIENT)
    .toMatchObject({ is: 'action', action: 'download-rows', of: 'import 1 of dev' });
  await project.write('corrected.csv', 'Note,Part,Name,Cost\nn2,X-2,two,2\nn3,X-3,three,1.5\nn4,X-4,four,4\n');
  expect((await run('import', 'retry', '1', 'corrected.csv', '--env', 'dev', '--yes')).code).toBe(0);
  await expect.poll(async () => (await browser.send(ONE)).text, PATIENT).toContain('no row of it is missing');
  expect((await browser.send(`${LIST}/2`)).text).toContain(`Sends again</dt><dd><a href="${ONE}"`);
  await rm(join(project.folder, REPORT, 'failed.xlsx'));
  const gone = await browser.send(`${ONE}/failed.xlsx`);
  expect([gone.status, gone.text.includes('failed.xlsx')]).toEqual([404, true]);
  expect((await browser.send(ONE)).text).not.toContain('Download');
});

test('a report that is not here is fetched once from the service, for the price that the page says, by people who may', async () => {
  const { project, variables, dev } = await partsProject();
  await rm(join(project.folder, REPORT), { recursive: true });
  const { url, page } = await servedFor(project, variables);
  const [ann, dora, fay] = [await logInAs('ann', url), await logInAs('dora', url), await logInAs('fay', url)];
  const fetch = `${ONE}/fetch`;
  for (const { page: browser } of [ann, dora]) {
    const { text } = await browser.send(ONE);
    expect(text).toContain('The report is not kept here. It was written on');
    expect(text).not.toContain('Fetch it from the service');
    expect((await browser.post(fetch, {})).status).toBe(403);
  }
  const { text: offer } = await fay.page.send(ONE);
  const [, most = ''] = /A login and at most (\d+) requests/.exec(offer) ?? [];
  expect(most).toBe('2');
  expect((await fay.page.post(fetch, { _csrf: 'x'.repeat(52) })).status).toBe(403);
  const before = (await dev.usage()).length;
  const asked = await fay.page.post(fetch, {});
  expect([asked.status, asked.location]).toEqual([303, ONE]);
  await expect
    .poll(() => page.events().at(-1), PATIENT)
    .toMatchObject({ is: 'action', by: 'fay@example.com', action: 'fetch-report', of: 'import 1 of dev' });
  const used = (await dev.usage()).slice(before).map(({ method, path }) => `${method} ${path}`);
  expect(used.filter((one) => !one.includes('login') && !one.includes('logout'))).toHaveLength(Number(most));
  const { text: shown } = await fay.page.send(ONE);
  expect(rowsIn(shown).map(([row]) => row)).toEqual(['4', '5', '6']);
  expect(page.events().filter(({ action }) => action === 'fetch-report')).toHaveLength(1);
  expect((await fay.page.post(fetch, {})).status).toBe(303);
  expect((await dev.usage()).length - before).toBe(used.length);
});

test('what keeps a report from being fetched is on the page, and in the record of actions', async () => {
  const { project, variables, dev } = await partsProject();
  await rm(join(project.folder, REPORT), { recursive: true });
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  await dev.arm([{ path: '/imports/*/runs/*/errorContent', times: 'always', do: 'cut' }]);
  expect((await browser.post(`${ONE}/fetch`, {})).status).toBe(303);
  await expect.poll(async () => (await browser.send(ONE)).text, PATIENT).toContain('Fetching the report of');
  expect((await browser.send(ONE)).text).toContain('Fetch it from the service');
  await expect
    .poll(() => page.events().at(-1), PATIENT)
    .toMatchObject({ action: 'fetch-report', error: expect.any(String) });
});

test('without the role data there are causes and counts, and nothing that a row contains', async () => {
  const secret = 'Secret sauce';
  const { project, variables } = await partsProject(
    `Note,Part,Name,Cost\n${secret},X-77,${secret},"${secret}"\n,Y,y,1\n`,
  );
  const { url } = await servedFor(project, variables);
  const { page: ben } = await logInAs('ben', url);
  for (const path of [ONE, `${ONE}?cause=0&from=0`, LIST]) {
    const { text, status } = await ben.send(path);
    expect([path, status, text.includes(secret), text.includes('X-77')]).toEqual([path, 200, false, false]);
  }
  const { text } = await ben.send(ONE);
  for (const said of [
    'The attribute does not accept this value.',
    'Cells of rows are shown to people with the role data.',
  ])
    expect([said, text.includes(said)]).toEqual([said, true]);
  expect((await ben.send(`${ONE}/failed.xlsx`)).status).toBe(403);
  const { page: dora } = await logInAs('dora', url);
  expect((await dora.send(ONE)).text).toContain(secret);
  expect((await dora.send(`${ONE}/failed.xlsx`)).status).toBe(200);
});

test('cells that others wrote stay texts, long ones are short, and only the columns around failed ones are shown', async () => {
  const odd = [
    '<script>alert(1)</script>',
    '=HYPERLINK("http://evil.example")',
    'שלום \u202Eevil',
    'x'.repeat(100_000),
  ];
  const other = Array.from({ length: 40 }, (_, index) => `C${index}`);
  const lines = odd.map((text, index) => {
    const cells = [...other.map((name, at) => (at > 37 ? `${name} ${text}` : name)), `P-${index}`, text, `${text}y`];
    return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  });
  const { project, variables } = await partsProject(
    `${[...other, 'Part', 'Name', 'Cost'].join(',')}\n${lines.join('\n')}\n`,
  );
  const page = await servePage(project, variables);
  const { text } = await (await browserOf(page)).send(ONE);
  for (const mark of ['<script>alert', '\u202E', 'x'.repeat(2500)])
    expect([mark.slice(0, 20), text.includes(mark)]).toEqual([mark.slice(0, 20), false]);
  expect(text).toContain('&lt;script&gt;alert(1)');
  expect(text).toContain('=HYPERLINK');
  expect(text.length).toBeLessThan(100_000);
  const heads = [...text.slice(text.indexOf('id="rows"')).matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(
    ([, head]) => head,
  );
  expect(heads.slice(0, 3)).toEqual(['Row', 'What is wrong', 'C0']);
  expect(heads).toEqual(expect.arrayContaining(['Part', 'Name', 'Cost', 'C39']));
  expect(heads.length).toBeLessThan(20);
});
