import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, Session } from '../harness/session.js';

const WORLDS = [
  'items',
  'items/bom',
  'changes',
  'requests',
  'suppliers',
  'supplieritems',
  'qualityprocesses',
  'files',
  'tickets',
];

describe.each(['reference', 'arena'])('settings of all worlds, dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  const list = async (path: string): Promise<Answer['body'][]> =>
    (await session.get(`${path}${path.includes('?') ? '&' : '?'}limit=400`)).results;
  const names = (entries: readonly { name: string }[]) => entries.map(({ name }) => name);
  const code = async (path: string) => (await session.send('GET', path)).body.errors[0].code;
  const custom = (name: string, more: object = {}) =>
    session.post('/embedded/attributes', { world: 'ITEMS', name, fieldType: 'SINGLE_LINE_TEXT', ...more });

  test.each(WORLDS)('%s have standard and custom attributes, shown as those of items (wire-facts 0)', async (world) => {
    const attributes = await list(`/settings/${world}/attributes`);
    const [sample] = await list('/settings/items/attributes');
    for (const attribute of attributes) expect(Object.keys(attribute)).toEqual(Object.keys(sample));
    const own = attributes.filter((attribute) => attribute.custom);
    expect(own.length).toBeGreaterThan(0);
    expect(attributes.length).toBeGreaterThan(own.length);
    for (const { guid, apiName } of own) expect(apiName).toBe(guid);
    const others = await list(`/settings/${world === 'items' ? 'tickets' : 'items'}/attributes`);
    expect(new Set([...attributes, ...others].map(({ guid }) => guid)).size).toBe(attributes.length + others.length);
    expect(await code(`/settings/${world}/attributes?colour=red`)).toBe(3019);
  });

  test('the flags of attribute lists work: possible values on request, and searchableOnly leaves the others out', async () => {
    const path = '/settings/changes/attributes';
    const [reason] = (await list(`${path}?includePossibleValues=true`)).filter(({ name }) => name === 'Reason Code');
    expect(reason.possibleValues).toEqual(['Cost', 'Quality', 'Safety']);
    expect((await list(path)).some((attribute) => 'possibleValues' in attribute)).toBe(false);
    const all = await list(path);
    expect(await list(`${path}?searchableOnly=true`)).toEqual(all.filter(({ searchable }) => searchable));
    expect(await list(`${path}?creatableOnly=true&editableOnly=true`)).toEqual(all);
    expect(await code(`${path}?searchableOnly=perhaps`)).toBe(3003);
  });

  test.each([
    ['changes', 'Change', 'Deviation', 'Deviation Quantity'],
    ['requests', 'Request', 'Problem Report', 'Found In'],
  ])('categories of %s have attributes with their origin', async (world, root, name, own) => {
    const path = `/settings/${world}/categories`;
    const [top, ...below] = await list(path);
    expect(top).toMatchObject({ name: root, path: root, level: 0, structural: true, assignable: false });
    const category = below.find((one) => one.name === name);
    expect(category).toMatchObject({
      path: `${root}\\${name}`,
      parentCategory: { guid: top.guid },
      structural: false,
      numberFormat: null,
    });
    expect(await session.get(`${path}/${category.guid}`)).toEqual(category);
    const attributes = await list(`${path}/${category.guid}/attributes`);
    const origins = Object.fromEntries(attributes.map((attribute) => [attribute.name, attribute.origin]));
    expect(origins[own]).toEqual({ guid: category.guid, name });
    expect(origins.Number).toEqual({ guid: top.guid, name: root });
    expect(attributes.find((one) => one.name === own).global).toBe(false);
    const others = names(await list(`${path}/${below.find((one) => one.name !== name).guid}/attributes`));
    expect(others).toEqual(names(attributes).filter((one) => one !== own));
    expect((await list(`${path}?name=${name.slice(0, 4)}*`)).map(({ guid }) => guid)).toEqual([category.guid]);
    const [item] = await list('/settings/items/categories');
    for (const wrong of ['nothing', item.guid]) {
      expect(await code(`${path}/${wrong}`)).toBe(3011);
      expect(await code(`${path}/${wrong}/attributes`)).toBe(3011);
    }
    expect(await code(`/settings/items/categories/${category.guid}`)).toBe(3011);
  });

  test('an attribute of a category is inherited downwards and not upwards (wire-facts 7, "origin")', async () => {
    const { guid: lens, parentCategory } = await session.post('/embedded/categories', { path: 'Item\\Optics\\Lens' });
    const optics = parentCategory.guid;
    const made = await custom('Focal Length', { category: optics, fieldType: 'NUMBER' });
    expect(made).toMatchObject({ global: false, origin: { guid: optics, name: 'Optics' } });
    await custom('Coating', { category: lens });
    const of = async (guid: string) => names(await list(`/settings/items/categories/${guid}/attributes`));
    const resistor = (await list('/settings/items/categories?path=item%5CResistor'))[0].guid;
    expect(await of(lens)).toEqual(expect.arrayContaining(['Item Number', 'Finish', 'Focal Length', 'Coating']));
    expect(await of(optics)).toContain('Focal Length');
    expect(await of(optics)).not.toContain('Coating');
    expect(await of(resistor)).not.toContain('Focal Length');
    expect(names(await list('/settings/items/attributes'))).toEqual(
      expect.arrayContaining(['Focal Length', 'Coating']),
    );
  });

  test('an import sets an attribute only on items of its categories, and only they need it', async () => {
    const { guid: category } = await session.post('/embedded/categories', { path: 'Item\\Motor\\Stepper' });
    const { guid } = await custom('Torque', { category, required: true });
    const create = await session.define('ITEM_SPECS', 'CREATE');
    const rows = [
      'M-1,One,Item\\Motor\\Stepper,5 Nm',
      'M-2,Two,Item\\Motor\\Stepper,',
      'M-3,Three,Item\\Motor,5 Nm',
      'M-4,Four,Item\\Motor,',
    ];
    const { run, errors } = await session.importNow(create, csv('number,name,category.path,Torque', ...rows));
    expect(run).toMatchObject({ status: 'COMPLETE', successCount: 2, errorCount: 2 });
    expect(errors[0]).toContain('2008');
    expect(errors[1]).toContain('3004');
    const [one] = await session.items('M-1');
    expect(one.additionalAttributes).toMatchObject([{ guid, name: 'Torque', value: '5 Nm' }]);
    const empty = async (number: string) =>
      names(
        (await session.get(`/items?responseview=full&number=${number}&includeEmptyAdditionalAttributes=true`))
          .results[0].additionalAttributes,
      );
    expect(await empty('M-1')).toContain('Torque');
    expect(await empty('M-4')).not.toContain('Torque');
    expect(await empty('M-4')).toContain('Finish');
    const edit = await session.define('ITEM_SPECS', 'EDIT');
    const moved = await session.importNow(edit, csv('number,category.path', 'M-4,Item\\Motor\\Stepper'));
    expect(moved.errors[0]).toContain('2008');
    const both = await session.importNow(edit, csv('number,category.path,Torque', 'M-4,Item\\Motor\\Stepper,6 Nm'));
    expect(both.errors).toEqual([]);
    await custom('Steps', { category, required: true });
    expect((await session.importNow(edit, csv('number,name', 'M-1,Renamed'))).errors).toEqual([]);
    const foreign = await session.importNow(edit, csv('number,Torque', 'M-4,7 Nm', 'DX-0001,7 Nm'));
    expect(foreign.run).toMatchObject({ successCount: 1, errorCount: 1 });
    expect(foreign.errors[0]).toContain('3004');
  });

  test('an invalid attribute or category is refused', async () => {
    const refused = async (path: string, body: object) => (await session.send('POST', path, body)).body.errors[0].code;
    const attribute = { world: 'TICKETS', name: 'New', fieldType: 'DATE' };
    const [change] = await list('/settings/changes/categories');
    expect(await refused('/embedded/attributes', { ...attribute, category: change.guid })).toBe(3003);
    expect(await refused('/embedded/attributes', { ...attribute, world: 'ITEMS', category: change.guid })).toBe(3011);
    expect(await refused('/embedded/attributes', { ...attribute, world: 'EVENTS' })).toBe(3006);
    expect(await refused('/embedded/categories', { path: 'Item\\X', world: 'CHANGES' })).toBe(3003);
    expect(await refused('/embedded/categories', { path: 'Item\\X', numberFormat: 'nothing' })).toBe(3011);
    expect((await session.post('/embedded/attributes', attribute)).origin).toBeNull();
    const made = await session.post('/embedded/categories', { path: 'Change\\Stop Ship', world: 'CHANGES' });
    expect(made).toMatchObject({ path: 'Change\\Stop Ship', level: 1, parentCategory: { guid: change.guid } });
  });

  test('approval statuses of suppliers, with and without the slash, by name and by GUID (interface 4.6)', async () => {
    const path = '/settings/suppliers/approvalstatuses';
    const answer = await session.get(`${path}/`);
    expect(answer.count).toBe(3);
    expect(await session.get(path)).toEqual(answer);
    const [status] = answer.results;
    expect(status).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'Approved',
      description: expect.any(String),
      active: true,
    });
    expect((await session.get(`${path}/?name=appr*`)).results).toEqual([status]);
    expect((await session.get(`${path}/?guid=${status.guid}`)).results).toEqual([status]);
    expect(await session.get(`${path}/${status.guid}`)).toEqual(status);
    expect((await session.get(`${path}/?offset=2&limit=1`)).results).toEqual(answer.results);
    expect(await code(`${path}/nothing`)).toBe(3011);
    expect(await code(`${path}/?active=true`)).toBe(3019);
  });
});
