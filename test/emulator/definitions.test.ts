import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { csv, Session } from '../harness/session.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
});

afterAll(() => workspace.stop());

const entry = (apiName: string, sourceName: string) => ({ resource: 'ITEM_SPECS', apiName, sourceName });

const valid = { name: 'Parts', resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: {} };

test('a definition is answered whole, in lists too, with the defaults of its mode (interface 4.1, wire-facts 0)', async () => {
  const mapping = [entry('NUMBER', 'Part'), { ...entry('name', 'Name'), inResponse: false }];
  const { status, body } = await session.send('POST', '/imports', {
    name: 'Whole',
    resource: 'item_specs',
    mode: 'Overwrite',
    options: { matchDuplicates: 'ERROR', removeValue: '[X]', stripWhiteSpace: 'retain', mapping },
  });
  expect(status).toBe(201);
  expect(body).toEqual({
    guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
    number: expect.any(Number),
    name: 'Whole',
    description: null,
    resource: 'ITEM_SPECS',
    mode: 'OVERWRITE',
    options: {
      matchDuplicates: 'ERROR',
      removeValue: '[X]',
      multiSelectDelimiter: ';',
      checkRefDes: 'CHECK',
      timeZone: 'UTC',
      stripWhiteSpace: 'RETAIN',
      numberingFreeTextHeader: 'Numbering Free Text',
      mapping: [
        { ...entry('number', 'Part'), inResponse: true },
        { ...entry('name', 'Name'), inResponse: false },
      ],
    },
    creationDateTime: expect.stringMatching(/Z$/),
    creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
  });
  const { results } = await session.get(`/imports?number=${body.number}`);
  expect(results).toEqual([body]);
  expect(await session.get(`/imports/${body.guid}`)).toEqual(body);
});

test.each([
  ['CREATE', 'checkRefDes createDuplicates multiSelectDelimiter numberingFreeTextHeader stripWhiteSpace timeZone'],
  [
    'EDIT',
    'checkRefDes matchDuplicateParents matchDuplicates multiSelectDelimiter numberingFreeTextHeader removeValue ' +
      'stripWhiteSpace timeZone',
  ],
  [
    'OVERWRITE',
    'checkRefDes matchDuplicates multiSelectDelimiter numberingFreeTextHeader removeValue stripWhiteSpace timeZone',
  ],
  ['REPLACE', 'checkRefDes matchDuplicateParents multiSelectDelimiter removeValue stripWhiteSpace timeZone'],
  ['DELETE', 'matchDuplicates stripWhiteSpace'],
])('mode %s echoes the options that it knows and no others (wire-facts 4)', async (mode, names) => {
  const options = { createDuplicates: 'ERROR', matchDuplicates: 'ERROR', removeValue: '-', stripWhiteSpace: 'STRIP' };
  const body = await session.post('/imports', { ...valid, resource: 'ITEM_BOM', mode, options });
  expect(Object.keys(body.options).sort().join(' ')).toBe(names);
});

test('numbers count up, names need not be unique (wire-facts 0)', async () => {
  const first = await session.post('/imports', valid);
  const second = await session.post('/imports', valid);
  expect(second.number).toBe(first.number + 1);
  expect(second.guid).not.toBe(first.guid);
});

const mapped = (...mapping: object[]) => ({ options: { mapping } });

test.each([
  ['no options', { options: undefined }, 3001],
  ['an unknown resource', { resource: 'CHANGES' }, 3006],
  ['an unknown mode', { mode: 'MERGE' }, 3006],
  ['REPLACE of item specs (wire-facts 4: ITEM_BOM only)', { mode: 'REPLACE' }, 3006],
  ['an unknown option', { options: { colour: 'red' } }, 3004],
  ['an unknown value of an option', { options: { matchDuplicates: 'SOME' } }, 3006],
  ['an unknown time zone', { options: { timeZone: 'Mars/Base' } }, 3003],
  ['a change that does not exist', { options: { addToChange: 'ECO-1' } }, 3012],
  ['an unknown apiName', mapped(entry('colour', 'Colour')), 3004],
  ['a custom attribute by its name (wire-facts 0: its GUID)', mapped(entry('RoHS Status', 'RoHS')), 3004],
  ['a mapping of another resource', mapped({ ...entry('number', 'Part'), resource: 'ITEM_BOM' }), 3006],
  ['a field that is mapped twice', mapped(entry('number', 'A'), entry('Number', 'B')), 3003],
  ['a mapping without sourceName', mapped({ resource: 'ITEM_SPECS', apiName: 'number' }), 3001],
  ['a blank name', { name: '' }, 3020],
])('%s is refused', async (_, change, code) => {
  const answer = await session.send('POST', '/imports', { ...valid, name: 'Refused', ...change });
  expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  expect((await session.get('/imports?name=Refused')).results).toEqual([]);
});

test('PUT changes name and description and nothing else (wire-facts 0; code 3032)', async () => {
  const { guid, ...rest } = await session.post('/imports', valid);
  const { status, body } = await session.send('PUT', `/imports/${guid}`, { name: 'New', description: 'why' });
  expect([status, body]).toEqual([200, { ...rest, guid, name: 'New', description: 'why' }]);
  expect((await session.send('PUT', `/imports/${guid}`, { name: 'Only name' })).body.description).toBe('why');
  const refused = await session.send('PUT', `/imports/${guid}`, { name: 'X', mode: 'DELETE' });
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 3032]);
  expect((await session.send('PUT', `/imports/${guid}`, { description: 'x' })).body.errors[0].code).toBe(3001);
});

test('definitions are searched by name, description, mode, resource and creator (wire-facts 4)', async () => {
  await session.post('/imports', { ...valid, name: 'Findable', description: 'one of a kind', mode: 'DELETE' });
  for (const query of [
    'name=Find*',
    'description=*a%20kind',
    'name=Findable&mode=DELETE',
    'mode=delete;create&name=F*',
    'name=findable&resource=ITEM_SPECS',
    `name=Findable&creator.email=${workspace.email}`,
    'name=Findable&creator.fullName=Ada*',
  ]) {
    expect((await session.get(`/imports?${query}`)).count, query).toBe(1);
  }
  expect((await session.get('/imports?name=Findable&creator.email=ann@example.com')).count).toBe(0);
});

describe('a custom attribute that is recreated (interface 2.4, wire-facts 0)', () => {
  test('has a new GUID; definitions keep the old one and their runs end in ERROR with code 3004', async () => {
    const body = { world: 'ITEMS', name: 'Colour', fieldType: 'SINGLE_LINE_TEXT' };
    const attribute = await session.post('/embedded/attributes', body);
    expect(attribute).toMatchObject({ name: 'Colour', custom: true, apiName: attribute.guid });
    const mapping = [entry('number', 'Part'), entry(attribute.guid, 'Colour')];
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { mapping });
    expect((await session.send('DELETE', `/embedded/attributes/${attribute.guid}`)).status).toBe(204);
    const again = await session.post('/embedded/attributes', body);
    expect(again.guid).not.toBe(attribute.guid);
    expect((await session.get(definition)).options.mapping[1].apiName).toBe(attribute.guid);
    const { run } = await session.importNow(definition, csv('Part,Colour', 'DX-0001,red'));
    expect(run).toMatchObject({
      status: 'ERROR',
      totalCount: 0,
      successCount: 0,
      warnings: { results: [{ code: 3004 }] },
    });
    const fresh = await session.define('ITEM_SPECS', 'OVERWRITE', {
      mapping: [entry('number', 'Part'), entry(again.guid, 'Colour')],
    });
    expect((await session.importNow(fresh, csv('Part,Colour', 'DX-0001,red'))).run).toMatchObject({
      status: 'COMPLETE',
      successCount: 1,
    });
  });
});
