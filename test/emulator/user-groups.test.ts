import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { Session } from '../harness/session.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
});

afterAll(() => workspace.stop());

const GROUPS = '/settings/usergroups';

test('a group is created with defaults for what the request leaves out (wire-facts 7)', async () => {
  const { status, body } = await session.send('POST', GROUPS, { name: 'Defaults' });
  expect(status).toBe(201);
  expect(body).toEqual({
    guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
    name: 'Defaults',
    description: '',
    enabled: true,
    assignability: [],
    creationDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
    lastModifiedDateTime: null,
    modifiedBy: null,
  });
  expect(await session.get(`${GROUPS}/${body.guid}`)).toEqual(body);
});

test('PUT is a full update: a field that is missing becomes its default (wire-facts 0, the harsh reading)', async () => {
  const fields = { name: 'Full', description: 'text', enabled: false, assignability: ['QUALITY', 'TRAINING'] };
  const created = await session.post(GROUPS, fields);
  expect(created).toMatchObject(fields);
  const { status, body } = await session.send('PUT', `${GROUPS}/${created.guid}`, { name: 'Full' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ guid: created.guid, name: 'Full', description: '', enabled: true, assignability: [] });
  expect(body.modifiedBy).toEqual(created.creator);
});

test.each([
  ['a name that another group has, letter case aside', { name: 'everyone' }, 4701],
  ['an unknown assignability', { name: 'New', assignability: ['SALES'] }, 3006],
  ['no name', { description: 'x' }, 3001],
  ['a blank name', { name: ' ' }, 3020],
  ['an unknown field', { name: 'New', colour: 'red' }, 3004],
  ['a field of the wrong type', { name: 'New', enabled: 'yes' }, 3003],
])('%s is refused', async (_, body, code) => {
  const answer = await session.send('POST', GROUPS, body);
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  const { results } = await session.get(`${GROUPS}?name=New`);
  expect(results).toEqual([]);
});

test('a group may be updated under its own name, in other letter case', async () => {
  const { guid } = await session.post(GROUPS, { name: 'Own name' });
  expect((await session.send('PUT', `${GROUPS}/${guid}`, { name: 'OWN NAME' })).body.name).toBe('OWN NAME');
});

test('members are added, listed with their GUIDs, and removed, one request each (interface 4.6)', async () => {
  const { guid } = await session.post(GROUPS, { name: 'Members' });
  const { results: users } = await session.get('/settings/users?type=EMPLOYEE');
  const members = `${GROUPS}/${guid}/users`;
  for (const user of users) {
    const { status, body } = await session.send('POST', members, { guid: user.guid });
    expect([status, body]).toEqual([201, user]);
  }
  expect((await session.send('POST', members, { guid: users[0].guid })).status).toBe(201);
  expect(await session.get(members)).toEqual({ count: users.length, results: users });
  expect(await session.get(`${members}/${users[1].guid}`)).toEqual(users[1]);
  expect((await session.send('DELETE', `${members}/${users[1].guid}`)).status).toBe(204);
  const again = await session.send('DELETE', `${members}/${users[1].guid}`);
  expect([again.status, again.body.errors[0].code]).toEqual([400, 3012]);
  expect((await session.get(members)).count).toBe(users.length - 1);
});

test('an unknown user cannot become a member', async () => {
  const { guid } = await session.post(GROUPS, { name: 'Nobody' });
  const answer = await session.send('POST', `${GROUPS}/${guid}/users`, { guid: 'A'.repeat(20) });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, 3011]);
});

test('a deleted group is gone with its members, and its name is free (wire-facts 2: 204)', async () => {
  const { guid } = await session.post(GROUPS, { name: 'Short-lived' });
  const { results } = await session.get('/settings/users?limit=1');
  await session.post(`${GROUPS}/${guid}/users`, { guid: results[0].guid });
  const { status, text } = await session.send('DELETE', `${GROUPS}/${guid}`);
  expect([status, text]).toEqual([204, '']);
  expect((await session.send('GET', `${GROUPS}/${guid}`)).body.errors[0].code).toBe(3011);
  expect((await session.send('POST', GROUPS, { name: 'Short-lived' })).status).toBe(201);
});

test('the list comes whole, in one order; count is of this answer (wire-facts 0)', async () => {
  for (let index = 0; index < 45; index += 1) await session.post(GROUPS, { name: `Page ${index}` });
  const { count, results } = await session.get(`${GROUPS}?name=Page*&offset=20&limit=4`);
  expect(count).toBe(45);
  const names = results.map(({ name }: { name: string }) => name);
  expect(names).toEqual(Array.from({ length: 45 }, (_, index) => `Page ${index}`));
});

test('searches take a wildcard at either end, and ignore letter case (wire-facts 3)', async () => {
  await session.post(GROUPS, { name: '100% sure_thing', enabled: false });
  const names = async (query: string) =>
    (await session.get(`${GROUPS}?${query}`)).results.map(({ name }: { name: string }) => name);
  expect(await names('name=100%25*')).toEqual(['100% sure_thing']);
  expect(await names('name=*E_THING')).toEqual(['100% sure_thing']);
  expect(await names('name=*sure*&enabled=false')).toEqual(['100% sure_thing']);
  expect(await names('name=100%25')).toEqual([]);
});
