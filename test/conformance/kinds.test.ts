import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { catalog } from '../../src/catalog.js';
import { reference } from '../../src/service/profiles/reference.js';
import { type TestProject, type TestWorkspace, testProject, testWorkspace } from '../scenarios/project.js';

interface Example {
  readonly file: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

const read = (file: string): Example[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => ({
    ...(document.toJS() as Omit<Example, 'file'>),
    file,
  }));

const folder = (name: string): string[] =>
  readdirSync(name)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${name}/${file}`);

const examples = folder('examples/kinds').flatMap(read);

async function exampleProject(name: string): Promise<{ project: TestProject; workspace: TestWorkspace }> {
  const project = await testProject();
  for (const part of [
    'quickstart/data/parts.csv',
    'quickstart/data/bom.csv',
    ...folder(`examples/${name}`).map((file) => file.replace('examples/', '')),
  ]) {
    await project.write(`manifests/${part}`, readFileSync(`examples/${part}`));
  }
  return { project, workspace: await testWorkspace() };
}

const writes = (entries: readonly { method: string }[]): unknown[] => entries.filter(({ method }) => method !== 'GET');

async function expectNothingToDo(project: TestProject, workspace: TestWorkspace): Promise<void> {
  const before = (await workspace.usage()).length;
  const plan = await project.run(['plan', '--json', '--detailed-exitcode'], workspace.variables);
  expect([plan.code, JSON.parse(plan.out).steps]).toEqual([0, []]);
  const again = await project.run(['apply', '--yes'], workspace.variables);
  expect([again.code, again.err]).toEqual([0, '']);
  expect(writes((await workspace.usage()).slice(before))).toEqual([]);
}

describe.each(['kinds', 'quickstart'])('examples/%s', (name) => {
  test('apply, and then the plan is empty and sends no write; a second apply sends none', async () => {
    const { project, workspace } = await exampleProject(name);
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    await expectNothingToDo(project, workspace);
  });

  test('a plan changes nothing', async () => {
    const { project, workspace } = await exampleProject(name);
    const planned = await project.run(['plan'], workspace.variables);
    expect(planned.code).toBe(0);
    expect(writes(await workspace.usage())).toEqual([]);
  });
});

describe.each([...catalog.kinds, ...catalog.jobs])('$name', ({ name, schema, summary }) => {
  const own = examples.filter(({ kind }) => kind === name);

  test('has an example that names every field', () => {
    const named = new Set(own.flatMap(({ spec }) => Object.keys(spec)));
    const missing = Object.keys(schema.properties).filter((field) => !named.has(field));
    expect([own.length > 0, missing.filter((field) => field !== 'after')]).toEqual([true, []]);
  });

  test('says what it is, and so does each of its fields', () => {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    const silent = Object.entries(schema.properties as Record<string, { description?: string }>).filter(
      ([, { description }]) => !description,
    );
    expect(silent.map(([field]) => field)).toEqual([]);
  });
});

describe.each(catalog.kinds)('$name in the profile "reference"', ({ name, collection }) => {
  const example = examples.find(({ kind }) => kind === name) as Example;
  const can = reference.collections[collection]?.can;
  const one = (spec: object, metadata: object = example.metadata): string =>
    JSON.stringify({ apiVersion: 'dexsync/v1', kind: name, metadata: { ...metadata, protect: false }, spec });

  const started = async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/one.yaml': one(example.spec) });
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    return { workspace, project };
  };

  const changed = async (spec: object, metadata?: object) => {
    const { workspace, project } = await started();
    await project.write('manifests/one.yaml', one(spec, metadata));
    const plan = JSON.parse((await project.run(['plan', '--json'], workspace.variables)).out);
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    await expectNothingToDo(project, workspace);
    return plan.steps.map(({ action }: { action: string }) => action);
  };

  test('a field that the service updates is updated', async () => {
    expect(can?.update).toContain('description');
    expect(await changed({ ...example.spec, description: 'changed' })).toEqual(['update']);
  });

  test('a field that is left out is left as it is, and one that is null is cleared', async () => {
    const { description: _, ...rest } = example.spec;
    expect(await changed(rest)).toEqual([]);
    expect(await changed({ ...rest, description: null })).toEqual(['update']);
  });

  test('a rename is a rename', async () => {
    const metadata = { name: 'Another name', renamedFrom: example.metadata.name };
    expect(await changed(example.spec, metadata)).toEqual(['rename']);
  });

  test('an object that is as it should be already is taken as it is', async () => {
    const { workspace, project } = await started();
    const other = await testProject({ 'manifests/one.yaml': await project.read('manifests/one.yaml') });
    const plan = await other.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('1 unchanged')]);
  });
});
