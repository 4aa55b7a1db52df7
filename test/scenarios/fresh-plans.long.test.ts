import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { digest } from '#core/engine/normal-form.js';
import { PROFILES } from '#service/profiles/profiles.js';
import { capabilityOf } from '../conformance/kinds-table.js';
import { pairProject } from '../harness/environment-pair.js';
import { applyFresh, succeed } from '../harness/fresh-plan.js';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const DIALECTS = PROFILES.map(({ name }) => name);

const entry = (field: object, sourceName: string) => ({ resource: 'ITEM_SPECS', ...field, sourceName });

const MAPPING = [
  entry({ apiName: 'number' }, 'Part'),
  entry({ apiName: 'name' }, 'Name'),
  entry({ attribute: 'RoHS Status' }, 'RoHS'),
];

const definition = (options: object, metadata = {}): string =>
  manifest('ImportDefinition', 'Parts', { resource: 'ITEM_SPECS', mode: 'OVERWRITE', options }, metadata);

const inCapitals = MAPPING.map((one) => ({ ...one, sourceName: one.sourceName.toUpperCase() }));

/** One definition, which nobody touches, as manifests may say it or not. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  'as it was created': definition({ mapping: MAPPING }),
  'in no manifest': '',
  'in another order': definition({ mapping: MAPPING.toReversed() }),
  'in capitals': definition({ mapping: inCapitals }),
  'without its mapping': definition({ matchDuplicates: 'ERROR' }),
  'with defaults asked for by null': definition({ mapping: MAPPING, removeValue: null, timeZone: null }),
  'with a field that is ignored': definition(
    { mapping: MAPPING, stripWhiteSpace: 'RETAIN' },
    { ignore: ['options.stripWhiteSpace'] },
  ),
};

const WAYS: readonly (readonly string[])[] = [
  [],
  ['--only', 'Import/L'],
  ['--exclude', 'ImportDefinition/Parts'],
  ['--validate-imports'],
];

const IMPORTS: Readonly<Record<string, object>> = {
  'all rows': {},
  'changed rows': { send: 'changed' },
  'a deletion of missing rows': { missing: 'delete', deleteDefinition: 'Removed' },
};

const ROWS = ['Part,Name,RoHS\r\n', 'P-1,One,Compliant\r\n', 'P-2,Two,Exempt\r\n', 'P-3,Three,Compliant\r\n'];
const PARTS = {
  'manifests/p.csv': ROWS.slice(0, 3).join(''),
  'manifests/definition.yaml': definition({ mapping: MAPPING }),
};

const importOf = (spec: object = {}): string =>
  manifest('Import', 'L', { definition: 'Parts', source: { file: 'p.csv' }, ...spec });

const removed = manifest('ImportDefinition', 'Removed', {
  ...{ resource: 'ITEM_SPECS', mode: 'DELETE' },
  options: { mapping: MAPPING.slice(0, 1) },
});

const cases = DIALECTS.flatMap((dialect) =>
  Object.entries(DEFINITIONS).flatMap(([what, text]) =>
    WAYS.flatMap((way) => Object.entries(IMPORTS).map(([how, spec]) => ({ dialect, what, text, way, how, spec }))),
  ),
).filter(({ text, way }) => text !== '' || way[0] !== '--exclude');

describe('a plan of other rows is not stale while its definition stays the same', () => {
  test.each(sample(cases, 4))('$how, dialect $dialect, definition $what, plan $way', async (one) => {
    const { variables } = await testWorkspace([], one.dialect);
    const project = await testProject({ ...PARTS, 'manifests/import.yaml': importOf(one.spec) + removed });
    await succeed(project, variables, 'apply', '--yes');
    await project.write('manifests/definition.yaml', one.text);
    await project.write('manifests/p.csv', ROWS.filter((_, index) => index !== 2).join(''));
    expect((await applyFresh(project, variables, 'plan', ...one.way)).summary.import).toBeGreaterThan(0);
    expect(await succeed(project, variables, 'plan', ...one.way, '--detailed-exitcode')).toContain('No changes');
  });
});

test.each(sample(DIALECTS, 1))(
  'a plan of an older version, which has no fingerprint of the definition, keeps its meaning (%s)',
  async (dialect) => {
    const { variables } = await testWorkspace([], dialect);
    const project = await testProject({ ...PARTS, 'manifests/import.yaml': importOf() });
    await succeed(project, variables, 'apply', '--yes');
    await project.write('manifests/p.csv', ROWS.join(''));
    await succeed(project, variables, 'plan', '--out', 'plan.json');
    const { digest: _, ...plan } = JSON.parse(await project.read('plan.json'));
    delete plan.steps[0].writes[0].request.definition.fingerprint;
    await project.write('plan.json', JSON.stringify({ ...plan, digest: `sha256:${digest(plan)}` }));
    await succeed(project, variables, 'apply', 'plan.json', '--yes');
  },
);

test.each(sample(DIALECTS, 1))(
  'rows stay the same work, no matter what is read beside their definition (%s)',
  async (dialect) => {
    const { variables } = await testWorkspace([], dialect);
    const project = await testProject({ ...PARTS, 'manifests/import.yaml': importOf() });
    const isSettled = async () =>
      expect(await succeed(project, variables, 'plan', '--only', 'Import/L')).toContain('No changes');
    await succeed(project, variables, 'apply', '--yes');
    await project.write('manifests/definition.yaml', '');
    await isSettled();
    await succeed(project, variables, 'forget', 'ImportDefinition/Parts');
    await project.write('manifests/p.csv', ROWS.join(''));
    await succeed(project, variables, 'apply', '--yes');
    await project.write(
      'manifests/other.yaml',
      manifest('ImportDefinition', 'Other', { resource: 'ITEM_SPECS', mode: 'EDIT', options: { mapping: MAPPING } }),
    );
    expect(await succeed(project, variables, 'plan')).toContain('Plan: 1 to create, 1 unchanged.');
  },
);

/** What of the examples either side can create. */
const kindsOf = (dialects: readonly string[]): string[] =>
  builtIn.kinds
    .filter((kind) =>
      PROFILES.every((profile) => !dialects.includes(profile.name) || capabilityOf(profile, kind).create),
    )
    .map(({ name }) => name);

/** The name of the example of a kind: `user-group` for `UserGroup`. */
const fileOf = (kind: string): string => kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

const PAIRS = DIALECTS.flatMap((from) => DIALECTS.map((to) => [from, to] as const));

test.each(sample(PAIRS, 2))(
  'a promotion from %s to %s of every kind and of an import is not stale, nor is one of changes',
  async (...dialects) => {
    const files = Object.fromEntries(
      kindsOf(dialects).map((kind) => [
        `manifests/${kind}.yaml`,
        readFileSync(`examples/kinds/${fileOf(kind)}.yaml`, 'utf8'),
      ]),
    );
    const { project, variables } = await pairProject({
      dialects,
      files: { ...files, ...PARTS, 'manifests/import.yaml': importOf() },
    });
    await succeed(project, variables, 'apply', '--env', 'dev', '--yes');
    const promotion = ['promote', '--from', 'dev', '--to', 'prod'];
    await applyFresh(project, variables, ...promotion);
    await applyFresh(project, variables, ...promotion, '--only', 'Import/L');
    await project.write(
      'manifests/definition.yaml',
      definition({ mapping: inCapitals.toReversed(), timeZone: 'Europe/Vienna' }),
    );
    await project.write('manifests/p.csv', ROWS.join(''));
    await succeed(project, variables, 'apply', '--env', 'dev', '--yes');
    await applyFresh(project, variables, ...promotion, '--only', 'Import/L');
  },
);
