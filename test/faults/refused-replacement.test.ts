import { expect, test } from 'vitest';
import { itemsDefinition } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

/** The service refuses the last one: no service has such a mode. */
const parts = (mode: 'EDIT' | 'DELTE'): string =>
  itemsDefinition('Parts', { Part: 'number' }, mode).replace('"name":"Parts"', '"name":"Parts","known":"any"');

/** It is renamed away, its successor is refused and looked for, and it is named back. */
const REQUESTS = ['PUT /imports/* #1', 'POST /imports #1', 'GET /imports #2', 'PUT /imports/* #2'];
const FAULTS = ['killed before', 'killed after', 'cut before', 'cut after', 'answered 500 after'] as const;

test.each(
  sample(
    REQUESTS.flatMap((request) => FAULTS.map((fault) => ({ request, fault }))),
    2,
  ),
)(
  'a refused replacement leaves the old object in service, at last by the next apply: $request $fault',
  async (striking) => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/parts.yaml': parts('EDIT') });
    const run = (...args: string[]) => project.run(args, workspace.variables);
    const names = async () => (await workspace.pages('/imports')).map(({ guid, name }) => [name, guid]);
    expect((await run('apply', '--yes')).code).toBe(0);
    const before = await names();
    await project.write('manifests/parts.yaml', parts('DELTE'));

    expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);

    await run('apply', '--yes');
    expect(await names()).toEqual(before);
    await project.write('manifests/parts.yaml', parts('EDIT'));
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
  },
);
