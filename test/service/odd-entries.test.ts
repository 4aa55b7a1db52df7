import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const OUTSIDE = '../../../../outside';

type Body = { results?: Record<string, unknown>[] } & Record<string, unknown>;

/** A project before a service whose answers to `method path` are altered once it is armed. */
async function stage(method: string, path: RegExp, alter: (body: Body) => Body) {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': manifest('UserGroup', 'A', { members: ['ann@example.com'] }) + itemsDefinition('D'),
    'a.csv': 'Part,Name\nA-1,one\n',
  });
  let isArmed = false;
  const url = await alteringProxy(workspace.url, (request, { body, headers, status }) => {
    if (!isArmed || request.method !== method || !path.test(request.path)) return undefined;
    const altered = Buffer.from(JSON.stringify(alter(JSON.parse(body.toString()))));
    return { status, headers, body: altered };
  });
  const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
  expect((await run('apply', '--yes')).code).toBe(0);
  isArmed = true;
  const writes = async () => (await workspace.usage()).filter((one) => one.method !== 'GET').length;
  return { run, project, writes };
}

const entry = (is: (one: Record<string, unknown>) => boolean, over: Record<string, unknown>) => (body: Body) => ({
  ...body,
  results: body.results?.map((one) => (is(one) ? { ...one, ...over } : one)) ?? [],
});

describe('answers of the service are checked at the entry; nothing is written in place of an odd value', () => {
  const groups = /^\/settings\/usergroups$/;
  const isGroup = ({ name }: Record<string, unknown>): boolean => name === 'A';
  const isBen = ({ email }: Record<string, unknown>): boolean => email === 'ben@example.com';
  test.each<[string, RegExp, Parameters<typeof entry>, RegExp]>([
    ['a guid that leads elsewhere', groups, [isGroup, { guid: OUTSIDE }], /The entry "A" of .* has an invalid guid\./],
    ['no guid', groups, [isGroup, { guid: undefined }], /The entry "A" of GET \/settings\/usergroups has no guid\./],
    ['a guid that is a number', groups, [isGroup, { guid: 7 }], /has an invalid guid\./],
    ['no name', groups, [isGroup, { name: undefined }], /Entry \d of GET \/settings\/usergroups has no name\./],
    ['an empty name', groups, [isGroup, { name: '' }], /has no name\./],
    [
      'a member without guid',
      /\/users$/,
      [() => true, { guid: undefined }],
      /The entry "Ann .*" of GET \/settings\/usergroups\/\{guid\}\/users has no guid\./,
    ],
    [
      'a user without guid',
      /^\/settings\/users\?/,
      [isBen, { guid: '' }],
      /of GET \/settings\/users has an invalid guid\./,
    ],
  ])('%s', async (_, path, [is, over], message) => {
    const { run, project, writes } = await stage('GET', path, entry(is, over));
    const all = manifest('UserGroup', 'A', { members: ['ann@example.com', 'ben@example.com'] }) + itemsDefinition('D');
    await project.write('manifests/all.yaml', all);
    const before = await writes();
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([4, expect.stringMatching(message)]);
    expect(await writes()).toBe(before);
  });

  test('an answer that is not a list is an error', async () => {
    const { run } = await stage('GET', groups, ({ results: _, ...body }) => body);
    const { code, err } = await run('plan');
    expect([code, err]).toEqual([1, expect.stringContaining('was answered without the list "results"')]);
  });

  test('a run with a GUID that leads out of the project does not count', async () => {
    const { run, project } = await stage('POST', /\/runs$/, (body) => ({ ...body, guid: OUTSIDE, number: undefined }));
    const { code, out } = await run('import', 'a.csv', '--definition', 'D');
    expect([code, out]).toEqual([4, expect.stringContaining('without guid or status')]);
    expect(existsSync(join(project.folder, '.dexsync/imports/Embedded-Workspace', `a.csv-${OUTSIDE}`))).toBe(false);
  });
});

test('half a character in a name is a mistake of its manifest', async () => {
  const text = '{ apiVersion: dexsync/v1, kind: UserGroup, metadata: { name: "A\\uD83D" }, spec: {} }\n';
  const project = await testProject({ 'manifests/a.yaml': text });
  const { code, out } = await project.run(['validate']);
  const message = '"UserGroup/A\\ud83d" has half a character (a lone surrogate) in its name.';
  expect([code, out]).toEqual([3, expect.stringContaining(`error  name-not-text\n  ${message}`)]);
});

test.each(['\u0000A', 'A\u0000', 'A\u001b[2J', '\ud800', 'A\u202e'])(
  'an object with a name that no manifest can have, %j, is listed, left alone and blocks nobody',
  async (name) => {
    const { run, project, writes } = await stage(
      'GET',
      /^\/settings\/usergroups(\?|$)/,
      entry((one) => one.name === 'A', { name }),
    );
    await project.write('manifests/all.yaml', manifest('UserGroup', 'New', {}));
    const before = await writes();
    const listed = await run('get', 'UserGroup', '-o', 'json');
    expect([listed.code, JSON.parse(listed.out).objects]).toEqual([
      0,
      expect.arrayContaining([expect.objectContaining({ name })]),
    ]);
    for (const format of ['table', 'name', 'csv', 'yaml'])
      expect((await run('get', 'UserGroup', '-o', format)).code).toBe(0);

    const pulled = await run('pull', '--kind', 'UserGroup', '--out', 'pulled');
    expect([pulled.code, await writes()]).toEqual([0, before]);
    expect((await run('validate', '-f', 'pulled')).code).toBe(0);
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out]).toEqual([0, expect.stringMatching(/UserGroup\/New {2}created/)]);
    expect(await writes()).toBe(before + 1);
  },
);
