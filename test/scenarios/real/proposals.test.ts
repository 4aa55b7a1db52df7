import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sample } from '../../harness/sample.js';
import { testProject } from '../../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../../harness/test-workspace.js';
import { expectedOf, type Given, givenBy, shown, sorted } from './loading.js';
import { DATA, hasData, type Row } from './tables.js';

/** How many filled cells the proposal for a list brings into items, BOM lines and sources. */
const LISTS: Readonly<Record<string, readonly [items: number, lines: number, sources: number]>> = {
  '100prznt/EzoGateway/hardware/BOM@100cdf56.csv': [94, 128, 0],
  '100prznt/EzoGateway/hardware/Hw_v1.1/EzoGateway_BOM_v1.1.csv': [94, 128, 0],
  'AllenNeuralDynamics/exa-spim-hardware/BOM.csv': [188, 360, 0],
  'AllenNeuralDynamics/exa-spim-hardware/BOM.xlsx': [192, 368, 225],
  'LibreSolar/mppt-2420-hc/build/mppt-2420-hc_bom_(hv_supply,can).csv': [186, 345, 126],
  'LibreSolar/mppt-2420-hc/build/mppt-2420-hc_bom_mechanical.csv': [12, 20, 6],
  'OpenGammaProject/Open-Gamma-Detector/hardware/BOM.csv': [76, 125, 150],
  'Opentrons/otone_hardware/OT-One Pro BOM .xlsx': [156, 231, 0],
  'beagleboard/beaglebone-ai/BeagleBone-AI_bom.csv': [216, 534, 321],
  'emard/ulx3s/1-click-bom.tsv': [128, 264, 672],
  'emard/ulx3s/doc/ulx3s_bom.csv': [152, 260, 399],
  'hildogjr/KiCost/tests/part_list_big.csv': [722, 0, 0],
  'hildogjr/KiCost/tests/test_423.csv': [4, 4, 0],
  'hildogjr/KiCost/tests/test_423_ok.csv': [4, 4, 0],
  'hildogjr/KiCost/tests/test_423_wrong.csv': [4, 4, 0],
  'opulo-inc/feeder/cad/CHA/drive-motor/drive-motor.bom.tsv': [9, 14, 0],
  'opulo-inc/feeder/cad/CHA/feeder-floor-harness-extension/feeder-floor-harness-extension.bom.tsv': [10, 15, 0],
  'opulo-inc/feeder/cad/CHA/feeder-floor-harness-mobo/feeder-floor-harness-mobo.bom.tsv': [10, 15, 0],
  'opulo-inc/feeder/cad/CHA/feeder-floor-harness-tail/feeder-floor-harness-tail.bom.tsv': [10, 15, 0],
  'particle-iot/photon/bill-of-materials/photon-bom-v1.0.0.xlsx': [52, 100, 87],
  'pixhawk/Hardware/A_PX4_PARTS_DATABASE.csv': [462, 0, 1476],
  'robotarium/GRITSBot_hardware_design/bom/bom.xlsx': [98, 208, 117],
};

const files = hasData
  ? (await readdir(DATA, { recursive: true })).filter((file) => /\.(csv|tsv|xlsx)$/.test(file)).sort()
  : [];

test.skipIf(!hasData)('every real list has a proposal', () => {
  expect(files).toEqual(Object.keys(LISTS).sort());
});

describe.skipIf(!hasData)('the proposal of `import inspect` for a real list', () => {
  test.each(sample(files, 2))('%s loads without edits, reads back equal, and is done', async (file) => {
    const { project, run, workspace } = await proposed(file);
    const validated = await run('plan', '--validate-imports');
    expect([validated.code, validated.err]).toEqual([0, '']);
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.err]).toEqual([0, '']);

    const all = await givenBy(await manifestOf(project), join(project, 'manifests'));
    const given = (resource: string): Given[] => all.filter((one) => one.resource === resource);
    const items = wantedOf(given('ITEM_SPECS'));
    const lines = wantedOf(given('ITEM_BOM'));
    const sources = wantedOf(given('ITEM_SOURCING'));
    const there = await recordsOf(workspace);
    expect(sorted(asWanted(there.items, items))).toEqual(sorted(items));
    expect(sorted(asWanted(there.lines, lines))).toEqual(sorted(lines));
    expect(sorted(asWanted(there.sources, sources))).toEqual(sorted(sources));
    expect([cells(items), cells(lines), cells(sources)]).toEqual(LISTS[file]);

    const before = await workspace.usage();
    const again = await run('plan', '--detailed-exitcode');
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

const CONFIG = `stack: test
manifests: [proposal/manifests]
environments:
  remote: { url: "\${env.TEST_URL}" }
`;

/** What `inspect` writes for a list, as the manifests of a project whose workspace others can read too. */
async function proposed(file: string) {
  const workspace = await testWorkspace();
  const project = await testProject();
  const inspected = await project.run(['import', 'inspect', join(DATA, file), '--out', 'proposal']);
  expect([inspected.code, inspected.err]).toEqual([0, '']);
  await project.write('sync.config.yaml', CONFIG);
  const run = (...args: string[]) => project.run(args, workspace.variables);
  return { project: join(project.folder, 'proposal'), workspace, run };
}

async function manifestOf(project: string): Promise<string> {
  const folder = join(project, 'manifests');
  const [name = ''] = await readdir(folder);
  return readFile(join(folder, name), 'utf8');
}

/** All that the workspace has beside what a new one has, by plain GETs. */
async function recordsOf({ pages, call }: TestWorkspace) {
  const found = (await pages('/items?responseview=full')).filter(({ number }) => !String(number).startsWith('DX-'));
  const lists = found.map(async ({ guid, number }) => ({
    number,
    lines: (await call('GET', `/items/${guid}/bom?includeAdditionalAttributes=true`)).body.results,
    sources: (await call('GET', `/items/${guid}/sourcing`)).body.results,
  }));
  const each = await Promise.all(lists);
  return {
    items: found.map(shown),
    lines: each.flatMap(({ number, lines }) =>
      lines.map((line: never) => ({ ...shown(line), number, 'item.number': (line as Line).item.number })),
    ),
    sources: each.flatMap(({ number, sources }) =>
      sources.map((source: never) => {
        const { supplierItem } = source as Source;
        return {
          ...shown(source),
          number,
          'supplierItem.number': supplierItem.number,
          'supplier.name': supplierItem.supplier.name,
        };
      }),
    ),
  };
}

const KEYS = ['number', 'item.number', 'supplier.name', 'supplierItem.number'];

const keyOf = (record: Row): string => JSON.stringify(KEYS.map((name) => record[name]));

/** The records that rows ask for: of several rows of one record, the last one that fills a cell counts. */
function wantedOf(all: readonly Given[]): Row[] {
  const wanted = new Map<string, Row>();
  for (const { rows, mapping, mode, repeated } of all) {
    for (const [line, row] of rows) {
      const asked = expectedOf(row, mapping);
      // Mode CREATE makes a record of each row.
      const key = mode === 'CREATE' ? `${keyOf(asked)} ${line}` : keyOf(asked);
      const prior = wanted.get(key) ?? {};
      const filled = Object.entries(asked).filter(([name, cell]) => cell !== '' || prior[name] === undefined);
      wanted.set(key, { ...prior, ...Object.fromEntries(filled), ...addedUp(prior, asked, repeated) });
    }
  }
  return [...wanted.values()];
}

/** Quantity and designators of a line that several rows are added up to. */
function addedUp(prior: Row, asked: Row, repeated: Given['repeated']): Row {
  const isSame = repeated === 'once' && prior.quantity === asked.quantity && prior.refDes === asked.refDes;
  if (repeated === undefined || prior.quantity === undefined || isSame) return {};
  const refDes = prior.refDes ? { refDes: `${prior.refDes},${asked.refDes}` } : {};
  return { quantity: String(Number(prior.quantity) + Number(asked.quantity)), ...refDes };
}

/** What the records of the workspace have of the fields that rows ask for. */
function asWanted(found: readonly Row[], wanted: readonly Row[]): Row[] {
  const asked = new Map(wanted.map((record) => [keyOf(record), record]));
  return found.map((record) =>
    Object.fromEntries(Object.keys(asked.get(keyOf(record)) ?? record).map((name) => [name, record[name] ?? ''])),
  );
}

const cells = (records: readonly Row[]): number =>
  records.flatMap((record) => Object.values(record)).filter((cell) => cell !== '').length;

interface Line {
  readonly item: { readonly number: string };
}

interface Source {
  readonly supplierItem: { readonly number: string; readonly supplier: { readonly name: string } };
}
