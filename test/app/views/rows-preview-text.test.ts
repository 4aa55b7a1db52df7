import { describe, expect, test } from 'vitest';
import { createPalette } from '#app/views/human/palette.js';
import { planText } from '#app/views/human/plan-text.js';
import { rowsPreviewLines } from '#app/views/human/rows-preview-text.js';
import { renderReport } from '#app/views/report/render-report.js';
import { addressOf } from '#core/model/address.js';
import type { RowChange, RowsPreview } from '#core/model/rows-preview.js';
import { planReport } from './reports/hostile.js';

const plain = createPalette('plain');
const NONE = { new: 0, changed: 0, cells: 0, unchanged: 0, removed: 0, refused: 0, notCompared: 0 };

const previewOf = (rows: readonly RowChange[], more: Partial<RowsPreview> = {}): RowsPreview => {
  const number = (kind: RowChange['change']): number => rows.filter(({ change }) => change === kind).length;
  const counts = { ...NONE, new: number('new'), changed: number('changed'), cells: 1, removed: number('removed') };
  return {
    with: 'workspace',
    by: 'pages',
    requests: 1,
    counts: { ...counts, refused: number('refused') },
    rows: [...rows],
    ...more,
  };
};

const lines = (rows: readonly RowChange[], width?: number): string[] =>
  rowsPreviewLines(previewOf(rows), { palette: plain, width }).slice(1);

const cell = (column: string, before: string, after: string) => ({ column, before, after });
const changed = (key: string, cells: RowChange['cells'], row = 4): RowChange => ({
  ...{ change: 'changed', row, key: [key] },
  ...(cells === undefined ? {} : { cells }),
});

describe('the changes of the rows of an import', () => {
  test('are counted by kind, in the singular and in the plural', () => {
    const counts = {
      ...NONE,
      new: 1,
      changed: 2,
      cells: 3,
      unchanged: 40,
      removed: 1,
      gone: 1,
      refused: 1,
      notCompared: 2,
    };
    const preview = previewOf([], { counts, columnsNotCompared: ['Lead\nTime', 'ECO'] });
    expect(rowsPreviewLines(preview, { palette: plain, page: 'rows/Parts.html' })).toEqual([
      'Rows: 1 new, 2 changed (3 cells), 1 to be removed, 1 that the service will refuse, 40 unchanged, 2 not compared, 1 no longer in the file (compared with the workspace by pages, 1 request).',
      'Not compared: "Lead Time", "ECO", which the workspace does not show.',
      ...['  and 6 more rows', 'Page: rows/Parts.html'],
    ]);
    const since = { runs: 'runs #1 to #2', at: '2026-11-20T10:00:00Z' };
    const last: RowsPreview = {
      with: 'last import',
      requests: 2,
      since,
      why: 'it takes too much',
      counts: { ...NONE, changed: 1, cells: 1 },
    };
    expect(rowsPreviewLines(last, { palette: plain })).toEqual([
      'Rows: 1 changed (1 cell) (compared with the last import, runs #1 to #2 of 2026-11-20, 2 requests).',
      'Not compared with the workspace: it takes too much.',
      '  and 1 more row; `dexsync plan --preview-pages <folder>` shows all of them',
    ]);
    const nothing: RowsPreview = { with: 'nothing', requests: 0, why: 'its rows name items by GUID' };
    expect(rowsPreviewLines(nothing, { palette: plain })).toEqual([
      'Rows not compared with the workspace: its rows name items by GUID.',
    ]);
  });

  test('show a row on one line where it fits, and otherwise a line for each cell', () => {
    const two = changed('20-1', [cell('Name', 'a', 'b'), cell('Cost', '3', '')]);
    expect(lines([two], 80)).toEqual(['  ~ 20-1 (row 4): Name "a" -> "b", Cost 3 -> (empty)']);
    expect(lines([two], 40)).toEqual(['  ~ 20-1 (row 4):', '      Name "a" -> "b"', '      Cost 3 -> (empty)']);
    const many = changed(
      '20-1',
      Array.from({ length: 30 }, (_, n) => cell(`C${n}`, '1', '2')),
    );
    expect(lines([many], 140)).toEqual([
      ...['  ~ 20-1 (row 4):', ...Array.from({ length: 8 }, (_, n) => `      C${n} 1 -> 2`), '      and 22 more cells'],
    ]);
  });

  test('show the difference of long values that begin alike, in lines no wider than the terminal', () => {
    const same = 'The same beginning of a description that goes on and on until ';
    const row = changed('20-1 '.repeat(30), [
      cell('Description of the part '.repeat(9), `${same}OLD`, `${same}NEW and more ${same}`),
    ]);
    for (const width of [80, 140]) {
      const shown = lines([row], width);
      expect(shown.join('\n')).toMatch(/til OLD" -> "\.\.\..*til NEW/);
      expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(width);
    }
  });

  test('show as many cells of a new or removed row as fit its line, without the line breaks of a sheet', () => {
    const rows: RowChange[] = [
      {
        change: 'new',
        row: 2,
        key: ['30-1'],
        cells: [cell('Part\nName', '', 'a\nb'), cell('Cost', '', '1'), cell('Notes', '', 'x'.repeat(90))],
      },
      { change: 'gone', key: ['30\n2'], cells: [cell('Name', 'a', '')] },
      { change: 'refused', row: 3, key: ['30-3'], why: 'The record exists already.' },
    ];
    expect(lines(rows, 80)).toEqual([
      '  + 30-1 (row 2): Part Name "a\\nb", Cost 1, ...',
      '  ? 30 2: no longer in the file',
      '  ✗ 30-3 (row 3): The record exists already.',
    ]);
  });

  test('list the lines of a BOM below their parent, also those that the file lacks', () => {
    const line = (
      change: RowChange['change'],
      parent: string,
      child: string,
      qty: [string, string],
      row?: number,
    ): RowChange => ({
      ...{ change, key: [parent, child], cells: [cell('Qty', ...qty)] },
      ...(row === undefined ? {} : { row }),
    });
    const rows = [
      line('changed', 'A-1', 'C-1', ['1', '2'], 2),
      line('new', 'A-2', 'C-1', ['', '4'], 3),
      line('new', 'A-1', 'C-2', ['', '3'], 4),
      line('removed', 'A-1', 'C-9', ['7', '']),
    ];
    expect(lines(rows, 80)).toEqual([
      ...['  A-1', '    ~ C-1 (row 2): Qty 1 -> 2', '    + C-2 (row 4): Qty 3', '    - C-9: Qty 7'],
      ...['  A-2', '    + C-1 (row 3): Qty 4'],
    ]);
  });
});

const ADDRESS = addressOf('Import', 'Parts');
const step = () => ({
  ...{ address: ADDRESS, action: 'import', reason: 'new', message: '500 rows of parts.csv.' },
  writes: [{ verb: 'import', request: { path: 'data/parts.csv' } }],
  preview: previewOf(
    [
      changed('20-1', [cell('Name', 'old', 'new'), cell('Cost', '3', '4')]),
      { change: 'refused', row: 9, key: ['20-9'], why: 'The record exists already.' },
      ...Array.from({ length: 98 }, (_, n): RowChange => ({ change: 'new', row: n + 20, key: [`N-${n}`] })),
    ],
    { counts: { ...NONE, new: 298, changed: 1, cells: 2, refused: 1, unchanged: 200 } },
  ),
});

/** Without a row that the service will refuse, which is a problem and comes first. */
const importOf = (n: number) => {
  const { preview, ...rest } = step();
  const rows = (preview.rows ?? []).filter(({ change }) => change !== 'refused');
  const counts = { ...NONE, new: 298, changed: 1, cells: 2, unchanged: 200 };
  return { ...rest, address: addressOf('Import', `P${n}`), preview: { ...preview, rows, counts } };
};

const COUNTS = '298 new, 1 changed (2 cells), 1 that the service will refuse, 200 unchanged';

test('a plan names the page of an import below its rows', () => {
  const { planned } = planReport([step()]);
  if (planned === undefined) throw new Error('no plan');
  const shown = planText({ ...planned, pages: [{ address: ADDRESS, file: 'rows/Parts.html' }] }, plain, 80);
  expect(shown).toContain('        and 290 more rows\n      Page: rows/Parts.html\n');
});

describe('reports for pipelines show the rows of an import', () => {
  test('in Markdown: their number, and the first of them, folded', () => {
    const markdown = renderReport('md', planReport([step()]));
    expect(markdown).toContain(
      `<summary>&#8682; <code>Import/Parts</code> import</summary>\n\n500 rows of parts.csv.\n\nRows: ${COUNTS.replace(/[()]/g, '$&')} (compared with the workspace by pages, 1 request).\n\n\`\`\`diff\n~ 20-1 (row 4): Name "old" -> "new", Cost 3 -> 4\n✗ 20-9 (row 9): The record exists already.\n+ N-0 (row 20)\n`,
    );
    expect(markdown).toContain('+ N-27 (row 47)\n... and 270 more rows\n```');
    const many = renderReport('md', planReport(Array.from({ length: 100 }, (_, n) => importOf(n))));
    expect(many.length).toBeLessThanOrEqual(65_536);
    expect(many).toContain(`<code>Import/P99</code> import: 298 new, 1 changed (2 cells), 200 unchanged`);
  });

  test('in HTML: side by side', () => {
    const html = renderReport('html', planReport([step()]));
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
    const [{ message, fields }] = JSON.parse(data).changes;
    expect(message).toBe(
      `500 rows of parts.csv. Rows: ${COUNTS} (compared with the workspace by pages, 1 request). The first 50 of 300 rows are shown.`,
    );
    expect(fields).toHaveLength(50);
    expect(fields[0].path).toBe('~ 20-1 (row 4)');
    expect(JSON.stringify(fields[0].lines)).toMatch(/Name: .*old.*Cost: .*3.*new.*4|Name.*old.*new.*Cost.*3.*4/);
    expect(JSON.stringify(fields[1])).toContain('The record exists already.');
  });

  test('refused rows are warnings at their place, and JUnit has the counts', () => {
    expect(renderReport('github', planReport([step()]))).toBe(
      '::warning file=plm/data/parts.csv,line=9,title=row-will-be-refused%3A Import/Parts::The service will refuse "20-9". The record exists already.\n',
    );
    expect(renderReport('junit', planReport([step()]))).toContain('The service will refuse &quot;20-9&quot;.');
    const { preview, ...rest } = step();
    const fine = { ...rest, preview: { ...preview, rows: [], counts: { ...NONE, new: 3 } } };
    expect(renderReport('junit', planReport([fine]))).toContain(
      '<system-out>Import/Parts. Rows: 3 new (compared with the workspace by pages, 1 request).</system-out>',
    );
  });
});
