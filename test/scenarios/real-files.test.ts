import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { DATA, hasData, independently as numberedRows, type Row } from './real/tables.js';

const EXA_SPIM = resolve(DATA, 'AllenNeuralDynamics/exa-spim-hardware');
const BEAGLEBONE = resolve(DATA, 'beagleboard/beaglebone-ai/BeagleBone-AI_bom.csv');

/** The table as another library reads it. */
const independently = async (file: string): Promise<Row[]> => [...(await numberedRows({ file })).values()];

const definition = (name: string, resource: string, mode: string, columns: Row): string =>
  `${JSON.stringify({
    apiVersion: 'dexsync/v1',
    kind: 'ImportDefinition',
    metadata: { name },
    spec: {
      resource,
      mode,
      options: {
        ...(resource === 'ITEM_BOM' ? { checkRefDes: 'DO_NOT_CHECK' } : {}),
        mapping: Object.entries(columns).map(([field, sourceName]) =>
          /[A-Z ]/.test(field[0] ?? '')
            ? { resource, attribute: field, sourceName }
            : { resource, apiName: field, sourceName },
        ),
      },
    },
  })}\n---\n`;

interface Loaded {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  /** Item fields and custom attributes by number. */
  items(): Promise<Map<string, Row>>;
  lines(): Promise<Row[]>;
}

const texts = (object: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, value === null || value === undefined ? '' : String(value)]),
  );

const attributes = ({ additionalAttributes = [] }: { additionalAttributes?: { name: string; value: unknown }[] }) =>
  Object.fromEntries(additionalAttributes.map(({ name, value }) => [name, value]));

/** An item that every new embedded workspace has: the parent of the lines. */
const PARENT = 'DX-0001';

async function prepared(dialect: string, specs: Row, bom: Row): Promise<Loaded> {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({
    'manifests/all.yaml':
      definition('Specs', 'ITEM_SPECS', 'CREATE', specs) +
      definition('BOM', 'ITEM_BOM', 'CREATE', { number: 'Assembly', ...bom }),
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  return {
    workspace,
    project,
    async items() {
      const found = await workspace.pages('/items?responseview=full');
      const own = found.filter(({ number }) => !String(number).startsWith('DX-'));
      return new Map(own.map((item) => [String(item.number), texts({ ...item, ...attributes(item) })]));
    },
    async lines() {
      const { body } = await workspace.call('GET', `/items?number=${PARENT}`);
      const path = `/items/${body.results[0].guid}/bom?includeAdditionalAttributes=true`;
      const found = (await workspace.call('GET', path)).body.results;
      return found.map((line: Record<string, unknown>) =>
        texts({ ...line, ...attributes(line), child: (line.item as { number: string }).number }),
      );
    },
  };
}

/** What the columns say of each row, as the workspace shows it: white space at the ends stripped, empty cells as nothing. */
const expected = (rows: readonly Row[], fields: Row): Row[] =>
  rows.map((row) =>
    Object.fromEntries(Object.entries(fields).map(([field, column]) => [field, (row[column] ?? '').trim()])),
  );

const picked = (found: Iterable<Row>, fields: Row): Row[] =>
  [...found].map((one) => Object.fromEntries(Object.keys(fields).map((field) => [field, one[field] ?? ''])));

const byText = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe.skipIf(!hasData).each(['reference', 'arena'])(
  'real part lists go in and read back, in the dialect %s',
  (dialect) => {
    const csv = resolve(EXA_SPIM, 'BOM.csv');
    const xlsx = resolve(EXA_SPIM, 'BOM.xlsx');
    const columns = (part: string) => ({
      specs: { number: part, name: part, description: 'DESCRIPTION' },
      bom: { 'item.number': part, quantity: 'QTY.', 'Find Number': 'ITEM NO.' },
      lines: { child: part, quantity: 'QTY.', 'Find Number': 'ITEM NO.' },
    });
    const set = ['--set', `Assembly=${PARENT}`];

    test('exa-spim as CSV has two rows without part numbers, which are reported and left out', async () => {
      const { specs, bom, lines: shown } = columns('PART NUMBER');
      const { workspace, project, items, lines } = await prepared(dialect, specs, bom);
      const rows = await independently(csv);
      const good = rows.filter((row) => row['PART NUMBER'] !== '');
      expect([rows.length, good.length]).toEqual([92, 90]);

      const refused = await project.run(['import', csv, '--definition', 'Specs'], workspace.variables);
      expect(refused.code).toBe(4);
      const [head, said] = refused.out.split('\n');
      expect(head).toBe(`${csv}  error  key-empty  2 rows, column "PART NUMBER"`);
      expect(said).toMatch(
        /The cell in column "PART NUMBER" is empty, but "number" identifies the record\..* \(2 rows: 9, 12\)$/,
      );
      expect((await items()).size).toBe(0);

      const imported = await project.run(
        ['import', csv, '--definition', 'Specs', '--commit', 'always'],
        workspace.variables,
      );
      expect([imported.code, imported.out]).toEqual([8, expect.stringContaining('Rows: 90 committed, 2 failed.')]);
      expect(byText(picked((await items()).values(), specs))).toEqual(byText(expected(good, specs)));

      const lined = await project.run(
        ['import', csv, '--definition', 'BOM', '--commit', 'always', ...set],
        workspace.variables,
      );
      expect([lined.code, lined.out]).toEqual([8, expect.stringContaining('Rows: 90 committed, 2 failed.')]);
      expect(byText(picked(await lines(), shown))).toEqual(byText(expected(good, shown)));
    });

    test('exa-spim as XLSX has the items and lines of its CSV, and the two that the CSV lacks', async () => {
      const { specs, bom, lines: shown } = columns('SOLIDWORKS PART NUMBER');
      const { workspace, project, items, lines } = await prepared(dialect, specs, bom);
      const rows = await independently(xlsx);
      const imported = await project.run(['import', xlsx, '--definition', 'Specs'], workspace.variables);
      expect([imported.code, imported.out]).toEqual([0, expect.stringContaining('Rows: 92 committed, 0 failed.')]);
      expect(byText(picked((await items()).values(), specs))).toEqual(byText(expected(rows, specs)));
      const lined = await project.run(['import', xlsx, '--definition', 'BOM', ...set], workspace.variables);
      expect([lined.code, lined.out]).toEqual([0, expect.stringContaining('Rows: 92 committed, 0 failed.')]);
      expect(byText(picked(await lines(), shown))).toEqual(byText(expected(rows, shown)));

      const twin = columns('PART NUMBER');
      const inCsv = expected(await independently(csv), twin.lines).filter(({ child }) => child !== '');
      const found = new Set(byText(picked(await lines(), shown)));
      // The two files differ in one part more: the workbook calls number 33 otherwise.
      expect(byText(inCsv).filter((line) => !found.has(line))).toEqual([expect.stringContaining('8-7711')]);
    });

    test('the same table in another format is the same work: it is not imported again', async () => {
      const { specs, bom } = columns('PART NUMBER');
      const { workspace, project } = await prepared(dialect, specs, bom);
      const run = (file: string) =>
        project.run(['import', file, '--definition', 'Specs', '--commit', 'always'], workspace.variables);
      expect((await run(csv)).out).toContain('Rows: 90 committed, 2 failed.');
      const table = Papa.parse<string[]>(readFileSync(csv, 'utf8')).data;
      await project.write('twin.tsv', Papa.unparse(table, { delimiter: '\t', newline: '\n', quotes: true }));
      const before = await workspace.usage();
      const again = await run('twin.tsv');
      expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes')]);
      expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
    });

    test('every cell of the specs and lines of BeagleBone AI is read back', async () => {
      const fields = {
        number: 'Embest P/N',
        name: 'Manufacture P/N',
        description: 'Description',
        Manufacturer: 'Manufacturer',
        Package: 'Package',
        Remarks: 'Part Type',
      };
      const line = { 'item.number': 'Embest P/N', quantity: 'QTY', Designators: 'Location', 'Find Number': 'Item' };
      const { workspace, project, items, lines } = await prepared(dialect, fields, line);
      const rows = await independently(BEAGLEBONE);
      expect(rows.length).toBe(107);

      const imported = await project.run(['import', BEAGLEBONE, '--definition', 'Specs'], workspace.variables);
      expect([imported.code, imported.out]).toEqual([0, expect.stringContaining('Rows: 107 committed, 0 failed.')]);
      expect(byText(picked((await items()).values(), fields))).toEqual(byText(expected(rows, fields)));

      const lined = await project.run(
        ['import', BEAGLEBONE, '--definition', 'BOM', '--set', `Assembly=${PARENT}`],
        workspace.variables,
      );
      expect([lined.code, lined.out]).toEqual([0, expect.stringContaining('Rows: 107 committed, 0 failed.')]);
      const shown = { child: 'Embest P/N', quantity: 'QTY', Designators: 'Location', 'Find Number': 'Item' };
      expect(byText(picked(await lines(), shown))).toEqual(byText(expected(rows, shown)));
    });
  },
);
