import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

// A schema is compiled into code from text, which Node refuses here.
const NO_COMPILER = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };

test('the built program compiles no schema: not to read manifests, plans, journals or reviews', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/groups.yaml': manifest('UserGroup', 'Quality', { description: 'Reviews' }),
  });
  const { variables } = workspace;
  const run = (...args: string[]) => finished(project.start(args, { ...variables, ...NO_COMPILER }));
  for (const args of [
    ['validate'],
    ['plan', '--out', 'plan.json'],
    ['show', 'plan.json'],
    ['apply', 'plan.json', '--yes'],
    ['history'],
    ['plan', '--out', 'ledger:next'],
    ['plan', 'review', 'ledger:next', '--approve'],
    ['show', 'ledger:next'],
    ['drift'],
  ]) {
    const { code, err } = await run(...args);
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
  }
});
