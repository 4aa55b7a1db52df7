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

describe('modes of item specs (wire-facts 4)', () => {
  test('CREATE creates items and fails where one exists, in the file too', async () => {
    const errors = await importRows('CREATE', 'number,name', 'C-1,New', 'K-1,Taken', 'C-1,Again', ',Nameless');
    expect(errors.map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
      '3,K-1,Error,3025',
      '4,C-1,Error,3025',
      '5,,Error,3001',
    ]);
    expect(await item('C-1')).toMatchObject({ name: 'New', lifecyclePhase: { name: 'Unreleased' } });
    expect((await item('C-1')).category.name).toBe('-uncategorized-');
  });

  test('CREATE needs number and name (interface 7)', async () => {
    const [error] = await importRows('CREATE', 'number,description', 'C-2,No name');
    expect(error).toBe('2,C-2,Error,3001,"The attribute ""name"" is required."');
  });

  test('EDIT changes the columns of the row, leaves empty cells alone, and fails where the item is missing', async () => {
    const errors = await importRows('EDIT', 'number,name,description', 'K-1,,Changed', 'E-9,Absent,');
    expect(errors.map(codeOf)).toEqual([3012]);
    expect(await item('K-1')).toMatchObject({ name: 'Kept', description: 'Changed' });
    expect((await item('K-1')).lastModifiedDateTime).toMatch(/Z$/);
    expect(custom(await item('K-1'))).toEqual({ 'RoHS Status': 'Compliant' });
    expect(await session.items('E-9')).toEqual([]);
  });

  test('OVERWRITE edits or creates', async () => {
    expect(await importRows('OVERWRITE', 'number,name', 'K-2,Renamed', 'O-1,Made')).toEqual([]);
    expect((await item('K-2')).name).toBe('Renamed');
    expect((await item('O-1')).name).toBe('Made');
  });

  test('a GUID column counts before the number, which then is an edit (wire-facts 4, "Key attributes")', async () => {
    await importRows('CREATE', 'number,name', 'G-1,By GUID');
    const { guid } = await item('G-1');
    expect(await importRows('EDIT', 'guid,number', `${guid.toLowerCase()},G-2`)).toEqual([]);
    expect((await item('G-2')).guid).toBe(guid);
    const errors = await importRows('EDIT', 'guid,number,name', `${'A'.repeat(20)},G-2,X`, `${guid},K-1,`, `${guid},,`);
    expect(errors.map(codeOf)).toEqual([3011, 3025]);
    const [nameless] = await importRows('EDIT', 'guid,RoHS Status', `${guid},nonsense`);
    expect(nameless).toMatch(/^2,G-2,Error,2002,/);
  });

  test('DELETE removes items and fails where one is missing; other columns are not read', async () => {
    await importRows('CREATE', 'number,name', 'D-1,Doomed');
    const errors = await importRows('DELETE', 'number,standardCost', 'D-1,no number', 'D-1,', 'D-2,');
    expect(errors.map(codeOf)).toEqual([3012, 3012]);
    expect(await session.items('D-*')).toEqual([]);
  });

  test('a later row sees the changes of an earlier one', async () => {
    expect(await importRows('OVERWRITE', 'number,name,description', 'L-1,Later,', 'L-1,,second')).toEqual([]);
    expect(await session.items('L-1')).toHaveLength(1);
    expect(await item('L-1')).toMatchObject({ name: 'Later', description: 'second' });
  });
});

describe('options of item specs (interface 2.1, wire-facts 4)', () => {
  test('createDuplicates ALLOW creates a second item of one number; matchDuplicates then decides', async () => {
    const twice = ['number,name', 'T-1,One', 'T-1,Two'] as const;
    expect(await importWith({ createDuplicates: 'ALLOW' }, 'CREATE', ...twice)).toEqual([]);
    expect(await session.items('T-1')).toHaveLength(2);
    const [error] = await importRows('EDIT', 'number,description', 'T-1,both');
    expect(codeOf(error)).toBe(3025);
    expect(await importWith({ matchDuplicates: 'APPLY_TO_ALL' }, 'EDIT', 'number,description', 'T-1,both')).toEqual([]);
    expect((await session.items('T-1')).map(({ description }) => description)).toEqual(['both', 'both']);
    expect((await importRows('DELETE', 'number', 'T-1')).map(codeOf)).toEqual([3025]);
    expect(await importWith({ matchDuplicates: 'APPLY_TO_ALL' }, 'DELETE', 'number', 'T-1')).toEqual([]);
    expect(await session.items('T-1')).toEqual([]);
  });

  test('removeValue empties a value, but not a required one', async () => {
    const header = 'number,name,description,uom,RoHS Status,category.path';
    await importRows('CREATE', header, 'V-1,Value,Text,each,Exempt,Item\\Resistor');
    const mark = '[Remove Value]';
    expect(await importRows('EDIT', header, `V-1,,${mark},${mark},${mark},${mark}`)).toEqual([]);
    const found = await item('V-1');
    expect(found).toMatchObject({ name: 'Value', description: null, uom: null, additionalAttributes: [] });
    expect(found.category.name).toBe('-uncategorized-');
    const [error] = await importRows('EDIT', 'number,name', `V-1,${mark}`);
    expect(codeOf(error)).toBe(3001);
    expect(await importWith({ removeValue: '(none)' }, 'EDIT', 'number,description', `V-1,${mark}`)).toEqual([]);
    expect((await item('V-1')).description).toBe(mark);
  });

  test('stripWhiteSpace STRIP trims cells, RETAIN keeps them', async () => {
    await importWith({ stripWhiteSpace: 'STRIP' }, 'CREATE', 'number,name', ' S-1 ,  Trimmed ');
    expect((await item('S-1')).name).toBe('Trimmed');
    await importWith({ stripWhiteSpace: 'RETAIN' }, 'CREATE', 'number,name', 'S-2,  As it is ');
    expect((await item('S-2')).name).toBe('  As it is ');
  });

  test('multiSelectDelimiter separates the values of a multi-select attribute', async () => {
    const header = 'number,name,Certifications';
    expect(await importWith({ multiSelectDelimiter: '|' }, 'CREATE', header, 'MS-1,Multi,ce|UL')).toEqual([]);
    expect(custom(await item('MS-1'))).toEqual({ Certifications: ['CE', 'UL'] });
    const [error] = await importRows('EDIT', 'number,Certifications', 'MS-1,CE;XX');
    expect(error).toMatch(/^2,MS-1,Error,2002,/);
  });

  test('timeZone is the zone of dates without one', async () => {
    const rows = ['number,name,Last Reviewed', 'TZ-1,Zone,2025-07-01 08:00', 'TZ-2,Zulu,2025-07-01T08:00:00Z'] as const;
    expect(await importWith({ timeZone: 'America/New_York' }, 'CREATE', ...rows)).toEqual([]);
    expect(custom(await item('TZ-1'))).toEqual({ 'Last Reviewed': '2025-07-01T12:00:00Z' });
    expect(custom(await item('TZ-2'))).toEqual({ 'Last Reviewed': '2025-07-01T08:00:00Z' });
  });

  test('numberingFreeTextHeader names the column of the number where the number itself is empty', async () => {
    const options = { numberingFreeTextHeader: 'Free' };
    const definition = await session.define('ITEM_SPECS', 'CREATE', options);
    const { run, errors } = await session.importNow(definition, csv('number,name,Free', ',Freely,FT-1'));
    expect([errors, run.warnings.count]).toEqual([[], 0]);
    expect((await item('FT-1')).name).toBe('Freely');
  });

  test('a cell with the marker gets the next number of the category, which no validation uses up', async () => {
    const marker = '[Next]';
    const { results } = await session.get('/settings/items/categories?path=Item%5CAssembly');
    const category = { guid: results[0].guid };
    await session.post('/settings/items/numberreservations', { name: 'Held', category, itemNumbers: ['100-00001'] });
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { useCategoryNumberFormat: marker });
    const rows = csv(
      'number,name,category.path',
      `${marker},Numbered first,Item\\Assembly`,
      `${marker},Numbered second,Item\\Assembly`,
      `${marker},No format,`,
    );
    await session.finished(await session.submit(definition, rows, { commit: 'false' }));
    const { errors } = await session.importNow(definition, rows);
    expect(errors.map(codeOf)).toEqual([3214]);
    const numbered = (await session.items('100-*')).map(({ number, name }) => [number, name]);
    expect(numbered).toEqual([
      ['100-00002', 'Numbered first'],
      ['100-00003', 'Numbered second'],
    ]);
    expect(await importRows('CREATE', 'number,name', `${marker},Literal`)).toEqual([]);
    expect((await item(marker)).name).toBe('Literal');
  });

  test('a mapping decides about the target of each column, custom attributes by GUID; import columns rename the report', async () => {
    const rohs = await session.attribute('RoHS Status');
    const entry = (apiName: string, sourceName: string, resource = 'ITEM_SPECS') => ({ resource, apiName, sourceName });
    const mapping = [
      entry('number', 'Part'),
      { ...entry('name', 'Title'), inResponse: false },
      entry(rohs.toLowerCase(), 'RoHS'),
      entry('errormessage', 'error messages', 'import'),
    ];
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { mapping });
    const { path } = await session.importNow(definition, csv('part,TITLE,rohs', 'MP-1,Mapped,exempt'));
    expect(custom(await item('MP-1'))).toEqual({ 'RoHS Status': 'Exempt' });
    const { text } = await session.send('GET', `${path}/resultContent`);
    expect(text).toBe('Part,RoHS,status,errorCode,error messages\r\nMP-1,exempt,Success,,\r\n');
  });
});
