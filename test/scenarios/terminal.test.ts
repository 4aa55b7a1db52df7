import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const EVIL = '\u001b[2Jgone\u009b31m\u202etxt\r';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
const SHOWN = '<U+001B>[2Jgone<U+009B>31m<U+202E>txt<U+000D>';

const definition = itemsDefinition('Specs', { Part: 'number', Name: 'name', RoHS: '@RoHS Status' });

test('control characters of manifests, cells, file names and answers never reach the terminal', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml':
      definition +
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'a.csv' }, commit: 'always' }) +
      manifest('UserGroup', 'Quality', { description: EVIL }),
    'manifests/a.csv': `Part,Name,RoHS\nX-1,x,${EVIL.replace('\r', '')}\n`,
  });
  const refused = { do: 'status', status: 400, code: 1, message: `No ${EVIL}` } as const;
  await workspace.arm([{ method: 'POST', path: '/settings/usergroups', times: 'always', ...refused }]);
  const { out, err } = await project.run(['apply', '--yes', '--trace'], workspace.variables);
  expect(out).toContain(`+ description: "${SHOWN}"`);
  expect(out).toContain(`was answered with 400: No ${SHOWN} (1)`);
  expect(out).toContain(`RoHS "${SHOWN.replace('<U+000D>', '')}"`);
  expect(err).toContain('> POST /settings/usergroups');
  expect([CONTROL.test(out), CONTROL.test(err)]).toEqual([false, false]);
  await project.write('manifests/all.yaml', manifest('UserGroup', 'Others', { description: EVIL }));
  const json = await project.run(['plan', '--json'], workspace.variables);
  expect(JSON.parse(json.out).steps[0].fields).toContainEqual({ path: 'description', after: EVIL });
});

test('an error that quotes its input is safe too', async () => {
  const project = await testProject({ 'manifests/all.yaml': manifest('UserGroup', 'Quality', {}) });
  const { code, err } = await project.run(['plan', '--env', EVIL]);
  expect([code, err]).toEqual([3, expect.stringContaining(`The configuration has no environment "${SHOWN}"`)]);
  expect(CONTROL.test(err)).toBe(false);
});

test('a name with control characters is refused', async () => {
  const project = await testProject({ 'manifests/all.yaml': manifest('UserGroup', `Quality${EVIL.trim()}`, {}) });
  const { code, out } = await project.run(['validate']);
  expect([code, out]).toEqual([
    3,
    expect.stringContaining('expected a name without leading or trailing white space and without control characters'),
  ]);
  expect(CONTROL.test(out)).toBe(false);
});

test('a value of 30,000 characters is cut for people, with its length, and whole in JSON', async () => {
  const workspace = await testWorkspace();
  const long = 'x'.repeat(30_000);
  const project = await testProject({ 'manifests/all.yaml': manifest('UserGroup', 'Quality', { description: long }) });
  const { out } = await project.run(['plan'], workspace.variables);
  expect(out).toContain('x ... (30,000 characters in all) ... x');
  expect(out.length).toBeLessThan(2000);
  expect((await project.run(['plan', '--json'], workspace.variables)).out).toContain(long);
});
