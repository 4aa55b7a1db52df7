import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { addressOf } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { Step } from '#core/model/plan.js';
import { type Client, openClient } from '#service/client.js';
import { Identities } from '#service/identities.js';
import { openImportRuns } from '#service/import-runs.js';
import type { ObjectWrite } from '#service/object-write.js';
import { perform } from '#service/perform.js';
import { reference } from '#service/profiles/reference.js';
import { type Bindings, fill, type Json, loadScenarios, type Pair, sampleOf } from './pairs.js';

const GUID = 'A1B2C3D4E5F6G7H8I9J0';
const bindings: Bindings = new Map<string, Json>([
  ...[
    'definition',
    'run',
    'broken',
    'group',
    'ann',
    'user',
    'category',
    'attribute',
    'mine',
    'other',
    'session',
    'policy',
    'format',
    'status',
    'plain',
    'bare',
    'root',
    'file',
    'integration',
    'event',
    'entry',
    'filesDefinition',
    'filesRun',
    'itemFilesDefinition',
    'itemFilesRun',
    'drawing',
    'item',
    'association',
    'sourcingDefinition',
    'sourcingRun',
    'relation',
    'supplierItem',
    'supplier',
  ].map((name): [string, Json] => [name, GUID]),
  ['email', 'ann@example.com'],
  ['password', 'a password'],
  ['workspaceId', 123456789],
]);

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A service that gives everybody a session and answers everything else with the pair's answer. */
async function answering(pair: Pair): Promise<{ client: Client; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const own = request.url === '/login' && pair.request.path !== '/login';
    const answer = own ? { status: 200, body: { sessionId: 'S', workspaceId: 123456789 } } : pair.answer;
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    if (!own) received.push({ method, path, body, headers });
    const written =
      answer.body === undefined
        ? ((answer as Pair['answer']).text ?? '')
        : JSON.stringify(sampleOf(fill(answer.body, bindings)));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(written);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { email, password, workspaceId } = { ...(fill(pair.request.body ?? {}, bindings) as Record<string, Json>) };
  const client = openClient({
    profile: reference,
    login: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      email: String(email ?? 'ann@example.com'),
      password: async () => String(password ?? 'p'),
      ...(pair.request.path === '/login' && workspaceId !== undefined ? { workspaceId: String(workspaceId) } : {}),
    },
    usageReason: 'dexsync/0.1.0',
    userAgent: 'dexsync/0.1.0',
    signal: new AbortController().signal,
    clock: () => 0,
  });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return { client, received };
}

/** The client's own call for a request of the interface. */
function call(client: Client, { request }: Pair): Promise<unknown> {
  const path = fill(request.path, bindings);
  if (request.path === '/login') return client.workspace();
  if (request.multipart !== undefined) {
    const { filename, content } = request.multipart.submitContent as { filename: string; content: string };
    const size = Buffer.byteLength(content);
    return openImportRuns(client, GUID).post({
      fileName: filename,
      fileType: 'CSV',
      size,
      open: () => Readable.from([content]),
    });
  }
  if (/Content$/.test(request.path)) return client.stream(path).then(text);
  if (request.method === 'GET') return client.get(path);
  const body = request.body === undefined ? undefined : { json: fill(request.body, bindings) };
  return client.write(request.method as 'POST', path, body);
}

describe.each(loadScenarios())('the client accepts what the documents show: $file', ({ pairs }) => {
  test.each(pairs.map((pair): [string, Pair] => [pair.name, pair]))('%s', async (_, pair) => {
    const { client, received } = await answering(pair);
    const { status, body, text: report } = pair.answer;
    if (status >= 300) {
      const codes = (body as { errors: { code: number }[] }).errors.map(({ code }) => code);
      const error = await call(client, pair).then(
        () => undefined,
        (thrown: { status: number; problems: { code: number }[] }) => thrown,
      );
      expect([error?.status, error?.problems.map(({ code }) => code)]).toEqual([status, codes]);
    } else if (pair.request.path === '/login') {
      expect(await call(client, pair)).toMatchObject({ id: '123456789' });
    } else {
      const answer = await call(client, pair);
      const expected = report ?? (body === undefined ? {} : sampleOf(fill(body, bindings)));
      if (pair.request.multipart === undefined) expect(answer).toEqual(expected);
      else expect(answer).toMatchObject({ status: 'CREATED', commit: false, successCount: 0, guid: GUID });
    }
    expect(received[0]).toMatchObject({ method: pair.request.method, path: fill(pair.request.path, bindings) });
  });
});

const pairs = loadScenarios().flatMap(({ file, pairs: all }) => all.map((pair) => ({ file, pair })));
const pairNamed = (file: string, name: string): Pair => {
  const found = pairs.find((one) => one.file === file && one.pair.name === name);
  if (found === undefined) throw new Error(`There is no pair "${name}" in ${file}.`);
  return found.pair;
};

const step = (kind: string, name: string): Step => ({
  address: addressOf(kind, name),
  action: 'create',
  reason: 'absent',
  message: '',
  fields: [],
  writes: [],
  dependsOn: [],
  fingerprint: '',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
});

const { name: _, ...definition } = pairNamed('import-definitions.json', 'create a definition; defaults are filled in')
  .request.body as Record<string, Json>;

describe('the client sends what the documents show', () => {
  const cases: [file: string, pair: string, step: Step, write: ObjectWrite][] = [
    [
      'user-groups.json',
      'create',
      step('UserGroup', 'Quality'),
      { verb: 'create', spec: { description: 'Who checks', enabled: true, assignability: ['QUALITY', 'TRAINING'] } },
    ],
    [
      'user-groups.json',
      'update answers 200 with the object',
      { ...step('UserGroup', 'Quality team'), liveName: 'Quality' },
      { verb: 'update', name: 'Quality team', fields: {}, readFirst: 'no' },
    ],
    [
      'user-groups.json',
      'add a member',
      step('UserGroup', 'Quality'),
      { verb: 'addChild', field: 'members', name: 'ann@example.com' },
    ],
    [
      'user-groups.json',
      'remove a member',
      step('UserGroup', 'Quality'),
      { verb: 'removeChild', field: 'members', name: 'ann@example.com' },
    ],
    [
      'suppliers.json',
      'create a supplier',
      step('Supplier', 'Example Ltd'),
      { verb: 'create', spec: { supplierId: 'S-1', website: 'https://example.com' } },
    ],
    [
      'suppliers.json',
      'clear a value with setnull',
      step('Supplier', 'Example Ltd'),
      {
        ...{ verb: 'update', name: 'Example Ltd', readFirst: 'no' },
        fields: { supplierId: null, approvalStatus: 'approved' },
      },
    ],
    [
      'import-definitions.json',
      'create a definition; defaults are filled in',
      step('ImportDefinition', 'ERP item specs'),
      { verb: 'create', spec: definition as Extract<ObjectWrite, { verb: 'create' }>['spec'] },
    ],
    [
      'import-definitions.json',
      'name and description can be changed',
      step('ImportDefinition', 'ERP item specs'),
      { verb: 'update', name: 'ERP specs', readFirst: 'no', fields: { description: 'nightly' } },
    ],
  ];
  test.each(cases)('%s: %s', async (file, name, of, write) => {
    const pair = pairNamed(file, name);
    const { client, received } = await answering(pair);
    const identities = new Identities(reference);
    const isNew = write.verb === 'create';
    if (!isNew) identities.enter('UserGroup', ['Quality'], GUID);
    if (!isNew) identities.enter('ImportDefinition', ['ERP item specs'], GUID);
    if (!isNew) identities.enter('Supplier', ['Example Ltd'], GUID);
    identities.enter('User', ['ann@example.com'], GUID);
    await perform(of, write, { writer: client, identities, kindNamed: (kind) => builtIn.kindNamed(kind) as Kind });
    const [request] = received;
    expect([request?.method, request?.path]).toEqual([pair.request.method, fill(pair.request.path, bindings)]);
    expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(
      pair.request.body === undefined ? undefined : fill(pair.request.body, bindings),
    );
  });

  test('import-runs.json: start a run that only validates', async () => {
    const pair = pairNamed('import-runs.json', 'start a run that only validates');
    const { client, received } = await answering(pair);
    await call(client, pair);
    const [request] = received;
    const form = await new Response(request?.body, {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    const parts = await Promise.all(
      [...form].map(async ([part, value]) => [
        part,
        typeof value === 'string' ? value : { filename: value.name, content: await value.text() },
      ]),
    );
    expect(Object.fromEntries(parts)).toEqual(pair.request.multipart);
  });

  test('import-runs.json: commit', async () => {
    const pair = pairNamed('import-runs.json', 'commit: the rows are validated again');
    const { client, received } = await answering(pair);
    expect(await openImportRuns(client, GUID).commit(GUID)).toMatchObject({ commit: true, status: 'RUNNING' });
    expect([received[0]?.method, received[0]?.path, received[0]?.body]).toEqual([
      'PUT',
      fill(pair.request.path, bindings),
      '{"commit":true}',
    ]);
  });
});
