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

const POLICIES = '/settings/policies';

const group = async (name: string): Promise<{ guid: string; name: string }> => {
  const { guid } = await session.post('/settings/usergroups', { name });
  return { guid, name };
};

test('a policy echoes its groups with their names, and its rules (wire-facts 0, "policies")', async () => {
  const [one, two] = [await group('Writers'), await group('Readers')];
  const rules = [
    { resource: 'ITEM', actions: ['READ', 'CREATE'] },
    { resource: 'OWN_WORD', actions: ['DO_2'] },
  ];
  const fields = { name: 'Items', description: 'Who may', enabled: false, rules };
  const answer = await session.send('POST', POLICIES, {
    ...fields,
    userGroups: [{ guid: two.guid }, { guid: one.guid }],
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
    ...fields,
    userGroups: [two, one],
    creationDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
    lastModifiedDateTime: null,
    modifiedBy: null,
  });
  expect(await session.get(`${POLICIES}/${answer.body.guid}`)).toEqual(answer.body);
  expect((await session.get(`${POLICIES}?name=items&enabled=false`)).results).toEqual([answer.body]);
});

test('PUT is a full update: a field that is missing becomes its default', async () => {
  const { guid } = await group('Full');
  const rules = [{ resource: 'ITEM', actions: ['READ'] }];
  const full = { name: 'Full', description: 'text', enabled: false, userGroups: [{ guid }], rules };
  const created = await session.post(POLICIES, full);
  const { status, body } = await session.send('PUT', `${POLICIES}/${created.guid}`, { name: 'FULL' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'FULL', description: '', enabled: true, userGroups: [], rules: [] });
  expect(body.modifiedBy).toEqual(created.creator);
  expect(body.lastModifiedDateTime).toMatch(/Z$/);
});

const rule = (resource: string, ...actions: string[]) => ({ name: 'New', rules: [{ resource, actions }] });

test.each([
  ['a name that another policy has, letter case aside', { name: 'taken' }, 3003],
  ['no name', { description: 'x' }, 3001],
  ['a blank name', { name: ' ' }, 3020],
  ['an unknown group', { name: 'New', userGroups: [{ guid: 'A'.repeat(20) }] }, 3011],
  ['an ill-formed group', { name: 'New', userGroups: [{ guid: 'x' }] }, 3011],
  ['a group by name', { name: 'New', userGroups: ['Everyone'] }, 3003],
  ['a blank resource', rule(' ', 'READ'), 3020],
  ['a blank action', rule('ITEM', 'READ', ''), 3020],
  ['no action', rule('ITEM'), 3020],
  ['a resource other than an upper-case word', rule('item', 'READ'), 3006],
  ['an action other than an upper-case word', rule('ITEM', 'Read it'), 3006],
  ['an unknown field', { name: 'New', colour: 'red' }, 3004],
  ['a field of the wrong type', { name: 'New', enabled: 'yes' }, 3003],
])('%s is refused', async (_, body, code) => {
  await session.send('POST', POLICIES, { name: 'Taken' });
  const answer = await session.send('POST', POLICIES, body);
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  expect((await session.get(`${POLICIES}?name=New`)).count).toBe(0);
});

test('a refused update leaves the policy and its groups as they are', async () => {
  const { guid } = await group('Kept');
  const created = await session.post(POLICIES, { name: 'Kept', userGroups: [{ guid }] });
  const body = { name: 'Kept', userGroups: [{ guid: 'A'.repeat(20) }] };
  expect((await session.send('PUT', `${POLICIES}/${created.guid}`, body)).body.errors[0].code).toBe(3011);
  expect(await session.get(`${POLICIES}/${created.guid}`)).toEqual(created);
});

test('a deleted group leaves the policies that used it, and a renamed one is shown by its new name', async () => {
  const [one, two] = [await group('Goes'), await group('Stays')];
  const { guid } = await session.post(POLICIES, {
    name: 'Shrinks',
    userGroups: [{ guid: one.guid }, { guid: two.guid }],
  });
  await session.send('DELETE', `/settings/usergroups/${one.guid}`);
  await session.send('PUT', `/settings/usergroups/${two.guid}`, { name: 'Remains' });
  expect((await session.get(`${POLICIES}/${guid}`)).userGroups).toEqual([{ guid: two.guid, name: 'Remains' }]);
});

test('a deleted policy is gone, its name is free and its groups remain', async () => {
  const { guid: used } = await group('Used');
  const { guid } = await session.post(POLICIES, { name: 'Short-lived', userGroups: [{ guid: used }] });
  const { status, text } = await session.send('DELETE', `${POLICIES}/${guid}`);
  expect([status, text]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await session.send(method, `${POLICIES}/${guid}`)).body.errors[0].code).toBe(3011);
  }
  expect((await session.send('PUT', `${POLICIES}/${guid}`, { name: 'X' })).body.errors[0].code).toBe(3011);
  expect((await session.send('GET', `/settings/usergroups/${used}`)).status).toBe(200);
  expect((await session.send('POST', POLICIES, { name: 'Short-lived' })).status).toBe(201);
});

test('the list comes whole and is searched by name and enabled', async () => {
  for (let index = 0; index < 25; index += 1) await session.post(POLICIES, { name: `Page ${index}` });
  expect((await session.get(`${POLICIES}?name=Page*&offset=24&limit=1`)).count).toBe(25);
  expect((await session.send('GET', `${POLICIES}?description=x`)).body.errors[0].code).toBe(3019);
});
