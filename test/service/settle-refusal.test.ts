import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { builtIn } from '#core/catalog.js';
import { addressOf } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { Step } from '#core/model/plan.js';
import { openClient } from '#service/client.js';
import { Identities } from '#service/identities.js';
import type { ObjectWrite } from '#service/object-write.js';
import { perform } from '#service/perform.js';
import { reference } from '#service/profiles/reference.js';

const GROUP = 'AAAAAAAAAAAAAAAAAAAA';
const ANN = 'BBBBBBBBBBBBBBBBBBBB';

/** `hidden`: no list shows it, and reading it is forbidden; `unreadable`, `unanswered`: a list shows it. */
type Listing = 'listed' | 'not listed' | 'hidden' | 'unreadable' | 'unanswered';

/** How reading the group by its GUID is answered. */
const READS: Readonly<Record<Listing, readonly [status: number, code: number]>> = {
  listed: [200, 0],
  'not listed': [400, 3011],
  hidden: [403, 3024],
  unreadable: [403, 3024],
  unanswered: [405, 405],
};

/** A service that refuses every write in one way, and lists the group or does not. */
async function refusing(status: number, code: number, listed: Listing, message = 'No.') {
  const group = { guid: GROUP, name: 'Quality', description: '', enabled: true, assignability: [] };
  const results = listed === 'not listed' || listed === 'hidden' ? [] : [group];
  const server = createServer((request, reply) => {
    const isLogin = request.url === '/login';
    const isRead = request.method === 'GET' && request.url?.endsWith(GROUP) === true;
    if (isRead) {
      const [readStatus, readCode] = READS[listed];
      reply.writeHead(readStatus, { 'content-type': 'application/json' });
      const body = listed === 'listed' ? group : { status: readStatus, errors: [{ code: readCode, message }] };
      return void reply.end(JSON.stringify(body));
    }
    const refused = request.method !== 'GET' && !isLogin;
    reply.writeHead(refused ? status : 200, { 'content-type': 'application/json' });
    const answer = isLogin
      ? { sessionId: 'S', workspaceId: 1, workspaceName: 'dev' }
      : { count: results.length, results };
    return void reply.end(JSON.stringify(refused ? { status, errors: [{ code, message }] } : answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const client = openClient({
    profile: reference,
    login: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      email: 'a@example.com',
      password: async () => 'p',
    },
    usageReason: 'test/1',
    userAgent: 'test/1',
    signal: new AbortController().signal,
    clock: () => 0,
  });
  onTestFinished(() => client.close());
  return client;
}

const step: Step = {
  address: addressOf('UserGroup', 'Quality'),
  action: 'update',
  reason: 'differs',
  message: '',
  fields: [],
  writes: [],
  dependsOn: [],
  fingerprint: '',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
};

const update: ObjectWrite = { verb: 'update', name: 'Quality', fields: { description: 'a' }, readFirst: 'no' };
const remove: ObjectWrite = { verb: 'delete', name: 'Quality' };
const leave: ObjectWrite = { verb: 'removeChild', field: 'members', name: 'ann@example.com' };
const create: ObjectWrite = { verb: 'create', spec: {} };

/** Design, section 6: at run time only 405 and the code 404 mean "no endpoint"; 3011 and 3012 mean absent; 3024 is looked up. */
const cases: [status: number, code: number, list: Listing, write: ObjectWrite, becomes: string][] = [
  [405, 405, 'listed', create, 'NO_ENDPOINT'],
  [404, 404, 'listed', update, 'NO_ENDPOINT'],
  [405, 405, 'listed', remove, 'NO_ENDPOINT'],
  [400, 3011, 'listed', remove, 'done'],
  [400, 3012, 'listed', remove, 'done'],
  [400, 3012, 'listed', leave, 'done'],
  [400, 3011, 'listed', update, 'OBJECT_GONE'],
  [404, 3012, 'listed', update, 'OBJECT_GONE'],
  [403, 3024, 'not listed', remove, 'done'],
  [403, 3024, 'listed', remove, 'PERMISSION'],
  [403, 3024, 'hidden', remove, 'PERMISSION'],
  [404, 3024, 'hidden', leave, 'SERVICE_ERROR'],
  [404, 3024, 'not listed', remove, 'done'],
  [404, 3024, 'listed', remove, 'SERVICE_ERROR'],
  [403, 3024, 'not listed', update, 'OBJECT_GONE'],
  [403, 3221, 'not listed', remove, 'PERMISSION'],
  [403, 3085, 'not listed', update, 'PERMISSION'],
  [400, 3003, 'not listed', update, 'SERVICE_ERROR'],
  [400, 3003, 'listed', create, 'SERVICE_ERROR'],
  [500, 9999, 'listed', create, 'WRITE_UNANSWERED'],
  [500, 9999, 'listed', update, 'WRITE_UNANSWERED'],
  [502, 9999, 'listed', remove, 'WRITE_UNANSWERED'],
  [302, 9999, 'listed', create, 'WRITE_UNANSWERED'],
  [200, 0, 'listed', remove, 'WRITE_UNANSWERED'],
  [200, 0, 'not listed', remove, 'done'],
  [200, 0, 'hidden', remove, 'done'],
  [200, 0, 'unreadable', remove, 'WRITE_UNANSWERED'],
  [200, 0, 'unanswered', remove, 'WRITE_UNANSWERED'],
];

test.each(cases)('%i with code %i, the object %s, on %o: %s', async (status, code, listed, write, becomes) => {
  const writer = await refusing(status, code, listed);
  const identities = new Identities(reference);
  identities.enter('UserGroup', ['Quality'], GROUP);
  identities.enter('User', ['ann@example.com'], ANN);
  const performed = perform(step, write, { writer, identities, kindNamed: (kind) => builtIn.kindNamed(kind) as Kind });
  const came = await performed.then(
    () => 'done',
    (error: unknown) => (error instanceof DexsyncError ? error.code : String(error)),
  );
  expect(came).toBe(becomes);
});

test.each([
  ['not listed', 'SERVICE_ERROR', /^POST \/settings\/usergroups was answered with 400: No\. \(3003\)$/],
  [
    'listed',
    'WRITE_UNANSWERED',
    /The creation of UserGroup\/Quality was refused, and a new object with this name exists anyway\.$/,
  ],
] as const)('a refused creation is looked up once; it is %s: %s', async (listed, code, message) => {
  const writer = await refusing(400, 3003, listed);
  const identities = new Identities(reference);
  const performed = perform(step, create, { writer, identities, kindNamed: (kind) => builtIn.kindNamed(kind) as Kind });
  await expect(performed).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

/** Design, section 9: messages name objects, and never show a GUID. */
test('a refusal that quotes GUIDs names the known ones', async () => {
  const [weight, resistor, other] = ['CCCCCCCCCCCCCCCCCCCC', 'DDDDDDDDDDDDDDDDDDDD', 'EEEEEEEEEEEEEEEEEEEE'];
  const message = `The operator "CONTAINS" is not valid for "${weight}", ${resistor}, "${other}" and ("${GROUP}").`;
  const writer = await refusing(400, 3114, 'listed', message);
  const identities = new Identities(reference);
  identities.enter('UserGroup', ['Quality'], GROUP);
  identities.enter('Attribute', ['Weight in Grams'], weight, 'ITEMS');
  identities.enter('Category', ['Item\\Resistor', 'Resistor'], resistor);
  const performed = perform(step, update, { writer, identities, kindNamed: (kind) => builtIn.kindNamed(kind) as Kind });
  await expect(performed).rejects.toMatchObject({
    code: 'SERVICE_ERROR',
    problems: [{ code: 3114, message }],
    message:
      'PUT /settings/usergroups/{guid} was answered with 400: The operator "CONTAINS" is not valid for ' +
      'attribute "Weight in Grams", category "Item\\Resistor", "{guid}" and (user group "Quality"). (3114)',
  });
});
