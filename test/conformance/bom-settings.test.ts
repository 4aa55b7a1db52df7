import { describe, expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { type Fault, runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const AUTOMATIC = { automaticallyGenerateLineNumbers: true };
const GIVEN = { automaticallyGenerateLineNumbers: false, checkReferenceDesignators: true };

/** Makes an item, and gives the path of the settings of its BOM. */
async function itemOn(workspace: TestWorkspace, number: string): Promise<string> {
  const categories = await workspace.call('GET', '/settings/items/categories');
  const category = categories.body.results.find(({ assignable }: { assignable: boolean }) => assignable);
  const { status, body } = await workspace.call('POST', '/items', {
    name: number,
    number,
    category: { guid: category.guid },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return `/items/${body.guid}/bom/settings`;
}

async function scene(dialect = 'reference') {
  const workspace = await testWorkspace([], dialect);
  const path = await itemOn(workspace, 'A-1');
  const project = await testProject();
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const write = (...texts: string[]) => project.write('manifests/all.yaml', texts.join(''));
  const now = async () => (await workspace.call('GET', path)).body;
  const requests = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = (await workspace.usage()).length;
    await act();
    const all = (await workspace.usage()).slice(before);
    return all
      .map(({ method, path: at }) => `${method} ${at.replaceAll(/\b[A-Z0-9]{20}\b/g, '*')}`)
      .filter((request) => !/\/log(in|out)$/.test(request));
  };
  const expectNothingToDo = async (): Promise<void> => {
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
    expect((await requests(() => run('apply', '--yes'))).filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect(await run('drift')).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
  };
  return { workspace, project, path, run, write, now, requests, expectNothingToDo };
}

const settings = (name: string, spec: object): string => manifest('BomSettings', name, spec);

describe.each(['reference', 'arena'])('settings of BOMs, dialect %s', (dialect) => {
  test('they are set by one request, after two for each item that a manifest names; what is not named stays', async () => {
    const { write, run, now, requests, expectNothingToDo } = await scene(dialect);
    expect(await now()).toEqual(GIVEN);
    await write(settings('A-1', AUTOMATIC));
    let plan = { requests: {} };
    const read = await requests(async () => {
      plan = JSON.parse((await run('plan', '--json')).out);
    });
    expect(read).toEqual([expect.stringContaining('GET /items?number=A-1'), 'GET /items/*/bom/settings']);
    expect(plan.requests).toMatchObject({ used: 2, apply: { min: 1, max: 1 } });
    const sent = await requests(async () => expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' }));
    expect(sent.filter((one) => !one.startsWith('GET '))).toEqual(['PUT /items/*/bom/settings']);
    expect(await now()).toEqual({ ...GIVEN, ...AUTOMATIC });
    await expectNothingToDo();
  });

  test('what somebody changed is drift, also where no manifest names it; an apply puts it back', async () => {
    const { workspace, path, write, run, now, expectNothingToDo } = await scene(dialect);
    await write(settings('A-1', AUTOMATIC));
    expect((await run('apply', '--yes')).code).toBe(0);
    await workspace.call('PUT', path, { automaticallyGenerateLineNumbers: false, checkReferenceDesignators: false });
    const { code, out } = await run('drift');
    expect([code, out]).toEqual([2, expect.stringContaining('automaticallyGenerateLineNumbers: true -> false')]);
    expect(out).toContain('checkReferenceDesignators: true -> false');
    await write(settings('A-1', { ...AUTOMATIC, checkReferenceDesignators: true }));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await now()).toEqual({ ...GIVEN, ...AUTOMATIC });
    await expectNothingToDo();
  });

  test('without their manifest they are only forgotten', async () => {
    const { write, run, now, requests, expectNothingToDo } = await scene(dialect);
    await write(settings('A-1', AUTOMATIC));
    expect((await run('apply', '--yes')).code).toBe(0);
    await write();
    expect((await run('plan', '--allow', 'empty-input')).out).toContain('BomSettings/A-1');
    const sent = await requests(() => run('apply', '--yes', '--prune', '--allow', 'empty-input'));
    expect(sent.filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect(await now()).toEqual({ ...GIVEN, ...AUTOMATIC });
    await write(settings('A-1', AUTOMATIC));
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
    await expectNothingToDo();
    expect(await run('destroy', '--yes', '--confirm', 'Embedded Workspace')).toMatchObject({ code: 0 });
    expect(await now()).toEqual({ ...GIVEN, ...AUTOMATIC });
  });

  test('pull and get read those that are named, and the plan of them is empty', async () => {
    const { workspace, run, requests } = await scene(dialect);
    await itemOn(workspace, 'A-2');
    const other = await testProject();
    const on = (...args: string[]) => other.run(args, workspace.variables);
    const read = await requests(() => on('pull', '--kind', 'BomSettings', '--name', 'A-1', '--adopt'));
    expect(read).toHaveLength(2);
    expect((await on('plan', '--detailed-exitcode')).out).toContain('1 unchanged');
    expect(await requests(() => on('pull', '--kind', 'BomSettings'))).toHaveLength(2);
    expect((await on('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('get', 'BomSettings', 'A-2', '-o', 'yaml')).out).toContain('checkReferenceDesignators: true');
    expect(await requests(() => on('pull'))).not.toContainEqual(expect.stringContaining('bom/settings'));
  });

  test('those of an item that is not there wait for it', async () => {
    const { workspace, write, run, expectNothingToDo } = await scene(dialect);
    await write(settings('B-1', AUTOMATIC));
    expect(await run('plan')).toMatchObject({
      code: 4,
      out: expect.stringContaining('no object with the number "B-1"'),
    });
    await itemOn(workspace, 'B-1');
    expect((await run('apply', '--yes')).code).toBe(0);
    await expectNothingToDo();
  });
});

const LOST: readonly Fault[] = [
  'killed before',
  'killed after',
  'cut after',
  'answered 500 after',
  'answered 401 after',
];

test.each(LOST)('settings whose request is %s are set by the next apply', async (fault) => {
  const { workspace, project, write, run, now, expectNothingToDo } = await scene();
  await write(settings('A-1', AUTOMATIC));
  const striking = { request: 'PUT /items/*/bom/settings #1', fault };
  expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);
  expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
  expect(await now()).toEqual({ ...GIVEN, ...AUTOMATIC });
  await expectNothingToDo();
});

test('settings are compared and promoted by name', async () => {
  const { run, project, dev, prod } = await pairProject();
  await itemOn(dev, 'A-1');
  const path = await itemOn(prod, 'A-1');
  await project.write('manifests/a.yaml', settings('A-1', AUTOMATIC));
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const compare = () => run('diff', '--from', 'dev', '--to', 'prod', 'BomSettings/A-1');
  expect(await compare()).toMatchObject({ code: 2, out: expect.stringContaining('false -> true') });
  expect((await run('promote', '--from', 'dev', '--to', 'prod', '--out', 'plan.json')).code).toBe(0);
  expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, err: '' });
  expect((await prod.call('GET', path)).body).toMatchObject(AUTOMATIC);
  expect((await compare()).code).toBe(0);
});
