import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, Session } from '../harness/session.js';

const TRIGGERS = '/settings/integrations/triggers';

const codeOf = ({ status, body }: Answer) => [status, body.errors[0].code];

describe('triggers (wire-facts 0 and 6.1, interface 6)', () => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted();
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  test('have defaults for fields that the request leaves out', async () => {
    const { status, body } = await session.send('POST', TRIGGERS, { name: 'Plain', resource: 'ITEM', action: 'EDIT' });
    expect(status).toBe(201);
    expect(body).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'Plain',
      description: '',
      resource: 'ITEM',
      action: 'EDIT',
      category: null,
      attributes: [],
      conditions: [],
      creationDatetime: expect.stringMatching(/Z$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
      lastModifiedDateTime: null,
      modifyUser: null,
    });
    expect(await session.get(`${TRIGGERS}/${body.guid}`)).toEqual(body);
  });

  test('name category, attributes and conditions; PUT resets what it leaves out', async () => {
    const { results } = await session.get('/settings/items/categories?name=Cable');
    const attribute = await session.attribute('Package');
    const conditions = [{ attribute: 'name', operator: 'STARTS_WITH', value: 'C' }];
    const made = await session.post(TRIGGERS, {
      name: 'Full',
      description: 'Cables',
      resource: 'item',
      action: 'edit',
      category: { guid: results[0].guid },
      attributes: [{ apiName: 'Name' }, { apiName: attribute }, { apiName: 'bom' }],
      conditions,
    });
    expect(made).toMatchObject({
      description: 'Cables',
      resource: 'ITEM',
      action: 'EDIT',
      category: { guid: results[0].guid, name: 'Cable' },
      attributes: [{ apiName: 'name' }, { apiName: attribute }, { apiName: 'bom' }],
      conditions,
    });
    const body = { name: 'Full', resource: 'CHANGE', action: 'WORKFLOW' };
    const put = await session.send('PUT', `${TRIGGERS}/${made.guid}`, body);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ ...body, description: '', category: null, attributes: [], conditions: [] });
    expect(put.body.modifyUser).toEqual(made.creator);
  });

  const condition = (attribute: string, operator: string, value: unknown) => ({
    conditions: [{ attribute, operator, value }],
  });

  test.each([
    ['no resource', { resource: undefined }, 3001],
    ['a blank name', { name: ' ' }, 3020],
    ['a name that another trigger has', { name: 'TAKEN' }, 3003],
    ['an unknown resource', { resource: 'TICKET' }, 3006],
    ['an unknown action', { action: 'DELETE' }, 3006],
    ['an unknown category', { category: { guid: 'A'.repeat(20) } }, 3011],
    ['an unknown attribute', { attributes: [{ apiName: 'colour' }] }, 3004],
    ['an attribute that no edit changes', { attributes: [{ apiName: 'creationDateTime' }] }, 3032],
    ['a condition on an unknown attribute', condition('colour', 'IS_EQUAL_TO', 'red'), 3004],
    ['a condition with an unknown operator', condition('name', 'IS_LIKE', 'red'), 3114],
    ['a condition without a value', { conditions: [{ attribute: 'name', operator: 'CONTAINS' }] }, 3001],
    ['an unknown field', { colour: 'red' }, 3004],
  ])('%s is refused', async (_, change, code) => {
    const plain = { resource: 'ITEM', action: 'EDIT' };
    if ((await session.get(`${TRIGGERS}?name=Taken`)).count === 0) {
      await session.post(TRIGGERS, { name: 'Taken', ...plain });
    }
    expect(codeOf(await session.send('POST', TRIGGERS, { name: 'New', ...plain, ...change }))).toEqual([400, code]);
    expect((await session.get(`${TRIGGERS}?name=New`)).count).toBe(0);
  });

  test('name the attributes and categories of the world of their resource', async () => {
    const [root] = (await session.get('/settings/changes/categories')).results;
    const ofChange = {
      name: 'Of changes',
      resource: 'CHANGE',
      action: 'EDIT',
      category: { guid: root.guid },
      attributes: [{ apiName: 'title' }, { apiName: 'category.guid' }],
      conditions: [{ attribute: 'effectivityType', operator: 'IS_EQUAL_TO', value: 'TEMPORARY' }],
    };
    expect(await session.post(TRIGGERS, ofChange)).toMatchObject({ ...ofChange, category: { guid: root.guid } });
    const refused = async (change: object) => {
      return codeOf(await session.send('POST', TRIGGERS, { ...ofChange, name: 'Refused', ...change }));
    };
    const bare = { category: null, attributes: [], conditions: [] };
    expect(await refused({ ...bare, attributes: [{ apiName: 'uom' }] })).toEqual([400, 3004]);
    expect(await refused({ ...bare, attributes: [{ apiName: 'bom' }] })).toEqual([400, 3004]);
    for (const resource of ['ITEM', 'QUALITY']) {
      expect(await refused({ ...bare, resource, category: { guid: root.guid } })).toEqual([400, 3011]);
    }
  });

  test('are searched by name, resource and action, in pages, and deleted', async () => {
    const made = [];
    for (let index = 0; index < 22; index += 1) {
      const resource = index % 2 === 0 ? 'REQUEST' : 'QUALITY';
      made.push(await session.post(TRIGGERS, { name: `Page ${index}`, resource, action: 'CREATE' }));
    }
    expect((await session.get(`${TRIGGERS}?name=Page*`)).count).toBe(20);
    expect((await session.get(`${TRIGGERS}?name=Page*&offset=20`)).results).toEqual(made.slice(20));
    expect((await session.get(`${TRIGGERS}?resource=QUALITY&action=CREATE`)).count).toBe(11);
    expect((await session.get(`${TRIGGERS}?resource=QUALITY&action=EDIT`)).count).toBe(0);
    expect(codeOf(await session.send('GET', `${TRIGGERS}?description=x`))).toEqual([400, 3019]);
    const path = `${TRIGGERS}/${made[0].guid}`;
    const { status, text } = await session.send('DELETE', path);
    expect([status, text]).toEqual([204, '']);
    expect(codeOf(await session.send('GET', path))).toEqual([400, 3011]);
    expect((await session.send('POST', TRIGGERS, { name: 'Page 0', resource: 'ITEM', action: 'EDIT' })).status).toBe(
      201,
    );
  });
});

test('exist from the start in dialect arena: two can be read, without category, attributes and conditions', async () => {
  const workspace = await openHosted('--dialect', 'arena');
  try {
    const session = await Session.open(workspace);
    const { results } = await session.get(TRIGGERS);
    expect(results).toHaveLength(2);
    for (const found of results) {
      const fields = ['action', 'creationDatetime', 'creator', 'description', 'guid', 'lastModifiedDateTime'];
      expect(Object.keys(found).sort()).toEqual([...fields, 'modifyUser', 'name', 'resource']);
      expect(await session.get(`${TRIGGERS}/${found.guid}`)).toEqual(found);
      const body = { name: 'New', resource: 'ITEM', action: 'EDIT' };
      expect((await session.send('PUT', `${TRIGGERS}/${found.guid}`, body)).status).toBe(405);
      expect((await session.send('DELETE', `${TRIGGERS}/${found.guid}`)).status).toBe(405);
      expect((await session.send('POST', TRIGGERS, body)).status).toBe(405);
    }
  } finally {
    await workspace.stop();
  }
});
