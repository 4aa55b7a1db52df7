import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

type Body = Answer['body'];

let workspace: HostedWorkspace;
let session: Session;
let specs: string;
let names = 0;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
  specs = await session.define('ITEM_SPECS', 'OVERWRITE');
});

afterAll(() => workspace.stop());

const codeOf = ({ status, body }: Answer) => [status, body.errors[0].code];

/** An integration of its own with one trigger, and its path. */
async function listen(trigger: object, by = session): Promise<string> {
  names += 1;
  const { guid } = await by.post('/outboundevents', { name: `Listener ${names}` });
  const path = `/outboundevents/${guid}`;
  await subscribe(path, trigger, by);
  onTestFinished(async () => void (await by.send('DELETE', path)));
  return path;
}

async function subscribe(integration: string, trigger: object, by = session): Promise<Body> {
  names += 1;
  const body = { name: `Trigger ${names}`, resource: 'ITEM', ...trigger };
  const made = await by.post('/settings/integrations/triggers', body);
  await by.post(`${integration}/triggers`, { guid: made.guid });
  return made;
}

async function events(integration: string, query = '', by = session): Promise<Body[]> {
  return (await by.get(`${integration}/events?limit=400&${query}`)).results;
}

async function itemsOf(integration: string, by = session): Promise<Body[]> {
  const [event] = await events(integration, '', by);
  return event ? (await by.get(`${integration}/events/${event.guid}/items?limit=400`)).results : [];
}

/** The numbers of the items that the only event of an integration holds. */
async function numbersOf(integration: string): Promise<string[]> {
  expect((await events(integration)).length).toBeLessThan(2);
  const items = await itemsOf(integration);
  return Promise.all(items.map(async ({ item }) => (await session.get(`/items/${item.guid}`)).number));
}

describe('events of imports (wire-facts 6.1, interface 6)', () => {
  test('a run that creates items makes one event with all of them, in the transaction of its commit', async () => {
    const path = await listen({ action: 'CREATE' });
    await session.importNow(specs, csv('number,name', 'A-1,One', 'A-2,', 'A-3,Three'));
    const [event, ...others] = await events(path);
    expect(others).toEqual([]);
    const [trigger] = (await session.get(`${path}/triggers`)).results;
    expect(event).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      eventType: 'OUTBOUND_EVENT',
      status: 'NEEDS_UPDATE',
      resourcesReconciled: false,
      creationDateTime: expect.stringMatching(/Z$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
      triggers: [trigger],
    });
    expect(await session.get(`${path}/events/${event.guid}`)).toEqual(event);
    const [one, three] = [await session.items('A-1'), await session.items('A-3')].flat();
    const items = await itemsOf(path);
    expect(items).toEqual(
      [one, three].map(({ guid }) => ({
        guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
        item: { guid },
        preEvents: [],
        postEvents: [{ guid }],
        reconciled: false,
      })),
    );
    expect(await session.get(`${path}/events/${event.guid}/items/${items[0].guid}`)).toEqual(items[0]);
    expect((await session.get(path)).status).toBe('NEEDS_UPDATE');
  });

  test('an edit shows the changed attributes alone, before and after', async () => {
    const finish = await session.attribute('Finish');
    const columns = ['number', 'name', 'description', 'category.path', 'standardCost', finish];
    const mapping = columns.map((apiName) => ({ resource: 'ITEM_SPECS', apiName, sourceName: apiName }));
    const full = await session.define('ITEM_SPECS', 'OVERWRITE', { mapping });
    const header = columns.join(',');
    await session.importNow(
      full,
      csv(header, 'E-1,One,Same,Item\\Cable,1,Painted', 'E-2,Two,Same,Item\\Cable,1,Painted'),
    );
    const path = await listen({ action: 'EDIT' });
    const row = 'E-1,First,Same,Item\\Resistor,[Remove Value],Plated';
    await session.importNow(full, csv(header, row, 'E-2,Two,Same,Item\\Cable,1,Painted', 'E-3,New,,,,'));
    const [entry, ...others] = await itemsOf(path);
    expect(others).toEqual([]);
    const [item] = await session.items('E-1');
    expect(entry.item).toEqual({ guid: item.guid });
    const categories = (await session.get('/settings/items/categories?limit=400')).results;
    const category = (name: string) => {
      const { guid } = categories.find((one: Body) => one.name === name);
      return { guid, name };
    };
    const attribute = { guid: finish, apiName: finish, name: 'Finish', fieldType: 'DROP_DOWN' };
    expect(entry.preEvents).toEqual([
      {
        name: 'One',
        category: category('Cable'),
        standardCost: 1,
        additionalAttributes: [{ ...attribute, value: 'Painted' }],
      },
    ]);
    expect(entry.postEvents).toEqual([
      {
        name: 'First',
        category: category('Resistor'),
        standardCost: null,
        additionalAttributes: [{ ...attribute, value: 'Plated' }],
      },
    ]);
  });

  test('category and conditions are those before the event', async () => {
    const cables = (await session.get('/settings/items/categories?name=Cable')).results[0].guid;
    const columns = ['number', 'name', 'category.path'];
    const header = columns.join(',');
    await session.importNow(specs, csv(header, 'P-1,old,Item\\Cable', 'P-2,old,Item\\Resistor', 'P-3,new,Item\\Cable'));
    const conditions = [{ attribute: 'name', operator: 'IS_EQUAL_TO', value: 'old' }];
    const wasCable = await listen({ action: 'EDIT', category: { guid: cables } });
    const wasOld = await listen({ action: 'EDIT', conditions });
    const both = await listen({ action: 'EDIT', category: { guid: cables }, conditions });
    await session.importNow(
      specs,
      csv(header, 'P-1,new,Item\\Resistor', 'P-2,new,Item\\Cable', 'P-3,old,Item\\Resistor'),
    );
    expect(await numbersOf(wasCable)).toEqual(['P-1', 'P-3']);
    expect(await numbersOf(wasOld)).toEqual(['P-1', 'P-2']);
    expect(await numbersOf(both)).toEqual(['P-1']);
  });

  test('a category means those below it; a new item is judged by its first state', async () => {
    const root = (await session.get('/settings/items/categories?name=Item')).results[0].guid;
    const conditions = [{ attribute: 'category.path', operator: 'IS_EQUAL_TO', value: 'Item\\Cable' }];
    const below = await listen({ action: 'CREATE', category: { guid: root } });
    const cable = await listen({ action: 'CREATE', conditions });
    await session.importNow(
      specs,
      csv('number,name,category.path', 'N-1,One,Item\\Cable', 'N-2,Two,Item\\Resistor', 'N-3,Three,'),
    );
    expect(await numbersOf(below)).toEqual(['N-1', 'N-2']);
    expect(await numbersOf(cable)).toEqual(['N-1']);
  });

  test('only edits of the named attributes count', async () => {
    const grams = await session.attribute('Weight in Grams');
    const mapping = ['number', 'name', 'description', 'category.path', grams].map((apiName) => {
      return { resource: 'ITEM_SPECS', apiName, sourceName: apiName };
    });
    const full = await session.define('ITEM_SPECS', 'OVERWRITE', { mapping });
    const header = `number,name,description,category.path,${grams}`;
    await session.importNow(
      full,
      csv(header, ...['W-1', 'W-2', 'W-3', 'W-4'].map((number) => `${number},Part,Text,,1`)),
    );
    const weight = await listen({ action: 'EDIT', attributes: [{ apiName: grams }] });
    const place = await listen({ action: 'EDIT', attributes: [{ apiName: 'category.path' }, { apiName: 'name' }] });
    await session.importNow(
      full,
      csv(header, 'W-1,Part,Text,,2', 'W-2,Part,Other,,', 'W-3,Part,Text,Item\\Cable,', 'W-4,Named,Text,,3'),
    );
    expect(await numbersOf(weight)).toEqual(['W-1', 'W-4']);
    expect(await numbersOf(place)).toEqual(['W-3', 'W-4']);
  });

  test('an edit of the lifecycle phase is a workflow event, which shows the phase alone', async () => {
    await session.importNow(specs, csv('number,name', 'F-1,One', 'F-2,Two'));
    const path = await listen({ action: 'WORKFLOW' });
    await session.importNow(specs, csv('number,name,lifecyclePhase.name', 'F-1,First,In Production', 'F-2,Second,'));
    const [entry, ...others] = await itemsOf(path);
    expect(others).toEqual([]);
    expect(entry.preEvents).toEqual([{ lifecyclePhase: { guid: expect.any(String), name: 'Unreleased' } }]);
    expect(entry.postEvents).toEqual([{ lifecyclePhase: { guid: expect.any(String), name: 'In Production' } }]);
  });

  test('a change of BOM lines is an edit of the parent, which shows the lines that differ', async () => {
    await session.importNow(specs, csv('number,name', 'L-1,Board', 'L-2,One', 'L-3,Two', 'L-4,Other board'));
    const header = 'number,item.number,quantity';
    const replace = await session.define('ITEM_BOM', 'REPLACE');
    await session.importNow(replace, csv(header, 'L-1,L-2,1', 'L-1,L-3,5', 'L-4,L-2,1'));
    const path = await listen({ action: 'EDIT' });
    const bomOnly = await listen({ action: 'EDIT', attributes: [{ apiName: 'bom' }] });
    const nameOnly = await listen({ action: 'EDIT', attributes: [{ apiName: 'name' }] });
    await session.importNow(replace, csv(header, 'L-1,L-2,2', 'L-1,L-3,5', 'L-4,L-2,1'));
    expect(await numbersOf(bomOnly)).toEqual(['L-1']);
    expect(await numbersOf(nameOnly)).toEqual([]);
    const [entry, ...others] = await itemsOf(path);
    expect(others).toEqual([]);
    const [child] = await session.items('L-2');
    const line = { item: { guid: child.guid }, lineNumber: null, refDes: null, notes: null, additionalAttributes: [] };
    expect(entry.preEvents).toEqual([{ bom: [{ ...line, quantity: 1 }] }]);
    expect(entry.postEvents).toEqual([{ bom: [{ ...line, quantity: 2 }] }]);
  });

  test('validation, disabled integrations, other resources and other actions make none', async () => {
    const validating = await listen({ action: 'CREATE' });
    const disabled = await listen({ action: 'CREATE' });
    await session.send('PUT', disabled, { name: 'Off', enabled: false });
    const changes = await listen({ action: 'CREATE', resource: 'CHANGE' });
    const edits = await listen({ action: 'EDIT' });
    await session.finished(await session.submit(specs, csv('number,name', 'V-1,One'), { commit: 'false' }));
    expect(await events(validating)).toEqual([]);
    await session.importNow(specs, csv('number,name', 'V-1,One'));
    expect(await numbersOf(validating)).toEqual(['V-1']);
    for (const path of [disabled, changes, edits]) expect(await events(path)).toEqual([]);
  });

  test('an integration gets one event for all of its triggers; a condition on a deleted attribute holds for nothing', async () => {
    const { guid } = await session.post('/embedded/attributes', { world: 'ITEMS', name: 'Brief', fieldType: 'NUMBER' });
    const path = await listen({ action: 'CREATE' });
    const edit = await subscribe(path, { action: 'EDIT' });
    const conditions = [{ attribute: guid, operator: 'IS_NOT_EQUAL_TO', value: 1 }];
    await subscribe(path, { action: 'CREATE', conditions });
    const broken = await listen({ action: 'CREATE', conditions });
    await session.send('DELETE', `/embedded/attributes/${guid}`);
    await session.importNow(specs, csv('number,name', 'DX-0001,Renamed', 'O-1,One'));
    expect(await numbersOf(path)).toEqual(['DX-0001', 'O-1']);
    const [event] = await events(path);
    expect(event.triggers.map(({ action }: Body) => action).sort()).toEqual(['CREATE', 'EDIT']);
    expect(await events(broken)).toEqual([]);
    await session.send('DELETE', `/settings/integrations/triggers/${edit.guid}`);
    expect((await events(path))[0]).toEqual(event);
  });
});

describe('reconciling (wire-facts 6.1)', () => {
  async function queue(): Promise<{ path: string; event: Body; items: Body[]; ann: Session; annGuid: string }> {
    const path = await listen({ action: 'CREATE' });
    names += 1;
    await session.importNow(specs, csv('number,name', `Q${names}-1,One`, `Q${names}-2,Two`, `Q${names}-3,Three`));
    const ann = await Session.open(workspace, 'ann@example.com');
    const [user] = (await session.get('/settings/users?email=ann@example.com')).results;
    await session.post(`${path}/administrators`, { guid: user.guid });
    const [event] = await events(path);
    return { path, event, items: await itemsOf(path), ann, annGuid: user.guid };
  }

  test('one item after the other; the event and the integration follow', async () => {
    const { path, event, items, ann, annGuid } = await queue();
    const at = `${path}/events/${event.guid}`;
    const first = await ann.send('PUT', `${at}/items/${items[0].guid}`, { reconciled: true });
    expect([first.status, first.body]).toEqual([
      200,
      {
        ...items[0],
        reconciled: true,
        reconciledDatetime: expect.stringMatching(/Z$/),
        reconciledUser: { guid: annGuid, email: 'ann@example.com', fullName: 'Ann Quality' },
      },
    ]);
    expect(await session.get(at)).toMatchObject({ resourcesReconciled: false, status: 'NEEDS_UPDATE' });
    expect((await session.get(`${at}/items?reconciled=true`)).results).toEqual([first.body]);
    expect((await session.get(`${at}/items?reconciled=false`)).count).toBe(2);
    expect((await session.get(`${at}/items?reconciled=any&limit=2`)).count).toBe(3);
    for (const { guid } of items.slice(1)) await ann.send('PUT', `${at}/items/${guid}`, { reconciled: true });
    expect(await session.get(at)).toMatchObject({ resourcesReconciled: true, status: 'RECONCILED' });
    expect((await session.get(path)).status).toBe('UP_TO_DATE');
    const back = await ann.send('PUT', `${at}/items/${items[0].guid}`, { reconciled: false });
    expect([back.status, back.body]).toEqual([200, items[0]]);
    expect((await session.get(path)).status).toBe('NEEDS_UPDATE');
  });

  test('an event reconciles all its items at once; a value that is set already changes nothing', async () => {
    const { path, event, items, ann, annGuid } = await queue();
    const { guid: admin } = event.creator;
    await session.post(`${path}/administrators`, { guid: admin });
    const at = `${path}/events/${event.guid}`;
    await ann.send('PUT', `${at}/items/${items[1].guid}`, { reconciled: true });
    const all = await session.send('PUT', at, { resourcesReconciled: true });
    expect([all.status, all.body]).toEqual([200, { ...event, resourcesReconciled: true, status: 'RECONCILED' }]);
    const set = (await session.get(`${at}/items`)).results;
    expect(set.map((item: Body) => item.reconciledUser.guid)).toEqual([admin, annGuid, admin]);
    const again = await ann.send('PUT', at, { resourcesReconciled: true });
    expect([again.status, again.body]).toEqual([200, all.body]);
    expect((await session.get(`${at}/items`)).results).toEqual(set);
    const item = await ann.send('PUT', `${at}/items/${items[0].guid}`, { reconciled: true });
    expect([item.status, item.body]).toEqual([200, set[0]]);
    const none = await session.send('PUT', at, { resourcesReconciled: false });
    expect(none.body).toEqual(event);
    expect((await session.get(`${at}/items`)).results).toEqual(items);
  });

  test('events are listed in the order in which they came, by whether they are reconciled, in pages', async () => {
    const { path, event, ann } = await queue();
    names += 1;
    await session.importNow(specs, csv('number,name', `Q${names}-1,One`));
    await ann.send('PUT', `${path}/events/${event.guid}`, { resourcesReconciled: true });
    const [first, second, ...others] = await events(path);
    expect([first.guid, others]).toEqual([event.guid, []]);
    expect(await events(path, 'resourcesReconciled=any')).toEqual([first, second]);
    expect(await events(path, 'resourcesReconciled=true')).toEqual([first]);
    expect(await events(path, 'resourcesReconciled=false')).toEqual([second]);
    expect((await session.get(`${path}/events?limit=1&offset=1`)).results).toEqual([second]);
  });

  test('is for administrators of the integration alone (4303), and accepts true or false (4321, 4324, 4325)', async () => {
    const { path, event, items, ann } = await queue();
    const at = `${path}/events/${event.guid}`;
    const one = `${at}/items/${items[0].guid}`;
    expect(codeOf(await session.send('PUT', one, { reconciled: true }))).toEqual([403, 4303]);
    expect(codeOf(await session.send('PUT', at, { resourcesReconciled: true }))).toEqual([403, 4303]);
    for (const value of ['true', null, 1, undefined]) {
      expect(codeOf(await ann.send('PUT', one, { reconciled: value }))).toEqual([400, 4321]);
      expect(codeOf(await ann.send('PUT', at, { resourcesReconciled: value }))).toEqual([400, 4321]);
    }
    expect(codeOf(await ann.send('PUT', one, { done: true }))).toEqual([400, 3004]);
    expect(codeOf(await ann.send('GET', `${path}/events?resourcesReconciled=maybe`))).toEqual([400, 4324]);
    expect(codeOf(await ann.send('GET', `${at}/items?reconciled=maybe`))).toEqual([400, 4325]);
    expect((await session.get(`${at}/items`)).results).toEqual(items);
  });

  test.each(['changes', 'requests', 'qualityprocesses'])(
    '%s have the same paths, and nothing in them',
    async (resource) => {
      const { path, event, items, ann } = await queue();
      const list = `${path}/events/${event.guid}/${resource}`;
      expect(await session.get(`${list}?reconciled=any`)).toEqual({ count: 0, results: [] });
      expect(codeOf(await session.send('GET', `${list}?reconciled=maybe`))).toEqual([400, 4325]);
      expect(codeOf(await session.send('GET', `${list}/${items[0].guid}`))).toEqual([400, 3011]);
      expect(codeOf(await ann.send('PUT', `${list}/${items[0].guid}`, { reconciled: true }))).toEqual([400, 3011]);
    },
  );

  test('an event is found in its own integration alone', async () => {
    const { event } = await queue();
    const other = await listen({ action: 'CREATE' });
    expect(codeOf(await session.send('GET', `${other}/events/${event.guid}`))).toEqual([400, 3011]);
    expect(codeOf(await session.send('GET', `${other}/events/${event.guid}/items`))).toEqual([400, 3011]);
  });
});

test('in dialect arena the seeded integration gets events of imports, and the administrator reconciles them', async () => {
  const service = await openHosted('--dialect', 'arena');
  onTestFinished(() => void service.stop());
  const user = await Session.open(service);
  const [erp] = (await user.get('/outboundevents')).results;
  const path = `/outboundevents/${erp.guid}`;
  const { run } = await user.importNow(
    await user.define('ITEM_SPECS', 'OVERWRITE'),
    csv('number,name', 'DX-0001,Renamed', 'Z-1,New'),
  );
  expect(run.successCount).toBe(2);
  const [event] = await events(path, '', user);
  const items = await itemsOf(path, user);
  expect(items.map(({ preEvents, postEvents }) => [preEvents, postEvents])).toEqual([
    [[{ name: 'Example enclosure' }], [{ name: 'Renamed' }]],
    [[], [{ guid: items[1].item.guid }]],
  ]);
  const { status } = await user.send('PUT', `${path}/events/${event.guid}`, { resourcesReconciled: true });
  expect([status, (await user.get(path)).status]).toEqual([200, 'UP_TO_DATE']);
});

test('kill -9 during a commit leaves the event with all its items or none; the next start completes both', async () => {
  const db = join(temporaryFolder(), 'w.db');
  const first = await startWorkspace('--db', db);
  const before = await Session.open(first);
  const { guid } = await before.post('/outboundevents', { name: 'ERP' });
  const path = `/outboundevents/${guid}`;
  await subscribe(path, { action: 'CREATE' }, before);
  const rows = Array.from({ length: 5000 }, (_, index) => `K-${index},Part`);
  const run = await before.submit(await before.define('ITEM_SPECS', 'CREATE'), csv('number,name', ...rows));
  for (let total = 0; total < 4000; ) {
    const { totalCount, status } = await before.get(run);
    total = status === 'COMPLETE' ? 5000 : totalCount;
  }
  await first.stop('SIGKILL');
  const second = await openHosted('--db', db);
  onTestFinished(() => void second.stop());
  const after = await Session.open(second);
  expect(await after.finished(run)).toMatchObject({ status: 'COMPLETE', successCount: 5000 });
  const [event, ...others] = await events(path, '', after);
  expect(others).toEqual([]);
  expect((await after.get(`${path}/events/${event.guid}/items`)).count).toBe(5000);
});
