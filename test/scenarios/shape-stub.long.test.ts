import { expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { ShapeStub } from '../harness/shape-stub.js';
import { testProject } from '../harness/test-project.js';

const CASES = (['all', 'fewest'] as const).flatMap((keys) => [20, 12, 32].map((guidLength) => ({ keys, guidLength })));

const ALREADY = 'name 20773';

/** Commands in the order in which they run, with the exit code of each and a part of what it prints. */
const COMMANDS: readonly (readonly [code: number, says: string, ...args: string[]])[] = [
  [0, 'OutboundIntegration  yes', 'env', 'check'],
  [0, 'keeps no log of requests', 'quota'],
  [0, 'TrainingPlan (3)', 'get', 'all'],
  [0, 'kind: UserGroup', 'get', 'UserGroup', '-o', 'yaml'],
  [0, '24 objects without an owner', 'orphans'],
  [4, 'Plan: 4 to create, 1 to import, 1 manual.', 'plan'],
  [0, 'Objects: 24 added.', 'pull'],
  [4, 'Plan: 4 to create, 24 to adopt, 1 to import, 1 manual.', 'plan'],
  [4, 'no endpoint to create UserGroup/Ours', 'apply', '--yes'],
  [2, 'Supplier/Ours  renamed', 'drift'],
  [0, '3 unreconciled events', 'events', 'list', ALREADY],
  [0, 'name 680', 'get', 'ExtractDefinition'],
  [1, '', 'exports', 'run', 'name 15533', '--out', 'export'],
  [1, '', 'extracts', 'run', 'name 680', '--out', 'extract'],
  [0, 'apply', 'history'],
  [0, 'UserGroup/name 14208', 'describe', 'UserGroup/name 14208'],
  [2, 'only in remote', 'diff', 'remote', 'local'],
];

test.each(CASES)(
  'each command knows what to do with answers of the published forms: $keys keys, GUIDs of $guidLength',
  async ({ keys, guidLength }) => {
    const stub = new ShapeStub({ keys, guidLength });
    const url = await stub.listen();
    atEnd(() => stub.close());
    const { run } = await testProject({
      'manifests/settings.yaml': [
        manifest('UserGroup', 'Ours', { description: 'x', members: [] }),
        manifest('Trigger', 'Ours', { resource: 'CHANGE', action: 'CREATE' }),
        ...['ExportDefinition', 'Supplier'].map((kind) => manifest(kind, 'Ours')),
      ].join(''),
      'manifests/import.yaml':
        itemsDefinition('Ours') + manifest('Import', 'Load', { definition: 'Ours', source: { file: '../parts.csv' } }),
      'parts.csv': 'Part,Name\nX-1,One\n',
    });
    const variables = {
      ...{ DEXSYNC_ENV: 'remote', DEXSYNC_REMOTE_PROFILE: 'arena', TEST_URL: url },
      ...{ DEXSYNC_REMOTE_EMAIL: 'ada@example.com', DEXSYNC_REMOTE_PASSWORD: 'x' },
    };
    for (const [code, says, ...command] of COMMANDS) {
      const { out, err, code: ended } = await run(command, variables);
      expect([command.join(' '), ended, out + err]).toEqual([command.join(' '), code, expect.stringContaining(says)]);
    }
  },
);
