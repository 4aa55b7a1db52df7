import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { csv, Session } from '../harness/session.js';

const RESERVATIONS = '/settings/items/numberreservations';

describe.each(['reference', 'arena'])('number reservations (wire-facts 0 and 7), dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;
  let resistor: string;
  let names = 0;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
    resistor = await category('Item\\Resistor');
  });

  afterAll(() => workspace.stop());

  const category = async (path: string): Promise<string> => {
    const { results } = await session.get(`/settings/items/categories?path=${encodeURIComponent(path)}`);
    return results[0].guid;
  };
  const reserve = (body: object, guid = resistor) => {
    names += 1;
    return session.send('POST', RESERVATIONS, { name: `Reservation ${names}`, category: { guid }, ...body });
  };
  const codes = (answer: { status: number; body: { errors: { code: number }[] } }) => [
    answer.status,
    ...answer.body.errors.map(({ code }) => code),
  ];

  test('a number format is compact in the list and whole on its own (wire-facts 7)', async () => {
    const { count, results } = await session.get('/settings/items/numberformats');
    expect(count).toBe(2);
    expect(results[0]).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'Sequence',
      default: true,
      exampleNumber: '000001',
      creationDateTime: expect.stringMatching(/Z$/),
    });
    const { fields, ...compact } = await session.get(`/settings/items/numberformats/${results[1].guid}`);
    expect(compact).toEqual(results[1]);
    expect(compact).toMatchObject({ default: false, exampleNumber: '100-00001' });
    const sequence = { type: 'AUTO_SEQUENCE', value: null, maxLength: 5, possibleValues: [] };
    expect(fields).toMatchObject([
      { type: 'VALUE_LIST', value: '100', maxLength: 3, possibleValues: [{ value: '100' }, { value: '900' }] },
      { type: 'DELIMITER', value: '-', maxLength: 1 },
      sequence,
    ]);
    for (const field of fields)
      expect(Object.keys(field).sort()).toEqual([
        'apiName',
        'guid',
        'maxLength',
        'name',
        'possibleValues',
        'type',
        'value',
      ]);
    expect(codes(await session.send('GET', '/settings/items/numberformats/nothing'))).toEqual([400, 3011]);
    expect(codes(await session.send('GET', '/settings/items/numberformats?colour=red'))).toEqual([400, 3019]);
  });

  test('categories carry the GUID of their number format', async () => {
    const { results: formats } = await session.get('/settings/items/numberformats');
    const formatOf = async (path: string) =>
      (await session.get(`/settings/items/categories/${await category(path)}`)).numberFormat;
    expect(await formatOf('Item\\Resistor')).toEqual({ guid: formats[0].guid });
    expect(await formatOf('Item\\Assembly')).toEqual({ guid: formats[1].guid });
    expect(await formatOf('-uncategorized-')).toBeNull();
  });

  test('a quantity takes the next numbers of the sequence', async () => {
    const { status, body } = await reserve({ name: 'First', quantity: 3 });
    expect(status).toBe(201);
    expect(body).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'First',
      category: { guid: resistor, name: 'Resistor' },
      itemNumbers: ['000001', '000002', '000003'],
      creationDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
    });
    expect(await session.get(`${RESERVATIONS}/${body.guid}`)).toEqual(body);
    expect((await session.get(`${RESERVATIONS}?name=first`)).results).toEqual([body]);
    const without = await session.get(`${RESERVATIONS}?name=First&includeitemnumbers=false`);
    const { itemNumbers: _, ...rest } = body;
    expect(without.results).toEqual([rest]);
    expect((await reserve({ quantity: 2 })).body.itemNumbers).toEqual(['000004', '000005']);
    const assembly = await category('Item\\Assembly');
    expect((await reserve({ quantity: 2 }, assembly)).body.itemNumbers).toEqual(['100-00001', '100-00002']);
  });

  test('numbers that an item or another reservation has are skipped; released ones are not given out again', async () => {
    const at = (await reserve({ quantity: 1 })).body.itemNumbers[0];
    const next = (by: number) => String(Number(at) + by).padStart(6, '0');
    const named = await reserve({ itemNumbers: [next(1)] });
    expect(named.body.itemNumbers).toEqual([next(1)]);
    const create = await session.define('ITEM_SPECS', 'CREATE');
    await session.importNow(create, csv('number,name', `${next(2)},Taken`));
    const released = (await reserve({ quantity: 2 })).body;
    expect(released.itemNumbers).toEqual([next(3), next(4)]);
    const gone = await session.send('DELETE', `${RESERVATIONS}/${released.guid}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(codes(await session.send('GET', `${RESERVATIONS}/${released.guid}`))).toEqual([400, 3011]);
    expect((await reserve({ quantity: 1 })).body.itemNumbers).toEqual([next(5)]);
    expect((await reserve({ itemNumbers: [next(4)] })).status).toBe(201);
  });

  test('any item may use a reserved number, which stays listed', async () => {
    const { body } = await reserve({ itemNumbers: ['USED-1', 'USED-2'] });
    const ann = await Session.open(workspace, 'ann@example.com');
    const { run } = await ann.importNow(await ann.define('ITEM_SPECS', 'CREATE'), csv('number,name', 'USED-1,One'));
    expect(run).toMatchObject({ status: 'COMPLETE', successCount: 1, errorCount: 0 });
    expect((await session.get(`${RESERVATIONS}/${body.guid}`)).itemNumbers).toEqual(['USED-1', 'USED-2']);
    await session.send('DELETE', `${RESERVATIONS}/${body.guid}`);
    expect(codes(await reserve({ itemNumbers: ['USED-1'] }))).toEqual([400, 3025]);
    expect((await reserve({ itemNumbers: ['USED-2'] })).status).toBe(201);
  });

  test.each([
    ['neither numbers nor a quantity', {}, 3001],
    ['both numbers and a quantity', { itemNumbers: ['A-1'], quantity: 1 }, 3003],
    ['no numbers', { itemNumbers: [] }, 3020],
    ['a blank number', { itemNumbers: ['A-1', ' '] }, 3020],
    ['a number twice', { itemNumbers: ['A-1', 'A-1'] }, 3025],
    ['a number that an item has', { itemNumbers: ['A-1', 'DX-0001'] }, 3025],
    ['a number that another reservation has', { itemNumbers: ['A-1', 'HELD-1'] }, 3025],
    ['a number of 201 characters', { itemNumbers: ['A-1', 'x'.repeat(201)] }, 3101],
    ['a quantity of 0', { quantity: 0 }, 3003],
    ['half a number', { quantity: 1.5 }, 3003],
    ['a blank name', { name: ' ', quantity: 1 }, 3020],
    ['a name that another reservation has, letter case aside', { name: 'HOLDER', quantity: 1 }, 3003],
    ['an unknown category', { category: { guid: 'nothing' }, quantity: 1 }, 3002],
    ['an unknown category', { category: { guid: 'A'.repeat(20) }, quantity: 1 }, 3002],
    ['no category', { category: undefined, quantity: 1 }, 3001],
    ['an unknown field', { colour: 'red', quantity: 1 }, 3004],
  ])('%s is refused, and nothing is kept', async (_, body, code) => {
    await session.send('POST', RESERVATIONS, {
      name: 'Holder',
      category: { guid: resistor },
      itemNumbers: ['HELD-1'],
    });
    const before = await session.get(`${RESERVATIONS}?limit=400`);
    expect(codes(await reserve(body))).toEqual([400, code]);
    expect(await session.get(`${RESERVATIONS}?limit=400`)).toEqual(before);
  });

  test('a structural category, one without a format and one without a sequence have codes of their own', async () => {
    expect(codes(await reserve({ quantity: 1 }, await category('Item')))).toEqual([400, 3007]);
    expect(codes(await reserve({ itemNumbers: ['S-1'] }, await category('Item')))).toEqual([400, 3007]);
    const bare = await category('-uncategorized-');
    expect(codes(await reserve({ quantity: 1 }, bare))).toEqual([400, 3214]);
    const fields = [{ name: 'Text', type: 'FREE_TEXT' }];
    const { guid: format } = await session.post('/embedded/numberformats', { name: 'Free', fields });
    const free = await session.post('/embedded/categories', { path: 'Item\\Free', numberFormat: format });
    expect(free.numberFormat).toEqual({ guid: format });
    expect(codes(await reserve({ quantity: 1 }, free.guid))).toEqual([400, 3207]);
    expect((await reserve({ itemNumbers: ['FREE-1'] }, free.guid)).status).toBe(201);
    const { results } = await session.get('/settings/changes/categories');
    expect(codes(await reserve({ quantity: 1 }, results[1].guid))).toEqual([400, 3002]);
  });

  test('a sequence at its end refuses, and keeps its numbers', async () => {
    const fields = [{ name: 'Sequence', type: 'AUTO_SEQUENCE', maxLength: 1 }];
    const { guid: numberFormat } = await session.post('/embedded/numberformats', { name: 'Short', fields });
    const { guid } = await session.post('/embedded/categories', { path: 'Item\\Short', numberFormat });
    expect((await reserve({ quantity: 8 }, guid)).body.itemNumbers).toHaveLength(8);
    expect(codes(await reserve({ quantity: 2 }, guid))).toEqual([400, 3015]);
    expect((await reserve({ quantity: 1 }, guid)).body.itemNumbers).toEqual(['9']);
  });

  test('concurrent reservations share no number', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => reserve({ quantity: 20 })));
    const numbers = answers.flatMap(({ body }) => body.itemNumbers);
    expect(new Set(numbers).size).toBe(200);
  });

  test('lists are searched and come whole; there is no update (wire-facts 0)', async () => {
    const connector = await category('Item\\Connector');
    for (let index = 0; index < 3; index += 1) await reserve({ name: `Paged ${index}`, quantity: 1 }, connector);
    const found = await session.get(`${RESERVATIONS}?category.guid=${connector}&offset=1&limit=1`);
    expect(found.results.map(({ name }: { name: string }) => name)).toEqual(['Paged 0', 'Paged 1', 'Paged 2']);
    expect((await session.get(`${RESERVATIONS}?name=paged*`)).count).toBe(3);
    expect(codes(await session.send('GET', `${RESERVATIONS}?colour=red`))).toEqual([400, 3019]);
    expect(codes(await session.send('GET', `${RESERVATIONS}/nothing`))).toEqual([400, 3011]);
    expect(codes(await session.send('DELETE', `${RESERVATIONS}/nothing`))).toEqual([400, 3011]);
    expect(codes(await session.send('PUT', `${RESERVATIONS}/${found.results[0].guid}`, {}))).toEqual([405, 405]);
  });

  test('a reservation waits for an import that may use the same numbers', async () => {
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { useCategoryNumberFormat: 'next' });
    const rows = Array.from({ length: 5_000 }, () => 'next,Part,Item\\Resistor');
    const run = await session.submit(definition, csv('number,name,category.path', ...rows), { commit: 'false' });
    const { body } = await reserve({ quantity: 1 });
    expect((await session.get(run)).status).toBe('COMPLETE');
    await session.send('DELETE', `${RESERVATIONS}/${body.guid}`);
  });
});
