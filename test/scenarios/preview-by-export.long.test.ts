import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Altered, type Answer, alteringProxy, type Exchange } from '../harness/altering-proxy.js';
import { manifest } from '../harness/manifest.js';
import { IS_WHOLE, sample } from '../harness/sample.js';
import { type TestProject, testProject, type Variables } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const DIALECTS = ['reference', 'arena'];

/** Every type of attribute (wire-facts 7); fields that begin with `@` are custom attributes. */
const ITEM_COLUMNS: Readonly<Record<string, string>> = {
  Part: 'number',
  Name: 'name',
  Text: 'description',
  Category: 'category.path',
  Unit: 'uom',
  Cost: 'standardCost',
  Shared: 'shared',
  Owner: 'owner.fullName',
  Weight: '@Weight in Grams',
  Reviewed: '@Last Reviewed',
  Safety: '@Safety Critical',
  Certificates: '@Certifications',
  Finish: '@Finish',
  Notes: '@Remarks',
};

const LINE_COLUMNS: Readonly<Record<string, string>> = {
  Assembly: 'number',
  Part: 'item.number',
  Quantity: 'quantity',
  Designators: 'refDes',
  Note: 'notes',
  Find: '@Find Number',
  DNP: '@Do Not Place',
};

const definition = (name: string, resource: string, columns: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode: 'OVERWRITE',
    options: {
      multiSelectDelimiter: '|',
      mapping: Object.entries(columns).map(([sourceName, field]) => ({
        resource,
        ...(field.startsWith('@') ? { attribute: field.slice(1) } : { apiName: field }),
        sourceName,
      })),
    },
  });

const MANIFESTS =
  definition('Items', 'ITEM_SPECS', ITEM_COLUMNS) +
  definition('Lines', 'ITEM_BOM', LINE_COLUMNS) +
  manifest('Import', 'Parts', { definition: 'Items', source: { file: 'parts.csv' } }) +
  manifest('Import', 'BOM', { definition: 'Lines', source: { file: 'bom.csv' }, after: ['Parts'] });

const csv = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');

const FINISHES = ['Anodized', 'Painted', 'Plated', ''];
const CERTIFICATES = ['CE', 'CE|UL', 'UL|FCC|CE', ''];

const item = (n: number): string[] => [
  `P-${n}`,
  `Part, "${n}" – ß`,
  n % 3 === 0 ? 'Two\nlines' : '',
  n % 2 === 0 ? 'Item\\Resistor' : 'Item\\Cable',
  n % 5 === 0 ? 'each' : '',
  n % 4 === 0 ? '' : String(n / 8),
  n % 2 === 0 ? 'true' : 'false',
  'Ann Quality',
  n % 7 === 0 ? '' : String(n * 1.25),
  n % 6 === 0 ? '' : `2025-0${1 + (n % 9)}-1${n % 9}`,
  ['true', 'false', ''][n % 3] ?? '',
  CERTIFICATES[n % 4] ?? '',
  FINISHES[n % 4] ?? '',
  n % 8 === 0 ? 'First\nSecond; third' : '',
];

/** So many that pages take more requests than an export. */
const ITEMS = 3700;
const PARENTS = 12;

const lines = (n: number): string[][] =>
  [1, 2, 3].map((k) => [
    `P-${n}`,
    `P-${100 * k + n}`,
    String(k),
    `R${n}${k}0-R${n}${k}${k - 1}`,
    'as drawn',
    String(k),
    'false',
  ]);

/** The same values in other words, as the service understands them (wire-facts 2.1, 4). */
const otherwise = (cells: readonly string[]): string[] =>
  cells.map((cell) => {
    if (cell === 'true' || cell === 'false') return cell.toUpperCase();
    if (/^\d{4}-\d\d-\d\d$/.test(cell)) return cell.replaceAll('-', '');
    if (cell.includes('|')) return cell.split('|').reverse().join(' | ');
    return /^\d+(\.\d+)?$/.test(cell) ? ` ${Number(cell).toFixed(4)} ` : cell;
  });

const replaced = (cells: readonly string[], at: number, text: string): string[] =>
  cells.map((cell, index) => (index === at ? text : cell));

interface Previewed {
  readonly with: string;
  readonly why?: string;
  readonly counts: Record<string, number>;
  readonly by: string;
  readonly digest: string;
  readonly requests: number;
}

async function previews(project: TestProject, variables: Variables, how: string): Promise<Record<string, Previewed>> {
  const args = ['plan', '--preview', how, '--json', '--reimport', 'Parts', '--reimport', 'BOM'];
  const { code, out, err } = await project.run(args, variables);
  expect(code, err).toBe(0);
  const { steps } = JSON.parse(out);
  return Object.fromEntries(
    steps.flatMap(({ address, preview }: { address: string; preview?: Previewed }) =>
      preview === undefined ? [] : [[address, preview]],
    ),
  );
}

const EXPORTS = /^\/exports/;

const exportsMade = async ({ usage }: TestWorkspace): Promise<string[]> =>
  (await usage()).flatMap(({ method, path }) =>
    method === 'POST' && EXPORTS.test(path) ? [path.replaceAll(/[A-Z0-9]{20}/g, '*')] : [],
  );

async function loaded(
  dialect: string,
  parts: readonly string[][],
): Promise<{ workspace: TestWorkspace; project: TestProject }> {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({
    'manifests/all.yaml': MANIFESTS,
    'manifests/parts.csv': csv(Object.keys(ITEM_COLUMNS), parts),
    'manifests/bom.csv': csv(Object.keys(LINE_COLUMNS), TREE),
  });
  const applied = await project.run(['apply', '--yes', '--preview', 'none'], workspace.variables);
  expect([applied.code, applied.err], applied.out).toEqual([0, '']);
  return { workspace, project };
}

const PARTS = Array.from({ length: ITEMS }, (_, index) => item(index + 1));
const TREE = Array.from({ length: PARENTS }, (_, index) => lines(index + 1)).flat();
const NOTHING = { changed: 0, new: 0, removed: 0, refused: 0, notCompared: 0 };

describe.each(sample(DIALECTS, 1))('records by an export, in the dialect %s', (dialect) => {
  test.runIf(IS_WHOLE)(
    'an export shows the same as pages and BOMs, in a handful of requests, and leaves one definition of each kind',
    async () => {
      const { workspace, project } = await loaded(dialect, PARTS);
      await project.write('manifests/parts.csv', csv(Object.keys(ITEM_COLUMNS), PARTS.map(otherwise)));
      const same = await previews(project, workspace.variables, 'full');
      expect(same).toMatchObject({
        'Import/Parts': { by: 'export', counts: { ...NOTHING, unchanged: ITEMS } },
        'Import/BOM': { by: 'export', counts: { ...NOTHING, unchanged: 3 * PARENTS } },
      });
      for (const { requests } of Object.values(same)) expect(requests).toBeLessThanOrEqual(12);
      const definitions = ['/exports', '/exports'];
      const runs = ['/exports/*/runs', '/exports/*/runs'];
      expect((await exportsMade(workspace)).sort()).toEqual([...definitions, ...runs]);

      const names = Object.keys(ITEM_COLUMNS);
      const other = PARTS.slice(10).map((cells, index) =>
        index % 10 === 0
          ? replaced(replaced(cells, names.indexOf('Cost'), '7.5'), names.indexOf('Certificates'), 'FCC')
          : cells,
      );
      const added = Array.from({ length: 20 }, (_, index) => item(ITEMS + index + 1));
      await project.write('manifests/parts.csv', csv(names, [...other, ...added]));
      const tree = TREE.map((cells, index) => (index % 6 === 0 ? replaced(cells, 4, 'redrawn') : cells));
      await project.write(
        'manifests/bom.csv',
        csv(Object.keys(LINE_COLUMNS), [...tree, ['P-1', 'P-99', '4', '', '', '', '']]),
      );

      const byExport = await previews(project, workspace.variables, 'full');
      const otherwiseRead = await previews(project, workspace.variables, 'auto');
      const changed = other.filter((cells, index) => index % 10 === 0 && !PARTS.includes(cells)).length;
      expect(byExport).toMatchObject({
        'Import/Parts': { by: 'export', counts: { ...NOTHING, changed, unchanged: other.length - changed, new: 20 } },
        'Import/BOM': { by: 'export', counts: { ...NOTHING, changed: 6, unchanged: 30, new: 1 } },
      });
      expect(otherwiseRead).toMatchObject({ 'Import/Parts': { by: 'pages' }, 'Import/BOM': { by: 'searches' } });
      for (const address of ['Import/Parts', 'Import/BOM']) {
        expect(byExport[address]?.digest).toBe(otherwiseRead[address]?.digest);
      }
      expect((await exportsMade(workspace)).sort()).toEqual([...definitions, ...runs, ...runs]);
    },
    180_000,
  );

  test('an export that fails, is broken, refused or busy is named, never counts as unchanged, and the plan continues', async () => {
    const { workspace, project } = await loaded(dialect, PARTS.slice(0, 320));
    const bomThrough = async (
      alter: (exchange: Exchange, answer: Answer) => Altered,
    ): Promise<Previewed | undefined> => {
      const url = await alteringProxy(workspace.url, alter);
      const found = await previews(project, { ...workspace.variables, TEST_URL: url }, 'full');
      expect(found['Import/Parts']).toMatchObject({ by: 'pages', counts: { unchanged: 320 } });
      return found['Import/BOM'];
    };
    const started = ({ method, path }: Exchange): boolean => method === 'POST' && path.endsWith('/runs');
    const refused = (status: number, code: number, message: string) => ({
      status,
      body: Buffer.from(JSON.stringify({ status, errors: [{ code, message }] })),
    });
    const asRun =
      (status: string) =>
      ({ body }: Answer) => ({
        body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), status, files: [] })),
      });
    const ends: readonly [RegExp, (exchange: Exchange, answer: Answer) => Altered][] = [
      [
        /export run #\d+ ended as FAILED$/,
        (exchange, answer) => (started(exchange) ? asRun('FAILED')(answer) : undefined),
      ],
      [
        /export run #\d+ ended as ABORTED$/,
        (exchange, answer) => (started(exchange) ? asRun('ABORTED')(answer) : undefined),
      ],
      [
        /the export contains no table BOM$/,
        (exchange, answer) => (started(exchange) ? asRun('COMPLETE')(answer) : undefined),
      ],
      [
        /The archive .* is broken/,
        ({ path }, { body }) => (path.endsWith('/content') ? { body: body.fill(7, 40, 60) } : undefined),
      ],
      [/403: no \(3085\)$/, (exchange) => (started(exchange) ? refused(403, 3085, 'no') : undefined)],
      [/POST \/exports.* 500/, (exchange) => (started(exchange) ? refused(500, 9999, 'oh') : undefined)],
    ];
    for (const [why, alter] of ends) {
      const bom = await bomThrough(alter);
      expect(bom).toMatchObject({ with: 'nothing', why: expect.stringMatching(why) });
      expect(bom?.counts).toBeUndefined();
    }
    const fine = { with: 'workspace', by: 'export', counts: { ...NOTHING, unchanged: 36 } };
    const busy = await bomThrough((exchange) =>
      started(exchange) && exchange.nth === 1 ? refused(400, 3144, 'Only one export can be in progress.') : undefined,
    );
    expect(busy).toMatchObject(fine);
    const lost = await bomThrough((exchange) => (started(exchange) && exchange.nth === 1 ? 'drop' : undefined));
    expect(lost).toMatchObject(fine);
    const cut = await bomThrough(({ path, nth }) => (path.endsWith('/content') && nth === 1 ? 'cut' : undefined));
    expect(cut).toMatchObject(fine);
    const large = await bomThrough(({ method, path, nth }) =>
      method === 'POST' && path.endsWith('/runs') && nth === 1 ? refused(413, 413, 'too large') : undefined,
    );
    expect(large).toMatchObject({ with: 'nothing', why: expect.stringContaining('413') });
  });

  test('applying a saved plan compares in the same way as planning, and names the cell', async () => {
    const { workspace, project } = await loaded(dialect, PARTS.slice(0, 320));
    await project.write(
      'manifests/bom.csv',
      csv(
        Object.keys(LINE_COLUMNS),
        TREE.map((cells) => replaced(cells, 4, 'redrawn')),
      ),
    );
    const plan = ['plan', '--only', 'Import/BOM', '--preview', 'full', '--out', 'plan.json'];
    const made = await project.run(plan, workspace.variables);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('Rows: 36 changed (36 cells) (compared with the workspace by an export run, ');
    expect(await readdir(join(project.folder, '.dexsync/tmp'))).toEqual([]);
    const names = Object.keys(LINE_COLUMNS);
    await project.write('hand.csv', csv(names, [['P-3', 'P-103', '', '', 'by hand', '', '']]));
    const edited = await project.run(['import', 'hand.csv', '--definition', 'Lines'], workspace.variables);
    expect([edited.code, edited.err]).toEqual([0, '']);
    const stale = await project.run(['apply', 'plan.json', '--yes'], workspace.variables);
    expect([stale.code, stale.out + stale.err]).toEqual([
      5,
      expect.stringMatching(/"P-3 \/ P-103" \(row 8\), Note was "as drawn" and is "by hand" now/),
    ]);
    const usage = await workspace.usage();
    expect(usage.filter(({ path }) => /^\/items\/\w+\/bom/.test(path))).toEqual([]);
  });
});
