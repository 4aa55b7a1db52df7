import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { Session, send } from '../harness/session.js';

let workspace: HostedWorkspace;

beforeAll(async () => {
  workspace = await openHosted();
});

afterAll(() => workspace.stop());

const logIn = (fields: object) => {
  const { email, password } = workspace;
  return send(workspace.url, 'POST', '/login', { email, password, ...fields });
};

const codes = (answer: { body: { errors: { code: number }[] } }) => answer.body.errors.map(({ code }) => code);

describe('login (interface 5, wire-facts 1)', () => {
  test('answers token, workspace and request limit, and counts nothing', async () => {
    const { status, body, headers } = await logIn({ workspaceId: workspace.workspaceId });
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId: expect.any(String),
      workspaceId: workspace.workspaceId,
      workspaceName: expect.any(String),
      workspaceRequestLimit: 25_000,
    });
    expect(headers.get('x-requests-remaining')).toBe('25000');
  });

  test('takes the workspace as text too, as some clients send it (wire-facts 0)', async () => {
    expect((await logIn({ workspaceId: String(workspace.workspaceId) })).status).toBe(200);
  });

  test.each([
    ['another workspace', { workspaceId: 1 }],
    ['another workspace as text', { workspaceId: '1' }],
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { email: 'nobody@example.com' }],
  ])('%s is 400 with code 4001', async (_, fields) => {
    const answer = await logIn(fields);
    expect([answer.status, ...codes(answer)]).toEqual([400, 4001]);
  });

  test('five wrong passwords lock the user (wire-facts 2.1, 4083)', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await logIn({ email: 'ben@example.com', password: 'wrong' });
    const answer = await logIn({ email: 'ben@example.com' });
    expect([answer.status, ...codes(answer)]).toEqual([400, 4083]);
  });

  test('a second login of the same user ends the first session (wire-facts 0)', async () => {
    const first = await Session.open(workspace, 'cleo@example.com');
    const second = await Session.open(workspace, 'cleo@example.com');
    expect((await first.send('GET', '/settings/users')).status).toBe(401);
    expect((await second.send('GET', '/settings/users')).status).toBe(200);
  });

  test('logging out with an empty JSON body, or {}, ends the session (wire-facts 1)', async () => {
    for (const body of [undefined, {}]) {
      const session = await Session.open(workspace, 'ann@example.com');
      const out = await session.send('PUT', '/logout', body, { 'content-type': 'application/json' });
      expect([out.status, out.text]).toEqual([200, '']);
      const again = await session.send('PUT', '/logout', body);
      expect([again.status, ...codes(again)]).toEqual([401, 401]);
    }
  });
});

describe('requests are refused (wire-facts 2)', () => {
  test.each([
    ['no session', 'GET', '/items', undefined, { 'Service-Session-Id': '' }, 401, 401],
    ['no such endpoint', 'GET', '/nothing', undefined, {}, 404, 404],
    ['a method that the path does not have', 'DELETE', '/imports', undefined, {}, 405, 405],
    ['deleting a definition (section 0)', 'DELETE', '/imports/AAAAAAAAAAAAAAAAAAAA', undefined, {}, 405, 405],
    ['malformed JSON', 'POST', '/imports', '{"name":', { 'content-type': 'application/json' }, 400, 400],
    [
      'keys that pollute prototypes',
      'POST',
      '/imports',
      '{"__proto__":{}}',
      { 'content-type': 'application/json' },
      400,
      400,
    ],
    ['another content type', 'POST', '/imports', 'name=x', { 'content-type': 'text/plain' }, 415, 415],
    ['a compressed request', 'POST', '/imports', '{}', { 'content-encoding': 'gzip' }, 415, 415],
    ['an oversized body', 'POST', '/imports', { name: 'x'.repeat(2 ** 23) }, {}, 413, 413],
    ['an ill-formed GUID', 'GET', '/imports/nothing', undefined, {}, 400, 3011],
    ['an unknown GUID', 'GET', '/imports/AAAAAAAAAAAAAAAAAAAA', undefined, {}, 400, 3011],
    ['an unknown search attribute', 'GET', '/imports?colour=red', undefined, {}, 400, 3019],
    ['a search for the name of a prototype', 'GET', '/imports?constructor=x', undefined, {}, 400, 3019],
    ['a blank search', 'GET', '/settings/users?email=%20', undefined, {}, 400, 3100],
    ['a limit above 400', 'GET', '/imports?limit=401', undefined, {}, 400, 3220],
    ['a limit of 0', 'GET', '/imports?limit=0', undefined, {}, 400, 3220],
    ['a negative offset', 'GET', '/imports?offset=-1', undefined, {}, 400, 3220],
  ] as const)('%s', async (_, method, path, body, headers, status, code) => {
    const session = await Session.open(workspace);
    const answer = await session.send(method, path, body, headers);
    expect([answer.status, ...codes(answer)]).toEqual([status, code]);
    expect(answer.body).toEqual({ status, errors: [{ code, message: expect.any(String) }] });
    // A connection that is closed while a body is still sent loses the answer.
    expect(answer.headers.get('connection')).not.toBe('close');
    expect(answer.headers.get('x-requests-remaining')).toMatch(/^\d+$/);
    expect(new Date(answer.headers.get('x-next-request-limit-reset') ?? '').getTime()).toBeGreaterThan(Date.now());
  });
});

describe('the request limit (wire-facts 2)', () => {
  test('counts failed calls too, then answers 429 with 4084 and Retry-After', async () => {
    const small = await openHosted('--quota', '3');
    const session = await Session.open(small);
    const remaining = async (path: string) => (await session.send('GET', path)).headers.get('x-requests-remaining');
    expect(await remaining('/settings/users')).toBe('2');
    expect(await remaining('/nothing')).toBe('1');
    expect((await session.send('GET', '/settings/version')).body).toEqual({ release: '2025.4' });
    const refused = await session.send('GET', '/settings/users');
    expect([refused.status, ...codes(refused)]).toEqual([429, 4084]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(small.url, 'POST', '/login', { email: small.email, password: small.password })).status).toBe(
      200,
    );
    await small.stop();
  });
});

describe('the log of API usage (interface 4.6)', () => {
  test('has one entry for each counted request, with method, path, status, user and usage reason', async () => {
    const session = await Session.open(workspace, 'robot@example.com');
    const from = new Date().toISOString().slice(0, 19);
    await session.send('GET', '/settings/usergroups?limit=1', undefined, { 'Service-Usage-Reason': 'dexsync/0' });
    await session.send('DELETE', '/settings/usergroups/nothing');
    await session.send('GET', '/openapi.json');
    const { results } = await session.get(`/settings/recentactivities/apiusages?limit=400&dateTimeFrom=${from}Z`);
    const mine = results.filter((entry: { userEmail: string }) => entry.userEmail === 'robot@example.com');
    const expected = { userEmail: 'robot@example.com', dateTime: expect.stringMatching(/^\d{4}-.+Z$/) };
    expect(mine).toEqual([
      { ...expected, method: 'GET', path: '/settings/usergroups?limit=1', status: 200, usageReason: 'dexsync/0' },
      { ...expected, method: 'DELETE', path: '/settings/usergroups/nothing', status: 400, usageReason: null },
    ]);
  });
});

test('a user reads the settings of their own (interface 4.6)', async () => {
  const served = await openHosted();
  onTestFinished(() => served.stop());
  const [administrator, ann] = [await Session.open(served), await Session.open(served, 'ann@example.com')];
  const personal = '/settings/users/personal';
  expect(await administrator.get(personal)).toMatchObject({ email: served.email, fullName: 'Ada Admin' });
  const own = await ann.get(personal);
  expect(own).toMatchObject({ email: 'ann@example.com', type: 'EMPLOYEE' });
  expect(await ann.get(`/settings/users/${own.guid}`)).toEqual(own);
});

test('--log-requests names the operation that answered each request', async () => {
  const own = await openHosted('--log-requests');
  onTestFinished(() => own.stop());
  const session = await Session.open(own);
  const { results } = await session.get('/changes?limit=1');
  await session.send('DELETE', `/changes/${results[0]?.guid ?? 'nothing'}`);
  await session.get('/settings/usergroups');
  await session.get('/nothing');
  const lines = (): string[] => own.stderr().trim().split('\n');
  await expect
    .poll(() => lines().map((line) => line.replace(/ \d+ ms /, ' TIME ')))
    .toEqual([
      'POST /login 200 TIME  Open a session',
      'GET /changes?limit=1 200 TIME  Search changes',
      'DELETE /changes/nothing 400 TIME  Delete a change',
      'GET /settings/usergroups 200 TIME  Search user groups',
      'GET /nothing 404 TIME  no operation',
    ]);
});

describe('the OpenAPI document (interface 9)', () => {
  test('needs no session and describes every endpoint', async () => {
    const { status, body } = await send(workspace.url, 'GET', '/openapi.json');
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    expect(Object.keys(body.paths).sort()).toMatchInlineSnapshot(`
      [
        "/changes",
        "/changes/statuschanges",
        "/changes/{guid}",
        "/changes/{guid}/alerts",
        "/changes/{guid}/files",
        "/changes/{guid}/files/{member}",
        "/changes/{guid}/implementationfiles",
        "/changes/{guid}/implementationfiles/{member}",
        "/changes/{guid}/implementationtasks",
        "/changes/{guid}/implementationtasks/{member}",
        "/changes/{guid}/implementationtasks/{member}/files",
        "/changes/{guid}/implementationtasks/{member}/files/{entry}",
        "/changes/{guid}/implementationtasks/{member}/notes",
        "/changes/{guid}/implementationtasks/{member}/notes/{entry}",
        "/changes/{guid}/items",
        "/changes/{guid}/items/{member}",
        "/changes/{guid}/markupfiles",
        "/changes/{guid}/markupfiles/{member}",
        "/changes/{guid}/quality",
        "/changes/{guid}/quality/{member}",
        "/changes/{guid}/requests",
        "/changes/{guid}/requests/{member}",
        "/changes/{guid}/tickets",
        "/changes/{guid}/tickets/{member}",
        "/embedded/attributes",
        "/embedded/attributes/{guid}",
        "/embedded/categories",
        "/embedded/faults",
        "/embedded/items/{guid}",
        "/embedded/numberformats",
        "/embedded/reset",
        "/embedded/users",
        "/exports",
        "/exports/{guid}",
        "/exports/{guid}/runs",
        "/exports/{guid}/runs/{run}",
        "/exports/{guid}/runs/{run}/files/{file}",
        "/exports/{guid}/runs/{run}/files/{file}/content",
        "/extracts",
        "/extracts/{guid}",
        "/extracts/{guid}/runs",
        "/extracts/{guid}/runs/latestCompleted",
        "/extracts/{guid}/runs/latestcompleted",
        "/extracts/{guid}/runs/{run}",
        "/extracts/{guid}/runs/{run}/files",
        "/extracts/{guid}/runs/{run}/files/{file}",
        "/extracts/{guid}/runs/{run}/files/{file}/content",
        "/files",
        "/files/checkoutstatuschanges",
        "/files/{guid}",
        "/files/{guid}/changeimplementations",
        "/files/{guid}/changeimplementations/{member}",
        "/files/{guid}/changereferences",
        "/files/{guid}/changereferences/{member}",
        "/files/{guid}/content",
        "/files/{guid}/corrections",
        "/files/{guid}/corrections/{member}",
        "/files/{guid}/editions",
        "/files/{guid}/items",
        "/files/{guid}/items/{member}",
        "/files/{guid}/markups",
        "/files/{guid}/markups/{member}",
        "/files/{guid}/markups/{member}/content",
        "/files/{guid}/qualityprocesses",
        "/files/{guid}/qualityprocesses/{member}",
        "/files/{guid}/requests",
        "/files/{guid}/requests/{member}",
        "/files/{guid}/supplieritems",
        "/files/{guid}/supplieritems/{member}",
        "/files/{guid}/suppliers",
        "/files/{guid}/suppliers/{member}",
        "/files/{guid}/trainingplans",
        "/files/{guid}/trainingplans/{member}",
        "/imports",
        "/imports/{guid}",
        "/imports/{guid}/runs",
        "/imports/{guid}/runs/{run}",
        "/imports/{guid}/runs/{run}/errorContent",
        "/imports/{guid}/runs/{run}/resultContent",
        "/imports/{guid}/runs/{run}/submitContent",
        "/items",
        "/items/lifecyclephasechanges",
        "/items/{guid}",
        "/items/{guid}/bom",
        "/items/{guid}/bom/settings",
        "/items/{guid}/bom/{member}",
        "/items/{guid}/bom/{member}/substitutes",
        "/items/{guid}/bom/{member}/substitutes/{entry}",
        "/items/{guid}/compliance",
        "/items/{guid}/compliance/{member}",
        "/items/{guid}/files",
        "/items/{guid}/files/{member}",
        "/items/{guid}/files/{member}/content",
        "/items/{guid}/futurechanges",
        "/items/{guid}/futurechanges/{member}",
        "/items/{guid}/image",
        "/items/{guid}/image/content",
        "/items/{guid}/items",
        "/items/{guid}/items/{member}",
        "/items/{guid}/quality",
        "/items/{guid}/quality/{member}",
        "/items/{guid}/revisions",
        "/items/{guid}/sourcing",
        "/items/{guid}/sourcing/{member}",
        "/items/{guid}/tickets",
        "/items/{guid}/tickets/{member}",
        "/items/{guid}/trainingplans",
        "/items/{guid}/trainingplans/{member}",
        "/items/{guid}/trainingrecords",
        "/items/{guid}/trainingrecords/{member}",
        "/items/{guid}/whereused",
        "/login",
        "/logout",
        "/outboundevents",
        "/outboundevents/{guid}",
        "/outboundevents/{guid}/administrators",
        "/outboundevents/{guid}/administrators/{member}",
        "/outboundevents/{guid}/events",
        "/outboundevents/{guid}/events/{event}",
        "/outboundevents/{guid}/events/{event}/changes",
        "/outboundevents/{guid}/events/{event}/changes/{entry}",
        "/outboundevents/{guid}/events/{event}/items",
        "/outboundevents/{guid}/events/{event}/items/{entry}",
        "/outboundevents/{guid}/events/{event}/qualityprocesses",
        "/outboundevents/{guid}/events/{event}/qualityprocesses/{entry}",
        "/outboundevents/{guid}/events/{event}/requests",
        "/outboundevents/{guid}/events/{event}/requests/{entry}",
        "/outboundevents/{guid}/triggers",
        "/outboundevents/{guid}/triggers/{member}",
        "/outboundintegrations",
        "/outboundintegrations/{guid}",
        "/outboundintegrations/{guid}/administrators",
        "/outboundintegrations/{guid}/events",
        "/outboundintegrations/{guid}/events/{member}",
        "/outboundintegrations/{guid}/events/{member}/itemguids",
        "/outboundintegrations/{guid}/events/{member}/items",
        "/outboundintegrations/{guid}/events/{member}/items/{entry}",
        "/qualityprocesses",
        "/qualityprocesses/statuschanges",
        "/qualityprocesses/{guid}",
        "/qualityprocesses/{guid}/steps",
        "/qualityprocesses/{guid}/steps/{member}",
        "/qualityprocesses/{guid}/steps/{member}/affected",
        "/qualityprocesses/{guid}/steps/{member}/affected/{entry}",
        "/qualityprocesses/{guid}/steps/{member}/decisions",
        "/qualityprocesses/{guid}/steps/{member}/decisions/{entry}",
        "/requests",
        "/requests/statuschanges",
        "/requests/{guid}",
        "/requests/{guid}/changes",
        "/requests/{guid}/changes/{member}",
        "/requests/{guid}/files",
        "/requests/{guid}/files/{member}",
        "/requests/{guid}/items",
        "/requests/{guid}/items/{member}",
        "/requests/{guid}/markupfiles",
        "/requests/{guid}/markupfiles/{member}",
        "/requests/{guid}/quality",
        "/requests/{guid}/quality/{member}",
        "/settings/changes/administrators",
        "/settings/changes/administrators/{guid}",
        "/settings/changes/attributes",
        "/settings/changes/categories",
        "/settings/changes/categories/{guid}",
        "/settings/changes/categories/{guid}/attributes",
        "/settings/changes/categories/{guid}/implementationtemplates",
        "/settings/changes/categories/{guid}/implementationtemplates/{member}",
        "/settings/changes/implementationstatuses",
        "/settings/changes/implementationstatuses/{guid}",
        "/settings/changes/items/attributes",
        "/settings/changes/numbersequenceprefixes",
        "/settings/changes/numbersequenceprefixes/{guid}",
        "/settings/changes/routings",
        "/settings/changes/routings/{guid}",
        "/settings/export/attributes",
        "/settings/files/attributes",
        "/settings/files/categories",
        "/settings/files/categories/{guid}",
        "/settings/files/categories/{guid}/attributes",
        "/settings/integrations/triggers",
        "/settings/integrations/triggers/{guid}",
        "/settings/items/attributes",
        "/settings/items/attributes/{guid}",
        "/settings/items/bom/attributes",
        "/settings/items/categories",
        "/settings/items/categories/{guid}",
        "/settings/items/categories/{guid}/attributes",
        "/settings/items/lifecyclephases",
        "/settings/items/numberformats",
        "/settings/items/numberformats/{guid}",
        "/settings/items/numberreservations",
        "/settings/items/numberreservations/{guid}",
        "/settings/items/requirements",
        "/settings/items/requirements/{guid}",
        "/settings/policies",
        "/settings/policies/{guid}",
        "/settings/qualityprocesses/attributes",
        "/settings/qualityprocesses/numberformats",
        "/settings/qualityprocesses/numberformats/{guid}",
        "/settings/qualityprocesses/owners",
        "/settings/qualityprocesses/owners/{guid}",
        "/settings/qualityprocesses/steps/attributes",
        "/settings/qualityprocesses/templates",
        "/settings/qualityprocesses/templates/{guid}",
        "/settings/recentactivities/apiusages",
        "/settings/recentactivities/exports",
        "/settings/recentactivities/fileaccesses",
        "/settings/recentactivities/reportruns",
        "/settings/recentactivities/useraccesses",
        "/settings/requests/administrators",
        "/settings/requests/administrators/{guid}",
        "/settings/requests/attributes",
        "/settings/requests/categories",
        "/settings/requests/categories/{guid}",
        "/settings/requests/categories/{guid}/attributes",
        "/settings/requests/evaluatorgroups",
        "/settings/requests/evaluatorgroups/{guid}",
        "/settings/requests/items/attributes",
        "/settings/requests/numbersequenceprefixes",
        "/settings/requests/numbersequenceprefixes/{guid}",
        "/settings/requests/numbersequences",
        "/settings/requests/numbersequences/{guid}",
        "/settings/requests/statuschangeattributes",
        "/settings/supplieritems/attributes",
        "/settings/supplieritems/requirements",
        "/settings/supplieritems/requirements/{guid}",
        "/settings/suppliers/approvalstatuses",
        "/settings/suppliers/approvalstatuses/{guid}",
        "/settings/suppliers/attributes",
        "/settings/tickets/attributes",
        "/settings/tickets/numbersequenceprefixes",
        "/settings/tickets/numbersequenceprefixes/{guid}",
        "/settings/tickets/numbersequences",
        "/settings/tickets/numbersequences/{guid}",
        "/settings/tickets/templates",
        "/settings/tickets/templates/{guid}",
        "/settings/tickets/templates/{guid}/attributes",
        "/settings/trainingplans/managers",
        "/settings/trainingplans/managers/{guid}",
        "/settings/trainingplans/numbersequences",
        "/settings/trainingplans/numbersequences/{guid}",
        "/settings/usergroups",
        "/settings/usergroups/{guid}",
        "/settings/usergroups/{guid}/employees",
        "/settings/usergroups/{guid}/employees/{member}",
        "/settings/usergroups/{guid}/partners",
        "/settings/usergroups/{guid}/partners/{member}",
        "/settings/usergroups/{guid}/users",
        "/settings/usergroups/{guid}/users/{user}",
        "/settings/users",
        "/settings/users/personal",
        "/settings/users/{guid}",
        "/settings/version",
        "/supplieritems",
        "/supplieritems/{guid}",
        "/supplieritems/{guid}/compliance",
        "/supplieritems/{guid}/compliance/{member}",
        "/supplieritems/{guid}/files",
        "/supplieritems/{guid}/files/{member}",
        "/supplieritems/{guid}/files/{member}/content",
        "/supplieritems/{guid}/image",
        "/supplieritems/{guid}/image/content",
        "/supplieritems/{guid}/quality",
        "/supplieritems/{guid}/quality/{member}",
        "/supplieritems/{guid}/sourcing",
        "/supplieritems/{guid}/sourcing/{member}",
        "/suppliers",
        "/suppliers/{guid}",
        "/suppliers/{guid}/addresses",
        "/suppliers/{guid}/addresses/{member}",
        "/suppliers/{guid}/files",
        "/suppliers/{guid}/files/{member}",
        "/suppliers/{guid}/phonenumbers",
        "/suppliers/{guid}/phonenumbers/{member}",
        "/suppliers/{guid}/quality",
        "/suppliers/{guid}/quality/{member}",
        "/tickets",
        "/tickets/statuschanges",
        "/tickets/{guid}",
        "/tickets/{guid}/changes",
        "/tickets/{guid}/changes/{member}",
        "/tickets/{guid}/files",
        "/tickets/{guid}/files/{member}",
        "/tickets/{guid}/items",
        "/tickets/{guid}/items/{member}",
        "/tickets/{guid}/quality",
        "/tickets/{guid}/quality/{member}",
        "/tickets/{guid}/tickets",
        "/tickets/{guid}/tickets/{member}",
        "/trainingplans",
        "/trainingplans/statuschanges",
        "/trainingplans/{guid}",
        "/trainingplans/{guid}/files",
        "/trainingplans/{guid}/files/{member}",
        "/trainingplans/{guid}/items",
        "/trainingplans/{guid}/items/{member}",
        "/trainingplans/{guid}/quality",
        "/trainingplans/{guid}/quality/{member}",
        "/trainingplans/{guid}/records",
        "/trainingplans/{guid}/records/{member}",
        "/trainingplans/{guid}/users",
        "/trainingplans/{guid}/users/{member}",
      ]
    `);
    expect(body.paths['/embedded/users'].post.tags).toEqual(['embedded only']);
  });
});

describe('administration of the embedded workspace', () => {
  test('is for the administrator, uncounted, and not in the usage log', async () => {
    const other = await Session.open(workspace, 'ann@example.com');
    const refused = await other.send('POST', '/embedded/users', { email: 'x@example.com', fullName: 'X Y' });
    expect([refused.status, ...codes(refused)]).toEqual([403, 3221]);
    const session = await Session.open(workspace);
    const before = (await session.send('GET', '/settings/version')).headers.get('x-requests-remaining');
    const user = { email: 'dora@example.com', fullName: 'Dora Designer', password: workspace.password };
    const { status, body, headers } = await session.send('POST', '/embedded/users', user);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: 'dora@example.com',
      firstName: 'Dora',
      lastName: 'Designer',
      type: 'EMPLOYEE',
    });
    expect(headers.get('x-requests-remaining')).toBe(before);
    await Session.open(workspace, 'dora@example.com').then((dora) => dora.get('/settings/users'));
    const category = await session.post('/embedded/categories', { path: 'Item\\Optics\\Lens' });
    expect(category).toMatchObject({ name: 'Lens', path: 'Item\\Optics\\Lens', level: 2 });
    const found = await session.get(`/settings/items/categories?path=${encodeURIComponent('item\\Opt*')}`);
    expect(found.results.map(({ path }: { path: string }) => path)).toEqual(['Item\\Optics', 'Item\\Optics\\Lens']);
  });
});

test('exactly the lists that are documented with offset and limit are paged (wire-facts 3)', async () => {
  const { body } = await send(workspace.url, 'GET', '/openapi.json');
  const paths = body.paths as Record<string, { get?: { parameters?: { name: string }[] } }>;
  const paged = Object.entries(paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'limit') === true ? [path.replaceAll(/\{\w+\}/g, '*')] : [],
  );
  const answered = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '*'));
  const documented = readFileSync(new URL('../../schema/service/endpoints.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([method, path = '', , isPaged]) =>
      method === 'GET' && isPaged === 'yes' ? [path.replaceAll('{guid}', '*')] : [],
    );
  // Interface 4.6 names the list of usages, which is on no page.
  const expected = ['/settings/recentactivities/apiusages', ...documented.filter((path) => answered.includes(path))];
  expect(paged.sort()).toEqual(expected.sort());
});
