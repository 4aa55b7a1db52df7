import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object = {}): string => manifest('UserGroup', name, spec);

const to = (...outputs: string[]): string[] => outputs.flatMap((one) => ['--output', one]);

/** Why a document is not as `schema/` says; null where it is. */
function mistakesIn(schema: string, document: unknown) {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(`schema/${schema}.json`, 'utf8')));
  validate(document);
  return validate.errors ?? null;
}

const ALL = to('md=out/r.md', 'junit=out/r.xml', 'sarif=out/r.sarif', 'gitlab=out/r.gitlab', 'json=out/r.json');

/** A project with a folder for outputs, and a workspace. */
async function stage(files: Readonly<Record<string, string>>) {
  const workspace = await testWorkspace();
  const project = await testProject(files);
  await mkdir(join(project.folder, 'out'));
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const document = async (file: string) => JSON.parse(await project.read(file));
  return { workspace, project, run, document };
}

describe('validate', () => {
  test('with errors writes every file, each with the position, and commands of GitHub on standard output', async () => {
    const project = await testProject({ 'team/manifests/a.yaml': group('Quality', { descripton: 'a' }) });
    await mkdir(join(project.folder, '.git'));
    await project.write('team/sync.config.yaml', await project.read('sync.config.yaml'));
    const line = ['validate', '--config', 'team/sync.config.yaml'];
    const outputs = to('github=-', 'md=v.md', 'junit=v.xml', 'sarif=v.sarif', 'gitlab=v.gitlab', 'json=v.json');
    const { code, out, err } = await project.run([...line, ...outputs]);
    expect(code).toBe(3);
    expect(out).toMatch(
      /^::error file=team\/manifests\/a\.yaml,line=1,col=\d+,title=field-unknown::.*"descripton".*\n$/,
    );
    expect(err).toContain('[MANIFESTS_INVALID, exit 3]');
    expect(await project.read('v.md')).toMatch(
      /^<!-- dexsync validate -->\n## dexsync validate: 1 error\n[\s\S]*<code>team\/manifests\/a\.yaml:1:\d+<\/code>/,
    );
    expect(await project.read('v.xml')).toContain('<testsuite name="team/manifests/a.yaml" package="dexsync.validate"');
    const [{ results }] = JSON.parse(await project.read('v.sarif')).runs;
    expect(results).toMatchObject([
      {
        ruleId: 'field-unknown',
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'team/manifests/a.yaml' }, region: { startLine: 1 } } },
        ],
      },
    ]);
    expect(JSON.parse(await project.read('v.gitlab'))).toMatchObject([{ location: { path: 'team/manifests/a.yaml' } }]);
    const printed = (await project.run([...line, '--json'])).out;
    expect(await project.read('v.json')).toBe(printed);
    expect(mistakesIn('error', JSON.parse(printed))).toBeNull();
    expect((await readdir(project.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('without errors writes the manifests as passed cases', async () => {
    const project = await testProject({ 'manifests/a.yaml': group('Quality') });
    const { code, out } = await project.run(['validate', ...to('junit=v.xml', 'json=v.json')]);
    expect([code, out]).toEqual([0, 'Valid: 1 manifest in 1 file.\n']);
    expect(await project.read('v.xml')).toContain('<testcase name="UserGroup/Quality"');
    expect(await project.read('v.json')).toBe((await project.run(['validate', '--json'])).out);
    expect(mistakesIn('validate', JSON.parse(await project.read('v.json')))).toBeNull();
  });
});

test('plan, apply and drift write changes, a blocked step, and changes from outside', async () => {
  const quality = group('Quality', { description: 'Approves *changes*' });
  const { workspace, project, run, document } = await stage({ 'manifests/a.yaml': quality });
  expect((await run('apply', '--yes', ...ALL)).code).toBe(0);
  expect(await project.read('out/r.md')).toContain('## dexsync apply: 1 done\n');
  const events = linesOf(await project.read('out/r.json'));
  expect(events.at(-1)).toMatchObject({ type: 'summary', exitCode: 0, done: 1 });

  await project.write('manifests/a.yaml', quality.replace('*changes*', '@everyone'));
  await project.write('manifests/b.yaml', group('Sales', { description: 'Sells' }));
  await workspace.call('POST', '/settings/usergroups', { name: 'Sales', assignability: ['CHANGES'] });
  const { code, out } = await run('plan', '--adopt', 'never', ...ALL);
  const markdown = await project.read('out/r.md');
  expect(out).toContain('Plan for environment');
  expect(markdown).toMatch(/^<!-- dexsync plan remote -->\n## dexsync plan: 1 to update/);
  expect(markdown).toContain('\n- description: "Approves *changes*"\n+ description: "Approves @everyone"\n');
  expect(code).toBe(4);
  expect(markdown).toContain('### Blocked, manual and failed steps\n\n- **error** <code>manifests/b.yaml:1:1</code>');
  expect(await project.read('out/r.xml')).toContain('<testcase name="UserGroup/Sales"');
  expect(await document('out/r.json')).toMatchObject({ format: 'dexsync-plan/1', summary: { update: 1, blocked: 1 } });
  expect(mistakesIn('plan', await document('out/r.json'))).toBeNull();
  const [{ results }] = (await document('out/r.sarif')).runs;
  expect(results).toMatchObject([{ level: 'error', message: { text: expect.stringContaining('UserGroup/Sales') } }]);

  await workspace.call('PUT', `/settings/usergroups/${(await run('output', 'UserGroup/Quality')).out.trim()}`, {
    ...{ name: 'Quality', description: '<b>Mine</b>', assignability: ['CHANGES'] },
  });
  const drifted = await run('drift', ...to('md=-', 'junit=out/d.xml', 'gitlab=out/d.json', 'json=out/r.json'));
  expect(drifted.code).toBe(2);
  expect(drifted.out).toMatch(/^<!-- dexsync drift remote -->\n## dexsync drift: 1 object changed outside\n/);
  expect(drifted.out).toContain('\n+ description: "<b>Mine</b>"\n');
  expect(drifted.err).toContain('1 object has changed outside dexsync.');
  expect(await project.read('out/d.xml')).toContain('failures="1"');
  expect(await document('out/d.json')).toMatchObject([
    { check_name: 'drift-changed', location: { path: 'manifests/a.yaml', lines: { begin: 1 } } },
  ]);
  expect(await document('out/r.json')).toMatchObject({ objects: [{ address: 'UserGroup/Quality' }] });
  expect(mistakesIn('drift', await document('out/r.json'))).toBeNull();
});

test('an import with refused rows writes each at its row, their causes, and the events', async () => {
  const { project, run, document } = await stage({
    'manifests/a.yaml': itemsDefinition('Specs'),
    'a.csv': 'Part,Name\nX-1,one\nX-2,\nX-3,three\n',
  });
  expect((await run('apply', '--yes')).code).toBe(0);
  const { code } = await run('import', 'a.csv', '--definition', 'Specs', '--commit', 'always', ...ALL);
  expect(code).toBe(8);
  const markdown = await project.read('out/r.md');
  expect(markdown).toContain('### Failed rows\n\n- **1 row** of <code>Import/a.csv</code>: ');
  expect(markdown).toContain('<code>a.csv:3</code>');
  expect(await project.read('out/r.xml')).toContain('<testsuite name="Import/a.csv"');
  expect((await document('out/r.sarif')).runs[0].results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'a.csv' },
    region: { startLine: 3 },
  });
  expect(linesOf(await project.read('out/r.json')).at(-1)).toMatchObject({ type: 'summary', exitCode: 8 });
});

test('a refused login is one failure in every format', async () => {
  const { workspace, project } = await stage({ 'manifests/a.yaml': group('Quality') });
  const variables = { ...workspace.variables, DEXSYNC_REMOTE_PASSWORD: 'wrong' };
  const { code, out } = await project.run(['plan', ...ALL, ...to('github=-')], variables);
  expect([code, out]).toEqual([6, expect.stringMatching(/^::error title=LOGIN_REFUSED::.*\n$/)]);
  expect(await project.read('out/r.md')).toContain(
    '<!-- dexsync plan remote -->\n## dexsync plan: failed (LOGIN&#95;REFUSED)\n',
  );
  expect(await project.read('out/r.xml')).toContain('<error type="LOGIN_REFUSED"');
  for (const file of ['out/r.sarif', 'out/r.gitlab', 'out/r.json'])
    expect(await project.read(file)).toContain('LOGIN_REFUSED');
});

describe('a file that cannot be written is noticed before a request is spent', () => {
  test.each([
    ['a folder that is not there', 'md=none/r.md', 'The folder of the output file none/r.md does not exist.', 3],
    ['a folder', 'md=manifests', 'The output file manifests is a folder.', 3],
  ])('%s', async (_, output, message, expected) => {
    const { workspace, run, project } = await stage({ 'manifests/a.yaml': group('Quality') });
    const { code, err } = await run('apply', '--yes', ...to('junit=out/r.xml', output));
    expect([code, err]).toEqual([expected, expect.stringContaining(`Error: ${message}\n`)]);
    expect(await workspace.usage()).toEqual([]);
    expect(await readdir(join(project.folder, 'out'))).toEqual([]);
  });

  test.each([
    [
      'mdd=a',
      'argument "mdd=a" is invalid. Did you mean "md"? The formats are md, html, junit, sarif, github, gitlab and json.',
    ],
    ['a.md', 'argument "a.md" is invalid. Write FORMAT=FILE, such as md=plan.md.'],
  ])('%s', async (output, message) => {
    const { code, err } = await (await testProject()).run(['plan', '--output', output]);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  test('two results for one file, or for standard output, are refused', async () => {
    const project = await testProject();
    const twice = await project.run(['plan', ...to('md=-', 'junit=-')]);
    expect([twice.code, twice.err]).toEqual([3, expect.stringContaining('Standard output can take one output only.')]);
    const json = await project.run(['plan', '--json', ...to('md=-')]);
    expect(JSON.parse(json.out).error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('leave out') });
  });
});
