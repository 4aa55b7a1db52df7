import { expect, test } from 'vitest';
import { mistakesInLine } from '../harness/event-lines.js';
import { linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { exchangeProject } from './exchange-project.js';

/** The types of the lines that a command printed; each is as `schema/events.json` says. */
function typesOf(out: string): string[] {
  const lines = linesOf(out);
  expect(lines.map(mistakesInLine).filter((mistake) => mistake !== null)).toEqual([]);
  return [...new Set(lines.map(({ type }) => type))];
}

const definition = manifest('ImportDefinition', 'Parts', {
  resource: 'ITEM_SPECS',
  mode: 'OVERWRITE',
  options: {
    mapping: [
      { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' },
      { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
      { resource: 'ITEM_SPECS', apiName: 'standardCost', sourceName: 'Cost' },
    ],
  },
});

test('lines of apply and import follow the schema, failed rows, findings and errors among them', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': definition + manifest('UserGroup', 'Quality', { members: ['ada@example.com', 'new'] }),
    'bad.csv': 'Part,Name,Cost\nX-1,one,1\nX-2,,2\nX-3,three,"1,5"\n',
    'strange.csv': 'Part,Name,Cost\nX-1,one,1\nX-1,two,2\n,none,3\n',
  });
  const run = async (...args: string[]) => {
    const { code, out } = await project.run([...args, '--json'], workspace.variables);
    return [code, typesOf(out)] as const;
  };
  expect(await run('apply', '--yes')).toEqual([3, expect.arrayContaining(['read', 'diagnostic', 'error', 'summary'])]);
  await project.write('manifests/all.yaml', definition + manifest('UserGroup', 'Quality', {}));
  expect(await run('apply', '--yes')).toEqual([0, expect.arrayContaining(['read', 'plan', 'step', 'summary'])]);
  expect(await run('apply', '--yes', '--only', 'Nothing')).toEqual([3, expect.arrayContaining(['error', 'summary'])]);
  const committed = await run('import', 'bad.csv', '--definition', 'Parts', '--commit', 'always');
  expect(committed).toEqual([8, expect.arrayContaining(['plan', 'import', 'rows', 'step', 'summary'])]);
  expect(await run('import', 'bad.csv', '--definition', 'Parts', '--commit', 'always')).toEqual([
    0,
    expect.arrayContaining(['settled', 'summary']),
  ]);
  const strange = await run('import', 'strange.csv', '--definition', 'Parts');
  expect(strange).toEqual([expect.any(Number), expect.arrayContaining(['findings', 'summary'])]);
  expect(await run('forget', 'UserGroup/Quality')).toEqual([0, ['plan', 'step', 'summary']]);
});

test('lines of an export follow the schema', async () => {
  const { project, workspace } = await exchangeProject('reference');
  const { code, out } = await project.run(['exports', 'run', 'Parts', '--out', 'out', '--json'], workspace.variables);
  expect([code, typesOf(out)]).toEqual([0, expect.arrayContaining(['transfer', 'transferred', 'summary'])]);
});
