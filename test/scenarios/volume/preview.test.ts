import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../../harness/manifest.js';
import { peakIn, TELL_PEAK } from '../../harness/peak-memory.js';
import { IS_WHOLE } from '../../harness/sample.js';
import { finished, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';

const ASSEMBLIES = 5000;
const LINES = 100;
const PARTS = 100_000;
const COUNT = ASSEMBLIES * LINES;

/** As many requests as six export runs of both tables take, with their definitions, polls and files (wire-facts 5). */
const MOST_REQUESTS = 12;
const MOST_MEGABYTES = 400;
const MINUTE = 60_000;

const items = (): string => {
  const numbers = [
    ...Array.from({ length: ASSEMBLIES }, (_, at) => `A-${at}`),
    ...Array.from({ length: PARTS }, (_, at) => `P-${at}`),
  ];
  return `Part,Name\n${numbers.map((number) => `${number},part ${number}\n`).join('')}`;
};

/** A week later, of ten lines one has another quantity, and one another part. */
function lines(week: 'first' | 'second'): string {
  const rows: string[] = ['Parent,Child,Qty\n'];
  for (let at = 0; at < COUNT; at += 1) {
    const [assembly, line] = [Math.floor(at / LINES), at % LINES];
    const isOther = week === 'second' && at % 10 === 5;
    const part = (assembly * 7919 + line * 2 + (isOther ? 1 : 0)) % PARTS;
    const quantity = 1 + (at % 9) + (week === 'second' && at % 10 === 3 ? 1 : 0);
    rows.push(`A-${assembly},P-${part},${quantity}\n`);
  }
  return rows.join('');
}

const DEFINITIONS =
  itemsDefinition('Items') +
  manifest('Import', 'Items', { definition: 'Items', source: { file: '../items.csv' } }) +
  manifest('ImportDefinition', 'Lines', {
    resource: 'ITEM_BOM',
    mode: 'OVERWRITE',
    options: {
      mapping: Object.entries({ Parent: 'number', Child: 'item.number', Qty: 'quantity' }).map(
        ([sourceName, apiName]) => ({ resource: 'ITEM_BOM', apiName, sourceName }),
      ),
    },
  }) +
  manifest('Import', 'BOM', { definition: 'Lines', source: { file: '../bom.csv' }, send: 'changed' });

test.skipIf(!IS_WHOLE)(
  'many lines are compared by a handful of requests and in flat memory, and only different ones are sent',
  async () => {
    const workspace = await testWorkspace(['--quota', '1000000']);
    const project = await testProject({
      'manifests/m.yaml': DEFINITIONS,
      'items.csv': items(),
      'bom.csv': lines('first'),
    });
    const run = async (...args: string[]) => {
      const { code, out, err } = await finished(project.start(args, { ...workspace.variables, ...TELL_PEAK }));
      const peak = peakIn(err);
      expect([code, peak.err]).toEqual([0, '']);
      return { out, megabytes: peak.megabytes };
    };
    await run('apply', '--yes', '--json', '--preview', 'none');
    await project.write('bom.csv', lines('second'));

    const { out, megabytes } = await run('plan', '--json', '--preview', 'full');
    const step = JSON.parse(out).steps.find(({ address }: { address: string }) => address === 'Import/BOM');
    const tenth = COUNT / 10;
    expect(step.preview).toMatchObject({
      with: 'workspace',
      counts: { new: tenth, changed: tenth, cells: tenth, unchanged: COUNT - 2 * tenth, gone: tenth, notCompared: 0 },
    });
    expect(step.preview.rows).toHaveLength(3 * tenth);
    expect(step.preview.requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);
    console.info(`${COUNT} lines compared by ${step.preview.requests} requests, ${megabytes} MB.`);

    const applied = await run('apply', '--yes', '--json', '--preview', 'full');
    const events = applied.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === 'rows')?.outcome).toMatchObject({ succeeded: 2 * tenth, failed: 0 });
    expect((await run('plan', '--detailed-exitcode')).out).toContain('No changes.');
  },
  30 * MINUTE,
);
