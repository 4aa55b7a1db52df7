import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { RowChange, RowCounts } from '#core/model/rows-preview.js';
import { changesPage } from '#data/bulk/compare/page/changes-page.js';
import type { Column } from '#data/bulk/preflight/columns.js';
import { RowRanges } from '#data/bulk/rows/row-ranges.js';
import { temporaryFolder } from '../data/bulk/support.js';
import { hasChromium, type Page, sharedBrowser } from './chromium.js';

const openPage = sharedBrowser();

interface Sheet {
  readonly resource: 'ITEM_SPECS' | 'ITEM_BOM';
  readonly headers: readonly string[];
  readonly columns: readonly Column[];
  /** Of row 2 on. */
  readonly rows: readonly (readonly string[])[];
  readonly changes: readonly RowChange[];
  readonly counts?: Partial<RowCounts>;
  readonly letters?: readonly string[];
  readonly only?: RowRanges;
  readonly preview?: object;
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const column = (index: number, header: string, field: string): Column => ({
  header,
  fields: [field.toLowerCase()],
  from: { type: 'cell', index },
});

/** As the comparison counts them. */
function countsOf({ rows, changes, only }: Sheet): RowCounts {
  const number = (kind: RowChange['change']): number => changes.filter(({ change }) => change === kind).length;
  const cells = changes.filter(({ change }) => change === 'changed').flatMap((one) => one.cells ?? []).length;
  const inFile = changes.filter(({ row }) => row !== undefined).length;
  return {
    ...{ new: number('new'), changed: number('changed'), cells, removed: number('removed'), gone: number('gone') },
    ...{ refused: number('refused'), unchanged: (only?.count ?? rows.length) - inFile, notCompared: 0 },
  };
}

async function written(sheet: Sheet, facts: object = {}): Promise<string> {
  const { resource, headers, columns, rows, changes, letters, only } = sheet;
  const counts = { ...countsOf(sheet), ...sheet.counts };
  const page = changesPage({
    facts: {
      ...{ address: 'Import/Parts', definition: 'ImportDefinition/Specs', workspace: 'Works', environment: 'prod' },
      ...{ at: '2026-11-23T10:00:00.000Z', ...facts },
    },
    preview: { with: 'workspace', by: 'pages', requests: 3, counts, ...sheet.preview },
    ...{ counts, columns },
    definition: { resource, mode: 'REPLACE' } as ImportDefinitionSpec,
    ...(only === undefined ? {} : { only }),
    table: {
      ...{ file: 'data/parts.xlsx', worksheet: 'Parts', headerRow: 1, headers },
      ...(letters === undefined ? {} : { letters }),
      rows: each(rows.map((cells, index) => ({ row: index + 2, cells }))),
    },
    changes: each(changes),
  });
  const path = join(await temporaryFolder(), 'page.html');
  let text = '';
  for await (const piece of page) text += piece;
  await writeFile(path, text);
  return path;
}

const SPECS = {
  resource: 'ITEM_SPECS',
  headers: ['Remark', 'Part', 'Name', 'Cost'],
  letters: ['A', 'B', 'C', 'E'],
  columns: [column(1, 'Part', 'number'), column(2, 'Name', 'name'), column(3, 'Cost', 'standardCost')],
} as const;

const parts = (count: number): string[][] =>
  Array.from({ length: count }, (_, n) => [`remark ${n}`, `P-${n}`, `part ${n}`, '3.25']);

const changed = (n: number, more: Partial<RowChange> = {}): RowChange => ({
  change: 'changed',
  row: n + 2,
  key: [`P-${n}`],
  cells: [{ column: 'Name', before: `old ${n}`, after: `part ${n}` }],
  ...more,
});

const items = (): Sheet => ({
  ...SPECS,
  rows: parts(12),
  changes: [
    { change: 'new', row: 3, key: ['P-1'], cells: [{ column: 'Name', before: '', after: 'part 1' }] },
    changed(4),
    changed(6, {
      cells: [
        { column: 'Name', before: '', after: 'part 6' },
        { column: 'Cost', before: '3', after: '3.25' },
      ],
    }),
    { change: 'refused', row: 9, key: ['P-7'], why: 'The record exists already, and the mode is CREATE.' },
    { change: 'gone', key: ['X-1'], cells: [{ column: 'Name', before: 'went away', after: '' }] },
  ],
});

const bom = (): Sheet => ({
  resource: 'ITEM_BOM',
  headers: ['Part', 'Assembly', 'Qty', 'Des'],
  columns: [
    column(1, 'Assembly', 'number'),
    column(0, 'Part', 'item.number'),
    column(2, 'Qty', 'quantity'),
    column(3, 'Des', 'refDes'),
  ],
  rows: [
    ['C-1', 'A-1', '2', 'R1,R2'],
    ['C-2', 'A-1', '1', 'R3'],
    ['C-1', 'A-2', '4', ''],
    ['C-9', 'A-1', '1', ''],
  ],
  changes: [
    {
      change: 'changed',
      row: 2,
      key: ['A-1', 'C-1'],
      cells: [
        { column: 'Qty', before: '1', after: '2' },
        { column: 'Des', before: 'R1', after: 'R1,R2' },
      ],
    },
    { change: 'changed', row: 4, key: ['A-2', 'C-1'], cells: [{ column: 'Qty', before: '5', after: '4' }] },
    { change: 'new', row: 5, key: ['A-1', 'C-9'], cells: [{ column: 'Qty', before: '', after: '1' }] },
    { change: 'removed', key: ['A-1', 'C-7'], cells: [{ column: 'Qty', before: '3', after: '' }] },
  ],
});

const text = (page: Page, selector: string): Promise<string> =>
  page.value(`document.querySelector(${JSON.stringify(selector)}).textContent`);

/** The text of each cell as it is seen. */
const lines = (page: Page): Promise<string[]> =>
  page.value(
    `[...document.querySelectorAll('#sheet tbody tr')].map((row) => [...row.cells].filter((cell) => getComputedStyle(cell).display !== 'none')
      .map((cell) => { const copy = cell.cloneNode(true); for (const one of copy.querySelectorAll('.said, .own')) one.remove(); return copy.textContent.trim().replace(/ +/g, ' '); }).join(' | ').replace(/ +/g, ' ').trim())`,
  );

const choose = (page: Page, id: string, value: string): Promise<void> =>
  page.value(
    `(() => { const s = document.getElementById('${id}'); s.value = ${JSON.stringify(value)}; s.dispatchEvent(new Event('input', { bubbles: true })); })()`,
  );

const HOSTILE = `</script><script>alert(1)</script><!--<img src=x onerror="alert(2)">'&amp;=1+1\u202e\u001b[31m`;

const hostile = (): Sheet => ({
  ...SPECS,
  headers: [HOSTILE, 'Part', `${HOSTILE}2`, ''],
  columns: [column(1, 'Part', 'number'), column(2, `${HOSTILE}2`, 'name')],
  rows: [[HOSTILE, HOSTILE, HOSTILE, HOSTILE]],
  changes: [
    {
      change: 'refused',
      row: 2,
      key: [HOSTILE],
      why: HOSTILE,
      cells: [{ column: `${HOSTILE}2`, before: HOSTILE, after: HOSTILE }],
    },
  ],
  preview: { columnsNotCompared: [HOSTILE], why: HOSTILE, with: 'last import', since: { runs: HOSTILE, at: HOSTILE } },
});

const FACTS = { address: HOSTILE, definition: HOSTILE, workspace: HOSTILE, environment: HOSTILE };

test('no value of a sheet becomes markup, and the page asks for nothing', async () => {
  const html = await readFile(await written(hostile(), FACTS), 'utf8');
  expect([html.match(/<script/g), html.match(/<\/script>/g)].map((found) => found?.length)).toEqual([2, 2]);
  expect(html).not.toMatch(/<img|<!--|\u202e/);
  expect(html).not.toContain('\u001b');
  expect(html).not.toMatch(/<[^>]*\s(?:src|href)=|url\(|@import/i);
  expect(html).toMatch(
    /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^"]+script-src 'sha256-/,
  );
});

describe.skipIf(!hasChromium)('the page of changed rows in a browser', () => {
  test('looks like the sheet: its columns and rows in order, each change marked', async () => {
    const page = await openPage(await written(items()));
    expect(await text(page, '#sheet thead')).toBe('RowRemarkA, not importedPartBNameCCostE');
    expect(await lines(page)).toEqual([
      '+ 3 new | remark 1 | P-1 | part 1 | 3.25',
      '~ 6 changed | remark 4 | P-4 | old 4 → part 4 | 3.25',
      '~ 8 changed | remark 6 | P-6 | (empty) → part 6 | 3 → 3.25',
      '✗ 9 refused | remark 7 | P-7 | part 7 | 3.25',
      'The record exists already, and the mode is CREATE.',
      '? not in file | | X-1 | went away |',
    ]);
    expect(await page.value(`[...document.querySelectorAll('.tiles li')].map((one) => one.textContent)`)).toEqual([
      ...['+ 1 new', '~ 2 changed (3 cells)', '✗ 1 that the service will refuse', '? 1 not in the file', '8 unchanged'],
    ]);
    expect(await page.value(`document.getElementById('grouping').checkVisibility()`)).toBe(false);
    await page.click('#unchanged');
    expect((await lines(page)).slice(0, 3)).toEqual([
      ...['2 unchanged | remark 0 | P-0 | part 0 | 3.25', '+ 3 new | remark 1 | P-1 | part 1 | 3.25'],
      '4 unchanged | remark 2 | P-2 | part 2 | 3.25',
    ]);
    expect(await text(page, '#count')).toBe('13 of 13 rows');
    expect([page.requests.length, page.complaints]).toEqual([1, []]);
  });

  test('filters by kind of change, by column and by text, and shows some of the columns', async () => {
    const page = await openPage(await written(items()));
    await choose(page, 'kind', 'changed');
    expect(await text(page, '#count')).toBe('2 of 5 rows');
    expect(await page.value(`[...document.getElementById('column').options].map((one) => one.text)`)).toEqual([
      ...['any column', 'Name (2)', 'Cost (1)'],
    ]);
    await choose(page, 'column', '3');
    expect(await lines(page)).toEqual(['~ 8 changed | remark 6 | P-6 | (empty) → part 6 | 3 → 3.25']);
    await choose(page, 'columns', 'imported');
    expect(await lines(page)).toEqual(['~ 8 changed | P-6 | (empty) → part 6 | 3 → 3.25']);
    await page.click('button[type=reset]');
    await page.press('/');
    await page.type('WENT away');
    expect(await lines(page)).toEqual(['? not in file | | X-1 | went away |']);
    expect(page.complaints).toEqual([]);
  });

  test('shows the lines of a BOM below their parent, in any order of the file, and also in that order', async () => {
    const page = await openPage(await written(bom()));
    expect(await lines(page)).toEqual([
      'A-1 1 new, 1 removed, 1 changed (Qty in 1, Des in 1), 1 unchanged',
      '~ 2 changed | C-1 | A-1 | 1 → 2 | R1 → R1,R2',
      '+ 5 new | C-9 | A-1 | 1 |',
      '- removed | C-7 | A-1 | 3 |',
      'A-2 1 changed (Qty in 1)',
      '~ 4 changed | C-1 | A-2 | 5 → 4 |',
    ]);
    await page.click('#grouped');
    expect((await lines(page)).map((line) => line.slice(0, 3))).toEqual(['~ 2', '~ 4', '+ 5', '- r']);
    expect(page.complaints).toEqual([]);
  });

  test('marks and counts the rows that an undo leaves, and searches nothing that is not shown', async () => {
    const kept = { change: 'kept', row: 4, key: ['A-2', 'C-1'], why: 'Ada changed it later.' } as const;
    const changes = [...bom().changes.slice(0, 1), kept];
    const page = await openPage(await written({ ...bom(), changes, counts: { kept: 1 } }));
    expect(await lines(page)).toEqual([
      'A-1 1 changed (Qty in 1, Des in 1), 2 unchanged',
      '~ 2 changed | C-1 | A-1 | 1 → 2 | R1 → R1,R2',
      ...['A-2 1 left as it is', '! 4 left as it is | C-1 | A-2 | 4 |', 'Ada changed it later.'],
    ]);
    await page.click('#text');
    // The position of the column Des.
    await page.type('3');
    expect(await text(page, '#count')).toBe('0 of 2 rows');
    expect(page.complaints).toEqual([]);
  });

  test('shows only the rows that were compared, and says what was not', async () => {
    const only = RowRanges.parse('1-3');
    const sheet: Sheet = {
      ...SPECS,
      ...{ rows: parts(12), changes: [changed(1)], only, counts: { unchanged: 0, notCompared: 2 } },
      preview: { columnsNotCompared: ['Cost'] },
    };
    const page = await openPage(await written(sheet));
    await page.click('#unchanged');
    expect(await lines(page)).toEqual([
      ...['2 no known change | remark 0 | P-0 | part 0 | 3.25', '~ 3 changed | remark 1 | P-1 | old 1 → part 1 | 3.25'],
      '4 no known change | remark 2 | P-2 | part 2 | 3.25',
    ]);
    expect(await text(page, '.notes')).toBe('Not compared, because the workspace does not show it: "Cost".');
    expect(await text(page, '#sheet thead')).toContain('CostE, not compared');
  });

  test('runs nothing from hostile cells, and shows them as they are', async () => {
    const page = await openPage(await written(hostile(), FACTS));
    const shown = HOSTILE.replace('\u202e', '<U+202E>').replace('\u001b', '<U+001B>');
    expect((await lines(page))[0]).toBe(`✗ 2 refused | ${shown} | ${shown} | ${shown} | ${shown}`);
    expect((await lines(page))[1]).toBe(shown);
    expect(await text(page, '#sheet thead')).toContain('(column E)');
    expect(await page.value(`document.querySelectorAll('script, img').length`)).toBe(2);
    expect(page.complaints).toEqual([]);
  });

  test('works with the keyboard alone, and fits a narrow window: the key of a row stays beside it', async () => {
    const page = await openPage(
      await written({ ...items(), rows: parts(250), changes: Array.from({ length: 250 }, (_, n) => changed(n)) }),
      420,
    );
    expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);
    expect((await lines(page))[0]).toBe('~ 2 changed | old 0 → part 0');
    expect(await text(page, '.own')).toBe('P-0');
    await choose(page, 'columns', 'all');
    await page.click('button[type=reset]');
    // The page filters after the form has been reset.
    await expect.poll(async () => (await lines(page))[0]).toBe('~ 2 changed | old 0 → part 0');
    await page.value(`document.getElementById('previous').focus()`);
    await page.value(`document.querySelector('button[type=reset]').focus()`);
    await page.press('Tab');
    expect(await page.value('document.activeElement.id')).toBe('next');
    await page.press('Enter');
    expect(await text(page, '#page')).toBe('page 2 of 3');
    await page.press('Tab');
    expect(await page.value('document.activeElement.className')).toBe('wide sheet');
    expect(page.complaints).toEqual([]);
  });

  test('stays quick with 20,000 changed rows, and says which rows it leaves out', async () => {
    const rows = parts(60_000);
    const changes = rows.flatMap((_, n) => (n % 3 === 0 ? [changed(n)] : []));
    const path = await written({ ...SPECS, rows, changes });
    const page = await openPage(path);
    expect(await text(page, '.notes')).toBe('40,000 unchanged rows are not on this page.');
    expect([await text(page, '#count'), await text(page, '#page')]).toEqual(['20,000 of 20,000 rows', 'page 1 of 200']);
    expect((await lines(page)).length).toBe(100);
    const took =
      await page.value<number>(`(() => { const start = performance.now(); const field = document.getElementById('text');
      field.value = 'P-5999'; field.dispatchEvent(new Event('input', { bubbles: true })); return performance.now() - start; })()`);
    expect(await text(page, '#count')).toBe('3 of 20,000 rows');
    expect(took).toBeLessThan(1000);
    const many = { ...SPECS, rows: [], changes: [], counts: { changed: 60_000, unchanged: 7 } };
    expect(await readFile(await written(many), 'utf8')).toContain(
      'This page has the first 50,000 of 60,000 changed rows; `dexsync plan --json` has all of them.',
    );
    const folder = process.env.DEXSYNC_SCREENSHOTS;
    if (folder === undefined) return;
    for (const width of [1280, 420]) {
      const shown = await openPage(path, width);
      for (const scheme of ['light', 'dark'] as const)
        await shown.screenshot(join(folder, `rows-${width}-${scheme}.png`), scheme);
    }
  });
});
