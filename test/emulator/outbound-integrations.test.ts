import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, Session } from '../harness/session.js';

const TRIGGERS = '/settings/integrations/triggers';
const INTEGRATIONS = '/outboundevents';

const codeOf = ({ status, body }: Answer) => [status, body.errors[0].code];

describe('outbound-event integrations (wire-facts 0 and 6.1)', () => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted();
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  test('are created enabled, and lose the fields that a PUT leaves out', async () => {
    const { status, body } = await session.send('POST', INTEGRATIONS, { name: 'ERP' });
    expect(status).toBe(201);
    expect(body).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'ERP',
      enabled: true,
      status: 'UP_TO_DATE',
      creationDateTime: expect.stringMatching(/Z$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
      lastModifiedDateTime: null,
      modifyUser: null,
    });
    const path = `${INTEGRATIONS}/${body.guid}`;
    expect(await session.get(path)).toEqual(body);
    const off = await session.send('PUT', path, { name: 'ERP', enabled: false });
    expect(off.body).toMatchObject({ enabled: false, status: 'DISABLED', modifyUser: body.creator });
    const on = await session.send('PUT', path, { name: 'ERP 2' });
    expect(on.body).toMatchObject({ name: 'ERP 2', enabled: true, status: 'UP_TO_DATE' });
    expect((await session.send('DELETE', path)).status).toBe(204);
    expect(codeOf(await session.send('GET', path))).toEqual([400, 3011]);
  });

  test.each([
    ['no name', {}, 3001],
    ['a blank name', { name: ' ' }, 3020],
    ['a field of the wrong type', { name: 'x', enabled: 'yes' }, 3003],
    ['an unknown field', { name: 'x', triggers: [] }, 3004],
  ])('%s is refused', async (_, body, code) => {
    expect(codeOf(await session.send('POST', INTEGRATIONS, body))).toEqual([400, code]);
  });

  test('are searched by name and enabled, and come whole', async () => {
    for (let index = 0; index < 22; index += 1) {
      await session.post(INTEGRATIONS, { name: `Page ${index}`, enabled: index < 3 });
    }
    expect((await session.get(`${INTEGRATIONS}?name=Page*`)).count).toBe(22);
    expect((await session.get(`${INTEGRATIONS}?name=Page*&enabled=true`)).count).toBe(3);
    expect(codeOf(await session.send('GET', `${INTEGRATIONS}?status=DISABLED`))).toEqual([400, 3019]);
  });

  test('have triggers; a deleted trigger disappears from them too', async () => {
    const { guid } = await session.post(INTEGRATIONS, { name: 'With triggers' });
    const members = `${INTEGRATIONS}/${guid}/triggers`;
    const made = [];
    for (const action of ['CREATE', 'EDIT']) {
      made.push(await session.post(TRIGGERS, { name: `Item ${action}`, resource: 'ITEM', action }));
    }
    const compact = made.map(({ guid: of, name, description, resource, action }) => {
      return { guid: of, name, description, resource, action };
    });
    for (const [index, one] of made.entries()) {
      const { status, body } = await session.send('POST', members, { guid: one.guid });
      expect([status, body]).toEqual([201, compact[index]]);
    }
    expect((await session.send('POST', members, { guid: made[0].guid })).status).toBe(201);
    expect(await session.get(members)).toEqual({ count: 2, results: compact });
    expect((await session.get(`${members}?action=EDIT`)).results).toEqual([compact[1]]);
    expect((await session.get(`${members}?limit=1&offset=1`)).results).toEqual(compact);
    expect(await session.get(`${members}/${made[1].guid}`)).toEqual(compact[1]);
    expect((await session.send('DELETE', `${members}/${made[0].guid}`)).status).toBe(204);
    expect(codeOf(await session.send('DELETE', `${members}/${made[0].guid}`))).toEqual([400, 3012]);
    await session.send('DELETE', `${TRIGGERS}/${made[1].guid}`);
    expect(await session.get(members)).toEqual({ count: 0, results: [] });
    expect(codeOf(await session.send('POST', members, { guid: made[1].guid }))).toEqual([400, 3011]);
  });

  test('have administrators', async () => {
    const { guid } = await session.post(INTEGRATIONS, { name: 'With administrators' });
    const members = `${INTEGRATIONS}/${guid}/administrators`;
    const { results: users } = await session.get('/settings/users?limit=2');
    for (const user of [...users, users[0]]) {
      const { status, body } = await session.send('POST', members, { guid: user.guid });
      expect([status, body]).toEqual([201, user]);
    }
    expect(await session.get(members)).toEqual({ count: 2, results: users });
    expect(await session.get(`${members}/${users[1].guid}`)).toEqual(users[1]);
    expect((await session.send('DELETE', `${members}/${users[1].guid}`)).status).toBe(204);
    expect(codeOf(await session.send('GET', `${members}/${users[1].guid}`))).toEqual([400, 3012]);
    expect(codeOf(await session.send('POST', members, { guid: 'A'.repeat(20) }))).toEqual([400, 3011]);
  });
});

test('in dialect arena one can be read, with both triggers and the administrator, and nothing written', async () => {
  const workspace = await openHosted('--dialect', 'arena');
  try {
    const session = await Session.open(workspace);
    const [erp] = (await session.get(INTEGRATIONS)).results;
    expect(erp).toMatchObject({ name: 'ERP', enabled: true, status: 'UP_TO_DATE' });
    const path = `${INTEGRATIONS}/${erp.guid}`;
    const triggers = (await session.get(`${path}/triggers`)).results;
    const known = (await session.get(TRIGGERS)).results.map(({ guid }: { guid: string }) => guid);
    expect(triggers.map(({ guid }: { guid: string }) => guid)).toEqual(known);
    expect((await session.get(`${path}/administrators`)).results).toMatchObject([{ email: workspace.email }]);
    const refused = [
      await session.send('POST', INTEGRATIONS, { name: 'New' }),
      await session.send('PUT', path, { name: 'New' }),
      await session.send('DELETE', path),
      await session.send('POST', `${path}/triggers`, { guid: known[0] }),
      await session.send('DELETE', `${path}/triggers/${known[0]}`),
      await session.send('POST', `${path}/administrators`, { guid: erp.creator.guid }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([405, 405, 405, 405, 405, 405]);
  } finally {
    await workspace.stop();
  }
});
