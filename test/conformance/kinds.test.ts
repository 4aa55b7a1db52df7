import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { builtIn } from '#core/catalog.js';
import { kindsReferredTo } from '#core/engine/references.js';
import type { Kind } from '#core/model/kind.js';
import type { Profile } from '#service/profiles/profile.js';
import { PROFILES } from '#service/profiles/profiles.js';
import { applyFresh } from '../harness/fresh-plan.js';
import { sample } from '../harness/sample.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { capabilityOf } from './kinds-table.js';

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

/** What the imports of the examples read. */
const dataOf = (name: string): string[] =>
  readdirSync(`examples/${name}/data`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replace('examples/', '')}/${entry.name}`);

const examples = folder('examples/kinds').flatMap(read);

async function exampleProject(
  name: string,
  profile: Profile,
): Promise<{ project: TestProject; workspace: TestWorkspace }> {
  const project = await testProject();
  for (const part of [
    'quickstart/data/parts.csv',
    'quickstart/data/bom.csv',
    ...dataOf('kinds'),
    ...folder(`examples/${name}`).map((file) => file.replace('examples/', '')),
  ]) {
    await project.write(`manifests/${part}`, readFileSync(`examples/${part}`));
  }
  return { project, workspace: await testWorkspace([], profile.name) };
}

const writes = (entries: readonly { method: string }[]): unknown[] => entries.filter(({ method }) => method !== 'GET');

/** The plan is empty but for what is left to a person, and neither it nor another apply sends a write. */
async function expectNothingToDo(project: TestProject, workspace: TestWorkspace): Promise<void> {
  const before = (await workspace.usage()).length;
  const quiet = ['--manual', 'warn'];
  const plan = await project.run(['plan', '--json', '--detailed-exitcode', ...quiet], workspace.variables);
  const left = JSON.parse(plan.out).steps.filter(({ action }: { action: string }) => action !== 'manual');
  expect([plan.code, left]).toEqual([0, []]);
  const again = await project.run(['apply', '--yes', ...quiet], workspace.variables);
  expect([again.code, again.err]).toEqual([0, '']);
  expect(writes((await workspace.usage()).slice(before))).toEqual([]);
}

const everywhere = PROFILES.flatMap((profile) =>
  ['kinds', 'quickstart'].map((name) => [name, profile.name, profile] as const),
);

describe.each(everywhere)('examples/%s in the profile %s', (name, _, profile) => {
  test('applies, and then the plan is empty and sends no write; a second apply sends none', async () => {
    const { project, workspace } = await exampleProject(name, profile);
    const planned = await project.run(['plan', '--manual', 'warn'], workspace.variables);
    expect([planned.code, writes(await workspace.usage())]).toEqual([0, []]);
    const applied = await project.run(['apply', '--yes', '--manual', 'warn'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    await expectNothingToDo(project, workspace);
  });
});

describe.each([...builtIn.kinds, ...builtIn.jobs])('$name', ({ name, schema }) => {
  const own = examples.filter(({ kind }) => kind === name);

  test('has an example that names every field', () => {
    const named = new Set(own.flatMap(({ spec }) => Object.keys(spec)));
    const missing = Object.keys(schema.properties).filter((field) => !named.has(field));
    expect([own.length > 0, missing.filter((field) => field !== 'after')]).toEqual([true, []]);
  });
});

test.each([...builtIn.kinds, ...builtIn.checked, ...builtIn.jobs])(
  '$name describes itself and each of its fields',
  ({ schema, summary }) => {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    const silent = Object.entries(schema.properties as Record<string, { description?: string }>).filter(
      ([, { description }]) => !description,
    );
    expect(silent.map(([field]) => field)).toEqual([]);
  },
);

const created = PROFILES.flatMap((profile) =>
  builtIn.kinds
    .filter((kind) => capabilityOf(profile, kind).create)
    .map((kind) => [kind.name, profile.name, kind, profile] as const),
);

/** What the examples of a kind refer to, so that each can be applied alone. */
function neededBy({ schema, children }: Kind): Example[] {
  const referredTo = new Set([...kindsReferredTo(schema), ...Object.values(children).flatMap(({ ref }) => ref ?? [])]);
  const managed = builtIn.kinds.filter(({ name }) => referredTo.has(name));
  return examples.filter(({ kind }) => managed.some(({ name }) => name === kind));
}

describe.each(sample(created, 4))('%s in the profile %s', (name, _, kind, profile) => {
  const example = examples.find((one) => one.kind === name) as Example;
  const can = capabilityOf(profile, kind);
  const needed = neededBy(kind);
  const text = (of: Pick<Example, 'kind' | 'spec'>, metadata: object): string =>
    JSON.stringify({
      apiVersion: 'dexsync/v1',
      kind: of.kind,
      metadata: { ...metadata, protect: false },
      spec: of.spec,
    });
  const one = (spec: object, metadata: object = example.metadata): string =>
    text({ kind: name, spec: spec as Example['spec'] }, metadata);

  const started = async () => {
    const workspace = await testWorkspace([], profile.name);
    const others = needed.map((other, index) => [`manifests/needed-${index}.yaml`, text(other, other.metadata)]);
    const project = await testProject({ 'manifests/one.yaml': one(example.spec), ...Object.fromEntries(others) });
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    return { workspace, project };
  };

  const changed = async (spec: object, metadata?: object) => {
    const { workspace, project } = await started();
    await project.write('manifests/one.yaml', one(spec, metadata));
    const plan = JSON.parse((await project.run(['plan', '--json'], workspace.variables)).out);
    const applied = await project.run(['apply', '--yes', '--manual', 'warn'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    await expectNothingToDo(project, workspace);
    return plan.steps.map(({ action }: { action: string }) => action);
  };

  /** A field that every update takes, and another value of it. */
  const [field, value] = can.update.includes('description') ? ['description', 'changed'] : ['enabled', false];

  test.runIf(can.update.includes(field))('a field that the service can update is updated', async () => {
    expect(await changed({ ...example.spec, [field]: value })).toEqual(['update']);
  });

  test.runIf(can.update.includes('description'))(
    'an omitted field keeps its value, and a null one is cleared',
    async () => {
      const { description: _gone, ...rest } = example.spec;
      expect(await changed(rest)).toEqual([]);
      expect(await changed({ ...rest, description: null })).toEqual(['update']);
    },
  );

  test.runIf(can.update.includes('name'))('a rename renames the object', async () => {
    const metadata = { name: 'Another name', renamedFrom: example.metadata.name };
    expect(await changed(example.spec, metadata)).toEqual(['rename']);
  });

  test.runIf(can.update.length === 0 && 'description' in kind.schema.properties)(
    'a change that the service cannot make is left to a person',
    async () => {
      expect(await changed({ ...example.spec, description: 'changed' })).toEqual(['manual']);
    },
  );

  test('a new saved plan is not stale: one that creates, replaces, renames, adopts, deletes', async () => {
    const workspace = await testWorkspace([], profile.name);
    const others = needed.map((other, index) => [`manifests/needed-${index}.yaml`, text(other, other.metadata)]);
    const files = { 'manifests/one.yaml': one(example.spec), ...Object.fromEntries(others) };
    const [first, second] = [await testProject(files), await testProject(files)];
    const actionsOf = async (project: TestProject, ...options: readonly string[]): Promise<string[]> => {
      const { steps } = await applyFresh(project, workspace.variables, 'plan', ...options);
      return steps.map(({ action }: { action: string }) => action);
    };
    expect(await actionsOf(first)).toContain('create');
    await actionsOf(first, '--replace', `${name}/${example.metadata.name}`);
    expect(await actionsOf(second, '--adopt')).toContain('adopt');
    await first.write('manifests/one.yaml', one(example.spec, { name: 'Another', renamedFrom: example.metadata.name }));
    await actionsOf(first);
    await first.write('manifests/one.yaml', '');
    await actionsOf(first, '--prune', '--allow', 'empty-input');
  });

  test('get gives a manifest that plans nothing', async () => {
    const { workspace } = await started();
    const files = await Promise.all(
      [example, ...needed].map(async (of, index) => {
        const args = ['get', of.kind, of.metadata.name, '-o', 'yaml'];
        const { out } = await (await testProject()).run(args, workspace.variables);
        return [`manifests/${index}.yaml`, out];
      }),
    );
    const copy = await testProject(Object.fromEntries(files));
    const plan = await copy.run(['plan', '--adopt', 'never', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.err]).toEqual([0, '']);
  });

  test('an object that already matches is adopted unchanged, and only once', async () => {
    const { workspace, project } = await started();
    const others = needed.map((other, index) => [`manifests/needed-${index}.yaml`, text(other, other.metadata)]);
    const files = { 'manifests/one.yaml': await project.read('manifests/one.yaml'), ...Object.fromEntries(others) };
    const other = await testProject(files);
    const before = (await workspace.usage()).length;
    const count = 1 + needed.length;
    const apply = await other.run(['apply', '--adopt', '--yes'], workspace.variables);
    expect([apply.code, apply.out]).toEqual([0, expect.stringContaining(`${count} to adopt`)]);
    expect(writes((await workspace.usage()).slice(before))).toEqual([]);
    const plan = await other.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining(`${count} unchanged`)]);
  });
});
