import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsDefinition } from '../../harness/manifest.js';
import { runToEnd, startWorkspace, temporaryFolder } from '../../harness/start-workspace.js';
import { finished, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { faultyWorkspace, GROUPS } from './faults.js';

describe('a fault meets requests', () => {
  test('by method, path, a value of the body, and their number among them', async () => {
    const { arm, call, faults } = await faultyWorkspace();
    await arm([
      { method: 'POST', path: GROUPS, body: 'Engineers', nth: 2, times: 2, do: 'status', status: 503 },
      { method: 'DELETE', do: 'reset' },
    ]);
    const post = async (name: string): Promise<number> => (await call('POST', GROUPS, { name })).status;
    const codes = [await post('Engineers'), await post('Others'), await post('Engineers'), await post('Engineers')];
    expect(codes).toEqual([201, 201, 503, 503]);
    expect((await post('Engineers')) >= 400).toBe(true);
    const struck = { method: 'POST', path: GROUPS };
    expect(await faults()).toEqual([
      { ...struck, body: 'Engineers', do: 'status', matched: 4, struck: 2, requests: [struck, struck] },
      { method: 'DELETE', do: 'reset', matched: 0, struck: 0, requests: [] },
    ]);
  });

  test.each([
    ['/settings/usergroups', [true, false, false]],
    ['/settings/usergroups/*', [false, true, false]],
    ['/settings/*/*', [false, true, false]],
    ['/settings/usergroups/**', [true, true, true]],
    ['/settings/**', [true, true, true]],
  ] as const)('%s', async (path, expected) => {
    const { arm, call, guids } = await faultyWorkspace();
    const paths = [`${GROUPS}?limit=2`, `${GROUPS}/${guids[0]}`, `${GROUPS}/${guids[0]}/users`];
    await arm([{ path, times: 'always', do: 'status', status: 418 }]);
    const statuses = await Promise.all(paths.map(async (at) => (await call('GET', at)).status === 418));
    expect(statuses).toEqual(expected);
  });

  test('by sender, in each request and at the login', async () => {
    const { arm, call, administer } = await faultyWorkspace();
    await arm([{ user: 'cleo@example.com', times: 'always', do: 'status', status: 418 }]);
    expect([(await call('GET', GROUPS)).status, (await administer('GET', GROUPS)).status]).toEqual([418, 200]);
  });

  test('once where several faults are due', async () => {
    const { arm, call, faults } = await faultyWorkspace();
    await arm([
      { path: GROUPS, do: 'status', status: 503 },
      { path: GROUPS, do: 'status', status: 500 },
    ]);
    expect([(await call('GET', GROUPS)).status, (await call('GET', GROUPS)).status]).toEqual([503, 200]);
    expect(await faults()).toMatchObject([{ struck: 1 }, { matched: 2, struck: 0 }]);
  });

  test('a request with a fault is counted and logged as usual, and the reads of the fault are not', async () => {
    const { arm, administer, usage, guids } = await faultyWorkspace();
    const before = (await usage()).length;
    await arm([
      { method: 'PUT', do: 'acknowledge' },
      { method: 'GET', path: GROUPS, do: 'twice' },
    ]);
    await administer('PUT', `${GROUPS}/${guids[0]}`, { name: 'X' });
    await administer('GET', GROUPS);
    expect((await usage()).length).toBe(before);
    expect((await usage()).filter(({ path }) => path === GROUPS)).toEqual([]);
  });

  test('a strike is reported before it happens, and waits', async () => {
    const { arm, call, guids } = await faultyWorkspace();
    const told: unknown[] = [];
    await arm([{ method: 'DELETE', path: `${GROUPS}/*`, do: 'pass' }], async (strike) => {
      told.push(strike, (await call('GET', `${GROUPS}/${guids[0]}`)).status);
    });
    expect((await call('DELETE', `${GROUPS}/${guids[0]}`)).status).toBe(204);
    expect(told).toEqual([{ rule: 1, method: 'DELETE', path: `${GROUPS}/${guids[0]}` }, 200]);
  });
});

test('uploads and files pass through a fault as they are', async () => {
  const { arm, variables } = await testWorkspace();
  await arm([{ times: 'always', do: 'pass' }]);
  const files = { 'manifests/all.yaml': itemsDefinition('Parts'), 'a.csv': 'Part,Name\nA-1,"Ümlaut, ✓"\nA-2,two\n' };
  const project = await testProject(files);
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  const { code, out } = await project.run(['import', 'a.csv', '--definition', 'Parts', '--verify', 'all'], variables);
  expect([code, out]).toEqual([0, expect.stringContaining('2 rows read back: all as sent')]);
});

describe('controlled over the interface', () => {
  const faults = [{ method: 'GET', path: GROUPS, do: 'status', status: 503 }];

  test('an administrator sets, lists and ends faults', async () => {
    const { administer, call } = await faultyWorkspace();
    const set = await administer('PUT', '/embedded/faults', { faults });
    expect(set).toMatchObject({ status: 200, body: { count: 1, results: [{ matched: 0, struck: 0 }] } });
    expect((await call('GET', GROUPS)).status).toBe(503);
    const { body } = await administer('GET', '/embedded/faults');
    expect(body.results).toMatchObject([{ matched: 1, struck: 1, requests: [{ method: 'GET', path: GROUPS }] }]);
    expect((await administer('DELETE', '/embedded/faults')).status).toBe(204);
    expect((await administer('GET', '/embedded/faults')).body).toEqual({ count: 0, results: [] });
    expect((await call('GET', GROUPS)).status).toBe(200);
  });

  test('nobody else does, and errors are named', async () => {
    const { administer, call } = await faultyWorkspace();
    expect((await call('PUT', '/embedded/faults', { faults })).status).toBe(403);
    const wrong = await administer('PUT', '/embedded/faults', { faults: [{ do: 'statsu' }] });
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [
        {
          code: 400,
          message: expect.stringMatching(/^Fault 1 \(statsu\): "do" is not valid\. It takes one of pass, /),
        },
      ],
    ]);
  });

  test('no fault meets the requests that control them', async () => {
    const { administer, arm } = await faultyWorkspace();
    await arm([{ method: 'GET', times: 'always', do: 'hang' }]);
    expect((await administer('GET', '/embedded/faults')).body.results).toMatchObject([{ matched: 0 }]);
    await arm([]);
  });
});

describe('a file of faults', () => {
  const write = async (text: string, name = 'faults.yaml'): Promise<string> => {
    const file = join(temporaryFolder(), name);
    await writeFile(file, text);
    return file;
  };

  test('says at the end which of its faults never struck', async () => {
    const file = await write(`faults:
  - { method: GET, path: /settings/usergroups, nth: 2, do: reset }
  - { path: /login, do: status, status: 503 }
`);
    const service = await startWorkspace('--faults', file);
    const answer = await fetch(`${service.url}/login`, { method: 'POST' });
    expect(answer.status).toBe(503);
    await fetch(`${service.url}${GROUPS}`);
    expect(await service.stop()).toBe(0);
    expect(service.stderr()).toBe('Fault 1 (GET /settings/usergroups reset) never struck: 1 request matched.\n');
  });

  test('may be JSON, and one that hangs does not keep the service from ending', async () => {
    const file = await write(JSON.stringify({ seed: 3, faults: [{ do: 'hang', times: 'always' }] }), 'faults.json');
    const service = await startWorkspace('--faults', file);
    const waiting = fetch(`${service.url}${GROUPS}`).catch(() => 'ended');
    await new Promise((done) => setTimeout(done, 200));
    expect([await service.stop(), await waiting]).toEqual([0, 'ended']);
  });

  test.each([
    ['faults: [', /cannot be used:\n.*flow/s],
    ['faults: 3', 'The file: "faults" is not valid. It takes a list of faults.'],
    ['fault: []', 'The file: "fault" is not known. Known are seed, faults.'],
    ['seed: 1', 'The file: "faults" is missing. It takes a list of faults.'],
    ['- do: reset', 'The file must be an object with a list "faults".'],
    ['', 'The file must be an object with a list "faults".'],
    ['faults: [reset]', 'Fault 1 must be an object with "do".'],
    ['faults: [{ path: /a }]', 'Fault 1 (/a): "do" is missing. It takes one of pass, '],
    [
      'faults: [{ do: pass }, { do: status, nth: 0 }]',
      'Fault 2 (status): "nth" is not valid. It takes a whole number from 1.',
    ],
    [
      'faults: [{ do: reset, times: often }]',
      'Fault 1 (reset): "times" is not valid. It takes a whole number from 1, or always.',
    ],
    ['faults: [{ do: reset, stauts: 3 }]', 'Fault 1 (reset): "stauts" is not known. Known are method, path, '],
    ['faults: [{ do: cut, status: 503 }]', 'Fault 1 (cut): "status" says nothing to cut, which takes no parameters.'],
    ['faults: [{ do: reset, path: a?b }]', 'Fault 1 (a?b reset): "path" is not valid. It takes a path that begins'],
  ])('that is wrong is refused: %s', async (text, says) => {
    const file = await write(text);
    const { code, stderr, stdout } = await runToEnd('--faults', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`The fault file ${file} cannot be used:\n`);
    if (typeof says === 'string') expect(stderr).toContain(says);
    else expect(stderr).toMatch(says);
  });

  test('with a bad option ends the command as others do, and its complaints are shown', async () => {
    const project = await testProject({ 'faults.yaml': 'faults: [{ do: nothing }]' });
    const child = project.start(['workspace', 'serve', '--faults', 'faults.yaml']);
    const { code, err } = await finished(child);
    expect([code, err]).toEqual([3, expect.stringContaining('Fault 1 (nothing): "do" is not valid.')]);
    const none = project.start(['workspace', 'serve', '--faults', 'none.yaml']);
    expect((await finished(none)).err).toContain('The fault file none.yaml cannot be read: ENOENT.');
  });
});
