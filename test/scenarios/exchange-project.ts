import { expect } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

export const DIALECTS: readonly string[] = ['reference', 'arena'];

const ITEMS = itemsDefinition('Items', {
  Part: 'number',
  Name: 'name',
  Text: 'description',
  Category: 'category.path',
});

/** Names with everything that CSV has to quote. */
export const NAMES = ['Plain', 'Comma, "quoted"', 'Ümlaut – ✓', 'Last'];

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const items = (prefix: string, names: readonly string[], text = 'Two\nlines, "each"'): string =>
  `Part,Name,Text,Category\n${names.map((name, index) => `${prefix}-${index + 1},${cell(name)},${cell(text)},Item\\Resistor\n`).join('')}`;

/** A workspace of a dialect with a few items, an export definition with criteria, one without, and an extract. */
export async function exchangeProject(
  dialect: string,
  args: readonly string[] = [],
): Promise<{ workspace: TestWorkspace; project: TestProject; extract: string }> {
  const workspace = await testWorkspace(args, dialect);
  const extract = 'Nightly extract';
  const project = await testProject({
    'manifests/items.yaml': ITEMS,
    'manifests/exports.yaml':
      manifest('ExportDefinition', 'Parts', {
        options: { exportViews: ['SPECS', 'BOM'], bomLevels: 'SINGLE' },
        criteria: [[{ apiName: 'number', operator: 'STARTS_WITH', value: 'P-' }]],
      }) + manifest('ExportDefinition', 'Any', { options: { exportViews: ['SPECS'] } }),
    // The arena dialect has one already: people make it in the service's own pages.
    ...(dialect === 'arena' ? {} : { 'manifests/extract.yaml': manifest('ExtractDefinition', extract, {}) }),
    'parts.csv': items('P', NAMES) + items('X', ['Other']).split('\n').slice(1).join('\n'),
  });
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, '']);
  const imported = await project.run(['import', 'parts.csv', '--definition', 'Items'], workspace.variables);
  expect([imported.code, imported.err], imported.out).toEqual([0, '']);
  return { workspace, project, extract };
}
