import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, Session } from '../harness/session.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
  await importRows('CREATE', 'number,name,description,RoHS Status', 'K-1,Kept,Text,Compliant', 'K-2,Second,,');
});

afterAll(() => workspace.stop());

/** Imports with the default mapping and gives the error lines. */
async function importRows(mode: string, header: string, ...rows: string[]): Promise<string[]> {
  return importWith({}, mode, header, ...rows);
}

async function importWith(options: object, mode: string, header: string, ...rows: string[]): Promise<string[]> {
  const definition = await session.define('ITEM_SPECS', mode, options);
  return (await session.importNow(definition, csv(header, ...rows))).errors;
}

const codeOf = (line: string | undefined) => Number(line?.split(',')[3]);

async function item(number: string): Promise<Answer['body']> {
  const [found] = await session.items(number);
  return found;
}

const custom = (found: Answer['body']): Record<string, unknown> =>
  Object.fromEntries(found.additionalAttributes.map((a: { name: string; value: unknown }) => [a.name, a.value]));

describe('values of item specs (wire-facts 2.1, 7)', () => {
  test.each([
    ['standardCost', 'twelve', 3003],
    ['standardCost', '-1', 3003],
    ['procurementType', 'ABC', 3006],
    ['shared', 'maybe', 3003],
    ['name', '"two\nlines"', 3003],
    ['uom', 'x'.repeat(51), 3101],
    ['category.path', 'Item\\Nowhere', 3006],
    ['category.path', 'Item', 3007],
    ['lifecyclePhase.name', 'Imagined', 3006],
    ['owner.fullName', 'Nobody At All', 3006],
    ['RoHS Status', 'Perhaps', 2002],
    ['Finish', 'Golden', 2002],
    ['Weight in Grams', 'heavy', 2004],
    ['Last Reviewed', '2025-02-30', 2003],
    ['Last Reviewed', 'yesterday', 2003],
    ['Safety Critical', 'perhaps', 2001],
    ['Certifications', 'CE;CE', 2007],
    ['Manufacturer', '"two\nlines"', 2011],
  ])('%s = %j is refused with code %i, and changes nothing', async (column, value, code) => {
    const before = await item('K-1');
    const [error] = await importRows('EDIT', `number,description,${column}`, `K-1,not stored,${value}`);
    expect(codeOf(error)).toBe(code);
    expect(await item('K-1')).toEqual(before);
  });

  test('every field and field type is stored and read back', async () => {
    const header =
      'number,name,description,category.name,lifecyclePhase.name,owner.fullName,uom,procurementType,standardCost,shared,' +
      'RoHS Status,Manufacturer,Remarks,Weight in Grams,Last Reviewed,Safety Critical,Finish';
    const row =
      'A-1,All,Text,Capacitor,In Production,Ben Buyer,kg,mts,1.25,yes,unknown,Maker,"a\nb",2.5,2025-01-31,TRUE,painted';
    expect(await importRows('CREATE', header, row)).toEqual([]);
    const found = await item('A-1');
    expect(found).toMatchObject({
      category: { name: 'Capacitor' },
      lifecyclePhase: { name: 'In Production' },
      owner: { fullName: 'Ben Buyer' },
      uom: 'kg',
      procurementType: 'MTS',
      standardCost: 1.25,
      shared: true,
      creator: { email: workspace.email },
    });
    expect(custom(found)).toEqual({
      'RoHS Status': 'Unknown',
      Manufacturer: 'Maker',
      Remarks: 'a\nb',
      'Weight in Grams': 2.5,
      'Last Reviewed': '2025-01-31T00:00:00Z',
      'Safety Critical': true,
      Finish: 'Painted',
    });
    expect(await session.get(`/items/${found.guid}`)).toEqual(found);
    const all = await session.get(`/items/${found.guid}?includeEmptyAdditionalAttributes=true`);
    expect(all.additionalAttributes.length).toBeGreaterThan(found.additionalAttributes.length);
  });

  test('a required custom attribute is needed to create (2008) and cannot be removed', async () => {
    const body = { world: 'ITEMS', name: 'Needed', fieldType: 'SINGLE_LINE_TEXT', required: true };
    const { guid } = await session.post('/embedded/attributes', body);
    expect((await importRows('CREATE', 'number,name', 'RQ-1,Without')).map(codeOf)).toEqual([2008]);
    expect(await importRows('CREATE', 'number,name,Needed', 'RQ-1,With,it')).toEqual([]);
    expect((await importRows('EDIT', 'number,Needed', 'RQ-1,[Remove Value]')).map(codeOf)).toEqual([2008]);
    await session.send('DELETE', `/embedded/attributes/${guid}`);
  });
});

describe('searching items (wire-facts 3)', () => {
  test('by category with those below it, phase, custom attribute and assembly type', async () => {
    const maker = await session.attribute('Manufacturer');
    await importRows('CREATE', 'number,name,category.path,Manufacturer', 'SE-1,Search,Item\\Cable,Cablemaker');
    const { results } = await session.get('/settings/items/categories?path=item\\Cable');
    const { results: roots } = await session.get('/settings/items/categories?path=item');
    const numbers = async (query: string) =>
      (await session.get(`/items?limit=400&${query}`)).results.map(({ number }: { number: string }) => number);
    expect(await numbers(`category.guid=${results[0].guid}`)).toEqual(['SE-1']);
    expect(await numbers(`category.guid=${roots[0].guid}`)).toContain('SE-1');
    expect(await numbers(`category.guid=${roots[0].guid}&includeChildCategories=false`)).toEqual([]);
    expect(await numbers(`${maker}=Cable*`)).toEqual(['SE-1']);
    expect(await numbers('number=SE-*&assemblyType=NOT_AN_ASSEMBLY')).toEqual(['SE-1']);
    expect(await numbers('number=SE-*&inAssembly=false')).toEqual(['SE-1']);
  });

  test('criteria choose items as in exports, and invalid ones are refused (interface 4.6)', async () => {
    const found = async (criteria: string) => session.send('GET', `/items?criteria=${encodeURIComponent(criteria)}`);
    const all = await session.get('/items?limit=400');
    const [one, other] = all.results.map(({ number }: { number: string }) => number);
    const equal = (value: string) => [{ attribute: 'number', operator: 'IS_EQUAL_TO', value }];
    const both = await found(JSON.stringify([equal(one), 'OR', equal(other)]));
    expect(both.body.results.map(({ number }: { number: string }) => number).sort()).toEqual([one, other].sort());
    const begins = await found(JSON.stringify([[{ attribute: 'number', operator: 'STARTS_WITH', value: one }]]));
    const expected = all.results.filter(({ number }: { number: string }) =>
      number.toLowerCase().startsWith(one.toLowerCase()),
    );
    expect(begins.body.results).toHaveLength(expected.length);
    for (const wrong of ['[]', 'x', '{}', '[[{"attribute":"number"}]]'])
      expect((await found(wrong)).status, wrong).toBe(400);
  });
});
