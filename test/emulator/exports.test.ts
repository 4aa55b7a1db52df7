import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { Session } from '../harness/session.js';

const number = { attribute: 'number', operator: 'IS_EQUAL_TO', value: 'DX-0001' };

describe.each(['reference', 'arena'])('export definitions, dialect %s (wire-facts 5.1)', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  test('the answer echoes all options, defaults filled in', async () => {
    const { status, body } = await session.send('POST', '/exports', { name: 'Plain', world: 'ITEMS' });
    expect(status).toBe(201);
    expect(body).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      number: expect.any(Number),
      name: 'Plain',
      description: null,
      world: 'ITEMS',
      options: {
        exportViews: ['SPECS'],
        bomLevels: 'NONE',
        fileContent: { item: 'NONE', supplierItem: 'NONE' },
        header: 'apiName',
        revisionStatus: 'LATEST',
        format: 'csv',
      },
      criteria: null,
      creationDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
    });
    expect(await session.get(`/exports/${body.guid}`)).toEqual(body);
  });

  test('options and criteria are kept as given, in the spelling of the documents', async () => {
    const given = {
      name: 'Full',
      description: 'All of it',
      world: 'items',
      options: {
        exportViews: ['specs', 'BOM', 'SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE'],
        bomLevels: 'full',
        fileContent: { item: 'PRIMARY', supplierItem: 'ALL' },
        header: 'NAME',
        revisionStatus: 'POTENTIAL',
        format: 'JSON',
      },
      criteria: [[number, 'AND', { attribute: 'name', operator: 'CONTAINS', value: 'x' }], 'OR', [number]],
    };
    expect(await session.post('/exports', given)).toMatchObject({
      description: 'All of it',
      world: 'ITEMS',
      options: {
        exportViews: ['SPECS', 'BOM', 'SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE'],
        bomLevels: 'FULL',
        fileContent: { item: 'PRIMARY', supplierItem: 'ALL' },
        header: 'name',
        revisionStatus: 'POTENTIAL',
        format: 'json',
      },
      criteria: given.criteria,
    });
  });

  const criterion = (attribute: string, operator: string, value: unknown) => ({
    criteria: [[{ attribute, operator, value }]],
  });
  const guid = 'A'.repeat(20);

  test.each([
    ['no name', { name: undefined }, 3001],
    ['a blank name', { name: ' ' }, 3020],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 3101],
    ['another world', { world: 'CHANGES' }, 3006],
    ['an unknown view', { options: { exportViews: ['PRICES'] } }, 3006],
    ['no view', { options: { exportViews: [] } }, 3020],
    ['an unknown BOM level', { options: { bomLevels: 'TWO' } }, 3006],
    ['primary files of supplier items', { options: { fileContent: { supplierItem: 'PRIMARY' } } }, 3006],
    ['an unknown format', { options: { format: 'xml' } }, 3006],
    ['an unknown option', { options: { colour: 'red' } }, 3004],
    ['an unknown attribute in criteria', criterion('colour', 'IS_EQUAL_TO', 'red'), 3004],
    ['an attribute that cannot be compared here', criterion('modifiedBOM', 'IS_EQUAL_TO', true), 3019],
    ['an unknown operator', criterion('number', 'IS_LIKE', 'x'), 3114],
    ['an operator for another type', criterion('number', 'IS_BEFORE', 'x'), 3114],
    ['IS_IN without an array', criterion('number', 'IS_IN', 'x'), 3003],
    ['IS_BETWEEN with one value', criterion('standardCost', 'IS_BETWEEN', [1]), 3003],
    ['an invalid number', criterion('standardCost', 'IS_LESS_THAN', 'x'), 3003],
    ['an invalid date', criterion('creationDateTime', 'IS_AFTER', 'x'), 3003],
    [
      'dates in the wrong order',
      criterion('creationDateTime', 'IS_BETWEEN', ['2025-02-01T00:00:00Z', '2025-01-01T00:00:00Z']),
      3293,
    ],
    ['a text that is no GUID', criterion('guid', 'IS_EQUAL_TO', 'x'), 3011],
    ['a GUID beside another criterion', { criteria: [[{ ...number, attribute: 'guid', value: guid }, number]] }, 3294],
    ['a GUID in one row of two', { criteria: [[{ ...number, attribute: 'guid', value: guid }], [number]] }, 3294],
    ['criteria without rows', { criteria: [] }, 3003],
    ['a row without conditions', { criteria: [[]] }, 3003],
    ['a number in place of a row', { criteria: [7] }, 3003],
    ['OR within a row', { criteria: [[number, 'OR', number]] }, 3003],
    ['a condition without an operator', { criteria: [[{ attribute: 'number', value: 'x' }]] }, 3001],
  ])('%s is refused', async (_, change, code) => {
    const { count } = await session.get('/exports?limit=400');
    const answer = await session.send('POST', '/exports', { name: 'Refused', world: 'ITEMS', ...change });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
    expect((await session.get('/exports?limit=400')).count).toBe(count);
  });

  test('the uncategorized category goes by its name, not by its GUID (interface 4.6)', async () => {
    const { results } = await session.get('/settings/items/categories?limit=400');
    const one = results.find(({ name }: { name: string }) => name === '-uncategorized-');
    const answer = await session.send('POST', '/exports', {
      name: 'Uncategorized',
      ...criterion('category.guid', 'IS_EQUAL_TO', one.guid),
    });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 3002]);
    const named = criterion('category.name', 'IS_EQUAL_TO', '-uncategorized-');
    expect((await session.send('POST', '/exports', { name: 'Uncategorized', ...named })).status).toBe(201);
  });

  test('names need not be unique, and a custom attribute goes by its GUID', async () => {
    const attribute = await session.attribute('Package');
    const body = { name: 'Twin', ...criterion(attribute, 'STARTS_WITH', 'SO') };
    for (const _ of [1, 2]) expect((await session.send('POST', '/exports', body)).status).toBe(201);
    expect((await session.get('/exports?name=Twin')).count).toBe(2);
  });

  test('a list is searched by name, number, description and creator, in pages', async () => {
    const made = [];
    for (let index = 0; index < 25; index += 1) {
      made.push(await session.post('/exports', { name: `Page ${index}`, description: index === 3 ? 'third' : null }));
    }
    expect((await session.get('/exports?name=Page*')).count).toBe(20);
    expect((await session.get('/exports?name=Page*&offset=20&limit=400')).results).toEqual(made.slice(20));
    expect((await session.get(`/exports?number=${made[4].number}`)).results).toEqual([made[4]]);
    expect((await session.get('/exports?description=third')).results).toEqual([made[3]]);
    expect((await session.get('/exports?name=Page*&limit=400&creator.fullName=Ada*')).count).toBe(25);
    expect((await session.get('/exports?creator.email=ann@example.com')).count).toBe(0);
    const unknown = await session.send('GET', '/exports?world=ITEMS');
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([400, 3019]);
  });

  test('definitions are never edited or deleted (wire-facts 0)', async () => {
    const { guid: made } = await session.post('/exports', { name: 'For ever' });
    for (const method of ['PUT', 'DELETE'] as const) {
      expect((await session.send(method, `/exports/${made}`, { name: 'x' })).status).toBe(405);
    }
    expect((await session.send('GET', `/exports/${guid}`)).body.errors[0].code).toBe(3011);
  });
});
