import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { formOf, type Method, Session, send } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted('--dialect', 'arena');
  session = await Session.open(workspace);
});

afterAll(() => workspace.stop());

const NOBODY = 'A'.repeat(20);

test('login answers the token in both fields, and only its own header opens the session (wire-facts 0)', async () => {
  const { email, password, workspaceId, url } = workspace;
  const { status, body } = await send(url, 'POST', '/login', { email, password, workspaceId });
  expect(status).toBe(200);
  expect(body).toEqual({
    arenaSessionId: expect.any(String),
    arena_session_id: body.arenaSessionId,
    workspaceId,
    workspaceName: expect.any(String),
    workspaceRequestLimit: 25_000,
  });
  const get = (header: string) => send(url, 'GET', '/items', undefined, { [header]: body.arenaSessionId });
  expect((await get('arena_session_id')).status).toBe(200);
  expect((await get('Service-Session-Id')).status).toBe(401);
  session = await Session.open(workspace);
});

test('every answer has the quota headers, the date in the odd form of the next Pacific midnight (wire-facts 2)', async () => {
  const { headers } = await send(workspace.url, 'GET', '/items');
  expect(headers.get('x-arena-requests-remaining')).toMatch(/^\d+$/);
  expect(headers.get('x-requests-remaining')).toBeNull();
  const reset = headers.get('x-arena-next-request-limit-reset') ?? '';
  const form = /^(\w{3}), (\d\d)-(\w{3})-(\d{4}) 00:00:00 GMT-0([78])00 \((PDT|PST)\)$/.exec(reset);
  expect(form, reset).not.toBeNull();
  const [, weekday, day, month, year, offset, zone] = form ?? [];
  expect(zone).toBe(offset === '7' ? 'PDT' : 'PST');
  const instant = new Date(`${day} ${month} ${year} 00:00:00 GMT-0${offset}00`);
  expect(instant.getTime() - Date.now()).toBeGreaterThan(0);
  expect(instant.getTime() - Date.now()).toBeLessThanOrEqual(25 * 3_600_000);
  const here = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', weekday: 'short' });
  expect(here.format(instant)).toBe(weekday);
});

test('the log of API usage says who, why and when (interface 4.6)', async () => {
  await session.send('GET', '/items?limit=1', undefined, { 'Arena-Usage-Reason': 'dexsync/0' });
  const { results } = await session.get('/settings/recentactivities/apiusages?limit=400');
  expect(results).toContainEqual({
    dateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    method: 'GET',
    path: '/items?limit=1',
    status: 200,
    userEmail: workspace.email,
    usageReason: 'dexsync/0',
  });
});

test.each([
  '/settings/items/categories',
  '/settings/changes/categories',
  '/settings/items/attributes',
  '/settings/items/bom/attributes',
  '/settings/tickets/attributes',
  '/settings/items/lifecyclephases',
  '/settings/usergroups',
  '/settings/items/numberformats',
  '/settings/suppliers/approvalstatuses/',
])('%s comes whole, with any offset and limit (wire-facts 3, "Not paginated")', async (path) => {
  if (path === '/settings/usergroups') {
    for (let index = 0; index < 25; index += 1) await session.post(path, { name: `Group ${index}` });
  }
  const whole = await session.get(path);
  expect(whole.count).toBeGreaterThan(1);
  if (path === '/settings/usergroups') expect(whole.count).toBe(26);
  for (const page of ['offset=1&limit=1', 'limit=0', 'offset=-1', 'limit=401']) {
    expect(await session.get(`${path}?${page}`)).toEqual(whole);
  }
});

test('a search narrows a whole list, and an unknown attribute is refused', async () => {
  const { results } = await session.get('/settings/items/categories?path=item%5CRes*&limit=1');
  expect(results.map(({ name }: { name: string }) => name)).toEqual(['Resistor']);
  expect((await session.send('GET', '/settings/items/categories?colour=red')).body.errors[0].code).toBe(3019);
});

test.each<[string, Method, string, number]>([
  ['the service version', 'GET', '/settings/version', 404],
  ['policies', 'GET', '/settings/policies', 404],
  ['creating a policy', 'POST', '/settings/policies', 404],
  ['one policy', 'GET', `/settings/policies/${NOBODY}`, 404],
  ['updating a number reservation', 'PUT', `/settings/items/numberreservations/${NOBODY}`, 405],
  ['deleting an import definition', 'DELETE', `/imports/${NOBODY}`, 405],
  ['creating an attribute', 'POST', '/settings/changes/attributes', 405],
])('%s: %s %s is %i (wire-facts 0)', async (_, method, path, status) => {
  const answer = await session.send(method, path, method === 'POST' ? {} : undefined);
  expect([answer.status, answer.body.errors[0].code]).toEqual([status, status]);
});

test('a mapping names a custom attribute by its name, which survives re-creating it (wire-facts 0)', async () => {
  const entry = (apiName: string, sourceName: string) => ({ resource: 'item_specs', apiName, sourceName });
  const mapping = [entry('number', 'No'), entry('name', 'Name'), entry('Finish', 'Finish')];
  const body = { name: 'By name', resource: 'Item_Specs', mode: 'overwrite', options: { mapping } };
  const answer = await session.send('POST', '/imports', body);
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ resource: 'ITEM_SPECS', mode: 'OVERWRITE' });
  expect(answer.body.options.mapping[2].apiName).toBe('Finish');
  const byGuid = { ...body, options: { mapping: [entry(await session.attribute('Finish'), 'Finish')] } };
  expect((await session.send('POST', '/imports', byGuid)).body.errors[0].code).toBe(3004);
  await session.send('DELETE', `/embedded/attributes/${await session.attribute('Finish')}`);
  await session.post('/embedded/attributes', { world: 'ITEMS', name: 'Finish', fieldType: 'SINGLE_LINE_TEXT' });
  const { run } = await session.importNow(`/imports/${answer.body.guid}`, 'No,Name,Finish\r\nN-1,One,Matte\r\n');
  expect(run).toMatchObject({ status: 'COMPLETE', successCount: 1, errorCount: 0 });
  const [item] = await session.items('N-1');
  expect(item.additionalAttributes).toMatchObject([{ name: 'Finish', value: 'Matte' }]);
});

describe('the answer to a commit comes when it is done (wire-facts 0)', () => {
  const ROWS = 8000;
  const file = `number,name\r\n${Array.from({ length: ROWS }, (_, i) => `W-${i},${i === 7 ? '' : `Part ${i}`}\r\n`).join('')}`;

  test('with the run at COMPLETE and final counts, while other requests are answered', async () => {
    const run = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), file, { commit: 'false' });
    expect(await session.finished(run)).toMatchObject({ status: 'COMPLETE', commit: false, errorCount: 1 });
    let answered = false;
    const commits = [1, 2].map(() =>
      session.send('PUT', run, { commit: true }).finally(() => {
        answered = true;
      }),
    );
    const seen = new Set<string>();
    while (!answered) seen.add((await session.get(run)).status);
    expect([...seen]).toContain('RUNNING');
    const final = { status: 'COMPLETE', commit: true, totalCount: ROWS, successCount: ROWS - 1, errorCount: 1 };
    for (const { status, body } of await Promise.all(commits)) {
      expect(status).toBe(200);
      expect(body).toMatchObject(final);
    }
    expect((await session.items('W-6')).length).toBe(1);
    expect((await session.items('W-7')).length).toBe(0);
  });

  test('a commit finishes even if the client disconnects', async () => {
    const run = await session.submit(await session.define('ITEM_SPECS', 'OVERWRITE'), file, { commit: 'false' });
    await session.finished(run);
    const gone = fetch(workspace.url + run, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', arena_session_id: session.token },
      body: '{"commit":true}',
      signal: AbortSignal.timeout(60),
    });
    await gone.catch(() => undefined);
    expect(await session.finished(run)).toMatchObject({ status: 'COMPLETE' });
  });

  test('SIGTERM while a client waits ends the process cleanly, and the next start completes the commit', async () => {
    const db = join(temporaryFolder(), 'w.db');
    const first = await startWorkspace('--dialect', 'arena', '--db', db);
    const before = await Session.open(first);
    const run = await before.submit(await before.define('ITEM_SPECS', 'CREATE'), file, { commit: 'false' });
    await before.finished(run);
    const waiting = before.send('PUT', run, { commit: true }).catch((error: Error) => error.name);
    await sleep(100);
    expect(await first.stop('SIGTERM')).toBe(0);
    expect(first.stderr()).toBe('');
    expect(await waiting).toBe('TypeError');
    const second = await openHosted('--dialect', 'arena', '--db', db);
    const after = await Session.open(second);
    expect(await after.finished(run)).toMatchObject({ status: 'COMPLETE', commit: true, errorCount: 1 });
    await second.stop();
  });

  test('before COMPLETE it is refused with 3518', async () => {
    const run = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), file, { commit: 'false' });
    const { status, body } = await session.send('PUT', run, { commit: true });
    expect([status, body.errors[0].code]).toEqual([400, 3518]);
    await session.finished(run);
  });
});

test('the form of a run and its answers are those of the other dialect', async () => {
  const definition = await session.define('ITEM_SPECS', 'CREATE');
  const answer = await session.send('POST', `${definition}/runs`, formOf('number,name\r\nF-1,One\r\n'));
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ status: 'CREATED', successCount: 0, commit: true });
});

describe('in an older release (interface 9)', () => {
  test('2025.1 has number reservations, but refuses TRAINING', async () => {
    const older = await openHosted('--release', '2025.1');
    const old = await Session.open(older);
    expect(await old.get('/settings/version')).toEqual({ release: '2025.1' });
    expect((await old.get('/settings/items/numberreservations')).count).toBe(0);
    const training = { name: 'Trainers', assignability: ['TRAINING'] };
    expect((await old.send('POST', '/settings/usergroups', training)).body.errors[0].code).toBe(3006);
    expect((await old.send('POST', '/settings/usergroups', { ...training, assignability: ['QUALITY'] })).status).toBe(
      201,
    );
    await older.stop();
  });

  test.each(['reference', 'arena'])('before 2025.1 number reservations have no route (%s)', async (dialect) => {
    const older = await openHosted('--release', '2024.4', '--dialect', dialect);
    const old = await Session.open(older);
    for (const [method, path] of [
      ['GET', '/settings/items/numberreservations'],
      ['POST', '/settings/items/numberreservations'],
      ['DELETE', `/settings/items/numberreservations/${NOBODY}`],
    ] as const) {
      const answer = await old.send(method, path);
      expect([answer.status, answer.body.errors[0].code]).toEqual([404, 404]);
    }
    expect((await send(older.url, 'GET', '/openapi.json')).text).not.toContain('numberreservations');
    await older.stop();
  });
});
