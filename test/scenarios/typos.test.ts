import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const GOOD = itemsDefinition('Parts');

test.each([
  ['mode', GOOD.replace('"OVERWRITE"', '"OVERWRTE"'), 'OVERWRITE'],
  ['a mapped field', GOOD.replace('"apiName":"name"', '"apiName":"nmae"'), 'name'],
])('a typo in %s leaves the live definition in service', async (_, typed, meant) => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/parts.yaml': GOOD });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  const before = await workspace.pages('/imports');
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  const sent = await writes();
  await project.write('manifests/parts.yaml', typed);
  for (const command of [['validate'], ['render'], ['plan'], ['drift'], ['apply', '--yes']]) {
    const { code, out, err } = await run(...command);
    expect([command, code, out + err]).toEqual([command, 3, expect.stringContaining(`Write "${meant}".`)]);
  }
  expect(await workspace.pages('/imports')).toEqual(before);
  expect(await writes()).toBe(sent);
});

/** Stands before a service that comes to know a value which dexsync does not, and which is nearly one that it does. */
async function ofAnotherRelease(url: string) {
  let isNew = false;
  const proxy = await alteringProxy(url, ({ method, path }, { body }) =>
    isNew && method === 'GET' && path.startsWith('/imports')
      ? { body: Buffer.from(String(body).replaceAll('"EDIT"', '"EDITS"')) }
      : undefined,
  );
  return {
    url: proxy,
    update: () => {
      isNew = true;
    },
  };
}

describe('a live value does not count as a typo', () => {
  const parts = (mode: string): string => itemsDefinition('Parts', { Part: 'number' }, mode);

  test('and pull writes it with `known: any`, also into an existing manifest; the plan asks for nothing', async () => {
    const workspace = await testWorkspace();
    const service = await ofAnotherRelease(workspace.url);
    const project = await testProject({ 'manifests/parts.yaml': parts('EDIT') });
    const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: service.url });
    expect((await run('apply', '--yes')).code).toBe(0);
    service.update();

    expect(await run('pull', '--kind', 'ImportDefinition')).toMatchObject({ code: 0 });
    expect(await project.read('manifests/parts.yaml')).toMatch(/known: any[\s\S]*"mode": "EDITS"/);
    expect(await run('validate')).toMatchObject({ code: 0 });

    await project.write('manifests/parts.yaml', `# kept\n${parts('EDITS')}`);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await run('pull', '--kind', 'ImportDefinition')).toMatchObject({ code: 0 });
    expect(await project.read('manifests/parts.yaml')).toMatch(/^# kept\n.*known: any/);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

    await project.write('manifests/parts.yaml', '');
    expect(await run('pull', '--kind', 'ImportDefinition')).toMatchObject({ code: 0 });
    expect(await project.read('manifests/import-definitions.yaml')).toMatch(
      /name: Parts\n {2}known: any\nspec:[\s\S]*mode: EDITS/,
    );
    expect(await run('validate')).toMatchObject({ code: 0 });
    expect((await run('get', 'ImportDefinition', 'Parts', '-o', 'yaml')).out).toContain('known: any');
  });

  test('and promote carries it', async () => {
    const { dev, project, variables } = await pairProject({ files: { 'manifests/parts.yaml': parts('EDIT') } });
    const service = await ofAnotherRelease(dev.url);
    const run = (...args: string[]) => project.run(args, { ...variables, DEV_URL: service.url });
    expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
    service.update();
    const planned = await run('promote', '--from', 'dev', '--to', 'prod', '--out', 'p.json');
    expect(planned, planned.err).toMatchObject({ code: 0, out: expect.stringContaining('EDITS') });
  });
});
