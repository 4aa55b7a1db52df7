import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const PRODUCTION =
  'stack: s\nmanifests: [manifests]\nenvironments: { remote: { url: "${env.TEST_URL}", production: true } }\n';

/** A service that logs everybody in, and answers the rest by `answer`. */
async function service(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const seen: { method: string; url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/login') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"sessionId":"SECRET-1","workspaceId":1,"workspaceName":"W"}');
      return;
    }
    seen.push({ method: request.method ?? '', url: request.url ?? '', body });
    answer(request, response, body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const variables = {
    DEXSYNC_ENV: 'remote',
    TEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    DEXSYNC_REMOTE_EMAIL: 'a@b',
    DEXSYNC_REMOTE_PASSWORD: 'p',
  };
  return { seen, variables };
}

const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

test('the command reads, writes, queries and reports errors of the workspace', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'body.json': '{"name":"From a file","assignability":["CHANGES"]}' });
  const api = (...args: string[]) => project.run(['api', ...args], workspace.variables);

  const made = await api(
    '/settings/usergroups',
    '-f',
    'name=12',
    '-F',
    'enabled=false',
    '-F',
    'assignability[]=QUALITY',
  );
  expect([made.code, made.err]).toEqual([0, '']);
  const { guid, ...group } = JSON.parse(made.out);
  expect(group).toMatchObject({ name: '12', enabled: false, assignability: ['QUALITY'] });
  expect((await workspace.call('GET', `/settings/usergroups/${guid}`)).body).toMatchObject({ guid, name: '12' });

  expect(await api('POST', '/settings/usergroups', '--input', 'body.json', '-q', 'assignability')).toEqual({
    code: 0,
    out: '[\n  "CHANGES"\n]\n',
    err: '',
  });
  expect(await api(`/settings/usergroups/${guid}`, '-q', 'name', '-r')).toEqual({ code: 0, out: '12\n', err: '' });
  expect((await api('get', '/settings/usergroups', '-f', 'name=12', '-q', 'results[].name')).out).toBe(
    '[\n  "12"\n]\n',
  );
  // No field of any answer, but members that JavaScript gives to every object.
  for (const name of Object.getOwnPropertyNames(Object.prototype).filter((one) => one !== '__proto__'))
    expect([name, (await api(`/settings/usergroups/${guid}`, '-q', name)).out]).toEqual([name, 'null\n']);
  expect((await api('delete', `/settings/usergroups/${guid}`)).code).toBe(0);
  expect((await workspace.call('GET', `/settings/usergroups/${guid}`)).status).toBe(400);

  const missing = await api('/nowhere', '--json');
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.out)).toMatchObject({ status: 404, errors: [{ code: 404 }] });
  expect(missing.err).toMatch(/^Error: GET \/nowhere was answered with 404: .*\n\[SERVICE_ERROR, exit 1\]\n$/);
  expect((await api('/nowhere')).out).toBe('');
});

test('an error answer outside JSON is an error document with --json', async () => {
  const { variables } = await service((_, response) => response.writeHead(404).end('<html>Not here</html>'));
  const { code, out } = await (await testProject()).run(['api', '/items', '--json'], variables);
  expect([code, JSON.parse(out)]).toMatchObject([1, { error: { exitCode: 1 }, diagnostics: [] }]);
});

test('--paginate reads every entry once, and reports long reading', async () => {
  const all = Array.from({ length: 2500 }, (_, index) => ({ guid: `G${index}` }));
  const { seen, variables } = await service((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const offset = Number(searchParams.get('offset'));
    const results = all.slice(offset, offset + Number(searchParams.get('limit')));
    json(response, { count: results.length, results });
  });
  const project = await testProject();
  const { code, out, err } = await project.run(['api', '/items?a=1', '--paginate'], variables);
  expect([code, JSON.parse(out)]).toEqual([0, { count: 2500, results: all }]);
  expect(err).toBe('1996 entries read so far\n');
  expect(seen[0]?.url).toBe('/items?a=1&offset=0&limit=400');
  const queried = await project.run(['api', '/items', '--paginate', '-q', 'length(results)'], variables);
  expect(queried.out).toBe('2500\n');
});

test('names build nested bodies, and a body from standard input is sent unchanged', async () => {
  const { seen, variables } = await service((_, response) => response.writeHead(204).end());
  const project = await testProject({ 'note.txt': 'from a file\n' });
  const { code, out } = await project.run(
    [
      ...['api', 'POST', '/imports', '-f', 'name=D', '-f', 'options.mode=EDIT', '-f', 'options[deep][er]=1'],
      ...[
        '-f',
        'mapping[].apiName=number',
        '-F',
        'mapping[].row=1',
        '-f',
        'mapping[].apiName=name',
        '-F',
        'mapping[].row=2',
      ],
      ...['-F', 'none[]', '-F', 'n=null', '-F', 't=true', '-F', 'x=1.5', '-F', 'word=12a', '-F', 'file=@note.txt'],
    ],
    variables,
  );
  expect([code, out]).toEqual([0, '']);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    name: 'D',
    options: { mode: 'EDIT', deep: { er: '1' } },
    mapping: [
      { apiName: 'number', row: 1 },
      { apiName: 'name', row: 2 },
    ],
    none: [],
    n: null,
    t: true,
    x: 1.5,
    word: '12a',
    file: 'from a file\n',
  });
  const child = project.start(['api', 'PUT', '/x y', '--input', '-', '-f', 'force=a b'], variables, 'pipe');
  child.stdin?.end('{ "big": 12345678901234567890 }');
  expect((await finished(child)).code).toBe(0);
  expect(seen[1]).toEqual({ method: 'PUT', url: '/x%20y?force=a+b', body: '{ "big": 12345678901234567890 }' });
});

test('answers outside JSON are printed unchanged; files are saved whole or not at all', async () => {
  const bytes = Buffer.from([0, 255, 10, 200, 1]);
  const { variables } = await service((request, response) => {
    if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': '10' }).write('12345', () => response.destroy());
    } else if (request.url === '/csv') response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n1,2');
    else response.writeHead(200, { 'content-type': 'application/pdf', 'set-cookie': 'x=SECRET-2' }).end(bytes);
  });
  const project = await testProject();
  const api = (...args: string[]) => project.run(['api', ...args], variables);
  expect(await api('/csv')).toEqual({ code: 0, out: 'a,b\n1,2', err: '' });
  expect(await api('/pdf', '--output', 'a.pdf')).toEqual({ code: 0, out: '', err: 'Saved to a.pdf\n' });
  expect(Buffer.from(await project.read('a.pdf', 'latin1'), 'latin1')).toEqual(bytes);
  expect(await api('/csv', '--output', 'a.pdf')).toEqual({
    code: 3,
    out: '',
    err: 'Error: a.pdf already exists and is not overwritten.\nGive another file, or use `--force`.\n[USAGE, exit 3]\n',
  });
  expect((await api('/csv', '--output', 'a.pdf', '--force')).code).toBe(0);
  expect(await project.read('a.pdf')).toBe('a,b\n1,2');
  const broken = await api('/broken', '--output', 'b.bin');
  expect([broken.code, broken.err]).toEqual([
    1,
    expect.stringContaining('GET /broken got no whole answer from http://127.0.0.1:'),
  ]);
  expect((await readdir(project.folder)).filter((name) => name !== '.dexsync').sort()).toEqual([
    'a.pdf',
    'manifests',
    'sync.config.yaml',
  ]);
  const included = await api('/pdf', '--include');
  expect(included.out).toMatch(/^HTTP 200\ncontent-type: application\/pdf\n/);
  expect(included.out).not.toContain('SECRET');
  expect(await api('/csv', '-q', 'a')).toMatchObject({
    code: 1,
    err: expect.stringContaining('[ANSWER_NOT_JSON, exit 1]'),
  });
});

test('an error in the command is reported before anything is sent', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'no.json': '{' });
  const cases: [args: string[], message: string][] = [
    [
      ['https://elsewhere.example.com/items'],
      '"https://elsewhere.example.com/items" is a full URL; give only the path.',
    ],
    [['//elsewhere.example.com/items'], 'is a full URL'],
    [['items'], '"items" does not begin with "/".'],
    [['/a/../b'], '"/a/../b" contains a "." or ".." segment.'],
    [['/a/%2e%2e/b'], 'contains a "." or'],
    [['POST', '/login', '-f', 'a=1'], 'dexsync logs in on its own'],
    [['PATCH', '/items'], '"PATCH" is not an HTTP method.\nUse one of GET, POST, PUT, DELETE.'],
    [['POST'], 'The path is missing.\nAdd a path, such as `dexsync api GET /items`.'],
    [['/items', '-q', 'results['], 'The query "results[" is not valid JMESPath: '],
    [['POST', '/items', '--input', 'no.json'], 'no.json is not JSON: '],
    [['POST', '/items', '--input', 'gone.json'], 'gone.json cannot be read: ENOENT'],
    [['POST', '/items', '-f', 'a=1', '-f', 'a.b=1'], 'The field "a.b" conflicts with an earlier field.'],
    [['POST', '/items', '-f', 'a=1', '-f', 'a[]=1'], 'The field "a[]" conflicts with'],
    [['POST', '/items', '-f', 'a=1', '-f', 'a=2'], 'The field "a" conflicts with'],
    [['POST', '/items', '-f', 'a..b=1'], '"a..b" is not a valid field name.'],
    [['POST', '/items', '-f', '__proto__.x=1'], 'The key "__proto__" is not allowed.'],
    [['POST', '/items', '-F', 'a=12345678901234567890'], '12345678901234567890 is too large for a JSON number.'],
    [['POST', '/items', '-F', 'a=@-', '-F', 'b=@-'], 'Standard input is used more than once.'],
    [['POST', '/items', '-f', 'a'], 'Write NAME=VALUE, or NAME[] for an empty list.'],
    [['POST', '/items', '--paginate'], '`--paginate` reads lists; it does not work with POST.'],
    [['/items?limit=3', '--paginate'], '`--paginate` sets "limit" itself.'],
    [['/items', '--paginate', '--include'], '`--paginate` reads several answers'],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = await project.run(['api', ...args], workspace.variables);
    expect([code, out, err]).toEqual([3, '', expect.stringContaining(message)]);
  }
  expect(await workspace.usage()).toEqual([]);
}, 120_000);

test('writes to a production environment need a consent; reads do not', async () => {
  const { seen, variables } = await service((_, response) => json(response, {}));
  const project = await testProject({ 'sync.config.yaml': PRODUCTION });
  const refused = await project.run(['api', 'DELETE', '/items/1'], variables);
  expect(refused).toEqual({
    code: 3,
    out: '',
    err: 'Error: Environment "remote" is production: DELETE /items/1 is not sent without confirmation.\nRun the command again with `--yes`, or at a terminal.\n[CONFIRMATION_NEEDED, exit 3]\n',
  });
  expect(seen).toEqual([]);
  expect((await project.run(['api', '/items/1'], variables)).code).toBe(0);
  expect((await project.run(['api', 'DELETE', '/items/1', '--yes'], variables)).code).toBe(0);
  expect(seen.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
});

test('--timeout ends waiting for a service that is silent, and for one that stops in the middle', async () => {
  const { variables } = await service((request, response) => {
    if (request.url !== '/silent') response.writeHead(200, { 'content-length': '10' }).write('12345');
  });
  const project = await testProject();
  const write = await project.run(['api', 'POST', '/silent', '--timeout', '0.3'], variables);
  expect([write.code, write.err]).toEqual([
    1,
    expect.stringContaining(
      'POST /silent got no answer and may or may not have taken effect: nothing was received for 0.3 s (`--timeout`).',
    ),
  ]);
  const read = await project.run(['--timeout', '0.3', 'api', '/stuck'], variables);
  expect([read.code, read.err]).toEqual([
    1,
    expect.stringMatching(/GET \/stuck got no whole answer from .*: nothing was received for 0\.3 s/),
  ]);
  for (const value of ['0', '-1', 'x', '1e9', '86401']) {
    const { code, err } = await project.run(['plan', `--timeout=${value}`], variables);
    expect([code, err]).toEqual([3, expect.stringContaining('Give seconds from 0.001 to 86400.')]);
  }
});
