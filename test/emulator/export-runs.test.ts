import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { IS_WHOLE, scaled } from '../harness/sample.js';
import { type Answer, csv, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';
import { headerOf, type Row, readArchive, rowsOf } from './archive.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
  await fill(session);
});

afterAll(() => workspace.stop());

/** Parts, and a board that contains a module that contains parts. */
async function fill(to: Session): Promise<void> {
  const [grams, safety, marks, finish] = await Promise.all(
    ['Weight in Grams', 'Safety Critical', 'Certifications', 'Finish'].map((name) => to.attribute(name)),
  );
  const columns = {
    Grams: grams,
    Safe: safety,
    Marks: marks,
    Finish: finish,
    Reviewed: await to.attribute('Last Reviewed'),
  };
  const mapping = [
    ...['number', 'name', 'description', 'category.path', 'standardCost'].map((name) => [name, name]),
    ...Object.entries(columns).map(([header, guid]) => [guid, header]),
  ].map(([apiName, sourceName]) => ({ resource: 'ITEM_SPECS', apiName, sourceName }));
  const { run, errors } = await to.importNow(
    await to.define('ITEM_SPECS', 'CREATE', { mapping }),
    csv(
      'number,name,description,category.path,standardCost,Grams,Safe,Marks,Finish,Reviewed',
      'C-1,Capacitor 10 nF,"Ceramic, ""X7R""",Item\\Capacitor,0.01,0.1,no,CE;UL,None,2024-01-15',
      'C-2,Capacitor 47 uF,Electrolytic,Item\\Capacitor,0.25,1.5,yes,,Plated,2025-03-01',
      'R-1,Resistor 1k,,Item\\Resistor,0.002,0.05,,FCC,,',
      'B-1,Board,Two-sided,Item\\Assembly,12,40,yes,CE,Painted,2025-06-30T12:00:00Z',
      'M-1,Module,Zeile eins Ä,Item\\Assembly,5,,,,,',
    ),
  );
  expect([run.successCount, errors]).toEqual([5, []]);
  const lines = csv(
    'number,item.number,quantity,refDes,notes',
    'B-1,M-1,1,,"first, in place"',
    'B-1,R-1,2,R1-R2,',
    'M-1,C-1,3,,',
    'M-1,R-1,1,,',
  );
  const bom = await to.importNow(await to.define('ITEM_BOM', 'CREATE'), lines);
  expect(bom.errors).toEqual([]);
}

type Options = Readonly<Record<string, unknown>>;

async function define(options: Options = {}, criteria: unknown = null, by = session): Promise<string> {
  const { guid } = await by.post('/exports', { name: 'Export', world: 'ITEMS', options, criteria });
  return `/exports/${guid}/runs`;
}

async function finished(runs: string, body: unknown = {}, by = session): Promise<Answer['body']> {
  const { status, body: run, text } = await by.send('POST', runs, body);
  if (status !== 201) throw new Error(text);
  return by.finished(`${runs}/${run.guid}`);
}

async function contentOf(runs: string, body: unknown = {}, by = session): Promise<Map<string, string>> {
  const { guid, status, files } = await finished(runs, body, by);
  expect(status).toBe('COMPLETE');
  return readArchive(await by.bytes(`${runs}/${guid}/files/${files[0].guid}/content`));
}

const byNumber = (value: string | readonly string[], operator = 'IS_EQUAL_TO') => [
  [{ attribute: 'number', operator, value }],
];

describe('the content of an export (wire-facts 5.1)', () => {
  test('SPECS holds the standard fields and the custom attributes of the items, exactly', async () => {
    const grams = await session.attribute('Weight in Grams');
    const marks = await session.attribute('Certifications');
    const files = await contentOf(await define(), { criteria: byNumber(['C-1', 'M-1'], 'IS_IN') });
    expect([...files.keys()]).toEqual(['SPECS.csv']);
    const [capacitor, board] = rowsOf(files.get('SPECS.csv'));
    const [item] = await session.items('C-1');
    expect(capacitor).toMatchObject({
      guid: item.guid,
      number: 'C-1',
      name: 'Capacitor 10 nF',
      description: 'Ceramic, "X7R"',
      'category.path': 'Item\\Capacitor',
      'lifecyclePhase.name': 'Unreleased',
      'owner.fullName': 'Ada Admin',
      standardCost: '0.01',
      shared: 'false',
      creationDateTime: item.creationDateTime,
      assemblyType: 'NOT_AN_ASSEMBLY',
      [grams]: '0.1',
      [marks]: 'CE;UL',
    });
    expect(board).toMatchObject({ number: 'M-1', description: 'Zeile eins Ä', assemblyType: 'ASSEMBLY', [grams]: '' });
  });

  test('the header names attributes on request', async () => {
    const files = await contentOf(await define({ header: 'name' }), { criteria: byNumber('C-1') });
    const header = headerOf(files.get('SPECS.csv'));
    expect(header).toEqual(expect.arrayContaining(['Item Number', 'Item Name', 'Category Path', 'Weight in Grams']));
    expect(header.filter((name) => /^[A-Z0-9]{20}$/.test(name))).toEqual([]);
  });

  test('JSON holds objects with values of their types', async () => {
    const files = await contentOf(await define({ format: 'json', exportViews: ['SPECS', 'BOM'] }), {
      criteria: byNumber(['C-1', 'C-2'], 'IS_IN'),
    });
    expect([...files.keys()]).toEqual(['SPECS.json', 'BOM.json']);
    const marks = await session.attribute('Certifications');
    const items = JSON.parse(files.get('SPECS.json') ?? '');
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      number: 'C-1',
      standardCost: 0.01,
      shared: false,
      [marks]: ['CE', 'UL'],
      uom: null,
    });
    expect(JSON.parse(files.get('BOM.json') ?? '')).toEqual([]);
  });

  test.each([
    ['NONE', []],
    ['SINGLE', ['1 B-1 M-1 1', '1 B-1 R-1 2']],
    ['FULL', ['1 B-1 M-1 1', '2 M-1 C-1 3', '2 M-1 R-1 1', '1 B-1 R-1 2']],
  ])('BOM lines follow bomLevels %s', async (bomLevels, expected) => {
    const files = await contentOf(await define({ exportViews: ['BOM'], bomLevels }), { criteria: byNumber('B-1') });
    const lines = rowsOf(files.get('BOM.csv'));
    const shown = lines.map((row: Row) => [row.level, row.number, row['item.number'], row.quantity].join(' '));
    expect(shown).toEqual(expected);
    expect(headerOf(files.get('BOM.csv'))).toEqual(
      expect.arrayContaining([
        'level',
        'guid',
        'item.guid',
        'lineNumber',
        'refDes',
        await session.attribute('Designators', 'items/bom'),
      ]),
    );
    if (bomLevels === 'SINGLE') {
      expect(lines[0]).toMatchObject({ notes: 'first, in place', refDes: '' });
      expect(lines[1]).toMatchObject({ refDes: 'R1-R2' });
    }
  });

  test('views without objects of the workspace are headers alone', async () => {
    const exportViews = ['BOM_SUBSTITUTES', 'SOURCING', 'FILES', 'FILES_FILE_SUMMARY', 'SOURCING_SUPPLIERITEM_FILES'];
    const files = await contentOf(await define({ exportViews }), { criteria: byNumber('B-1') });
    expect([...files.keys()]).toEqual(exportViews.map((view) => `${view}.csv`));
    for (const text of files.values()) {
      expect(headerOf(text).length).toBeGreaterThan(1);
      expect(text.trimEnd().split('\r\n')).toHaveLength(1);
    }
  });
});

test('views of files, suppliers and substitutes list what belongs to the items', async () => {
  const own = await openHosted();
  onTestFinished(() => own.stop());
  const to = await Session.open(own);
  await fill(to);
  const guidOf = async (number: string): Promise<string> => (await to.items(number))[0].guid;
  const [board, resistor, capacitor] = await Promise.all(['B-1', 'R-1', 'C-1'].map(guidOf));
  const { guid: supplier } = await to.post('/suppliers', { name: 'Acme' });
  const { guid: bought } = await to.post('/supplieritems', {
    number: 'A-7',
    name: 'Part',
    supplier: { guid: supplier },
  });
  const direct = { mfrItem: { guid: bought }, vendorItem: { guid: bought } };
  expect((await to.send('POST', `/items/${board}/sourcing`, direct)).status).toBe(201);
  const page = { title: 'Sheet', edition: '1', storageMethodName: 'WEB', location: 'http://x.example' };
  const { file: sheet } = await to.post(`/items/${board}/files`, { file: page });
  const { file: offer } = await to.post(`/supplieritems/${bought}/files`, { file: { ...page, title: 'Offer' } });
  const { results: phases } = await to.get('/settings/items/lifecyclephases');
  const { guid: phase } = phases.find(({ stage }: { stage: string }) => stage === 'DESIGN');
  const change = { item: { guid: capacitor }, toLifecyclePhase: { guid: phase }, revisionNumber: 'A' };
  const changed = await to.send('POST', '/items/lifecyclephasechanges', change);
  expect(changed.status, changed.text).toBe(201);
  const released = await guidOf('C-1');
  const line = (await to.bom('B-1')).find(({ item }: { item: { number: string } }) => item.number === 'R-1').guid;
  const substitutes = `/items/${board}/bom/${line}/substitutes`;
  const added = await to.send('POST', substitutes, { item: { guid: released }, quantity: 1 });
  expect(added.status, added.text).toBe(201);

  const exportViews = [
    ...['BOM_SUBSTITUTES', 'SOURCING', 'FILES', 'FILES_FILE_SUMMARY', 'SOURCING_SUPPLIERITEM_SPECS'],
    ...['SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE', 'SOURCING_SUPPLIERITEM_FILES'],
    'SOURCING_SUPPLIERITEM_FILES_FILE_SUMMARY',
  ];
  const files = await contentOf(
    await define({ exportViews }, null, to),
    { criteria: byNumber(['B-1', 'R-1'], 'IS_IN') },
    to,
  );
  const rows = Object.fromEntries([...files].map(([name, text]) => [name.replace('.csv', ''), rowsOf(text)]));
  const item = { guid: board, number: 'B-1' };
  const supplierItem = { 'supplierItem.guid': bought, 'supplierItem.number': 'A-7', 'supplier.name': 'Acme' };
  const [ofSheet, ofOffer] = [sheet, offer].map(({ guid, number }) => ({
    ...{ 'file.guid': guid, 'file.number': number, 'file.name': '' },
  }));
  const [replaced, substitute] = [
    { 'item.guid': resistor, 'item.number': 'R-1' },
    { 'substitute.guid': capacitor, 'substitute.number': 'C-1' },
  ];
  expect(rows).toEqual({
    BOM_SUBSTITUTES: [{ ...item, ...replaced, ...substitute }],
    SOURCING: [{ ...item, ...supplierItem }],
    FILES: [{ ...item, ...ofSheet }],
    FILES_FILE_SUMMARY: [ofSheet],
    SOURCING_SUPPLIERITEM_SPECS: [supplierItem],
    SOURCING_SUPPLIERITEM_SUPPLIER_PROFILE: [{ 'supplier.guid': supplier, 'supplier.name': 'Acme' }],
    SOURCING_SUPPLIERITEM_FILES: [{ ...supplierItem, ...ofOffer }],
    SOURCING_SUPPLIERITEM_FILES_FILE_SUMMARY: [ofOffer],
  });
});

describe('criteria choose the items (wire-facts 3, interface 4.6)', () => {
  const cases: [string, string, unknown, string[]][] = [
    ['number', 'IS_EQUAL_TO', 'c-1', ['C-1']],
    ['number', 'IS_NOT_EQUAL_TO', 'C-1', ['C-2', 'R-1', 'B-1', 'M-1']],
    ['name', 'CONTAINS', 'capacitor', ['C-1', 'C-2']],
    ['name', 'DOES_NOT_CONTAIN', 'or', ['B-1', 'M-1']],
    ['name', 'STARTS_WITH', 'Mod', ['M-1']],
    ['name', 'CONTAINS', 'pac*uF', ['C-2']],
    ['name', 'STARTS_WITH', 'ca*47', ['C-2']],
    ['name', 'DOES_NOT_START_WITH', '*a*itor', ['R-1', 'B-1', 'M-1']],
    ['number', 'IS_EQUAL_TO', 'C*', []],
    ['name', 'DOES_NOT_START_WITH', 'Cap', ['R-1', 'B-1', 'M-1']],
    ['number', 'IS_IN', ['B-1', 'R-1', 'none'], ['R-1', 'B-1']],
    ['number', 'IS_NOT_IN', ['B-1', 'R-1'], ['C-1', 'C-2', 'M-1']],
    ['description', 'IS_NOT_EQUAL_TO', 'Two-sided', ['C-1', 'C-2', 'R-1', 'M-1']],
    ['standardCost', 'IS_LESS_THAN', 0.01, ['R-1']],
    ['standardCost', 'IS_LESS_THAN_OR_EQUAL_TO', 0.01, ['C-1', 'R-1']],
    ['standardCost', 'IS_GREATER_THAN', '5', ['B-1']],
    ['standardCost', 'IS_GREATER_THAN_OR_EQUAL_TO', 5, ['B-1', 'M-1']],
    ['standardCost', 'IS_BETWEEN', [0.01, 5], ['C-1', 'C-2', 'M-1']],
    ['category.path', 'STARTS_WITH', 'Item\\Capacitor', ['C-1', 'C-2']],
    ['category.name', 'IS_EQUAL_TO', 'Assembly', ['B-1', 'M-1']],
    ['assemblyType', 'IS_EQUAL_TO', 'TOP_LEVEL_ASSEMBLY', ['B-1']],
    ['inAssembly', 'IS_EQUAL_TO', true, ['C-1', 'R-1', 'M-1']],
    ['owner.fullName', 'IS_EQUAL_TO', 'nobody', []],
    ['Weight in Grams', 'IS_GREATER_THAN', 0.1, ['C-2', 'B-1']],
    ['Safety Critical', 'IS_EQUAL_TO', true, ['C-2', 'B-1']],
    ['Safety Critical', 'IS_EQUAL_TO', false, ['C-1']],
    ['Certifications', 'IS_EQUAL_TO', 'ce', ['C-1', 'B-1']],
    ['Certifications', 'IS_NOT_IN', ['CE', 'FCC'], ['C-2', 'M-1']],
    ['Finish', 'IS_IN', ['Plated', 'Painted'], ['C-2', 'B-1']],
    ['Last Reviewed', 'IS_BEFORE', '2025-01-01T00:00:00Z', ['C-1']],
    ['Last Reviewed', 'IS_AFTER', '2025-03-01T00:00:00Z', ['B-1']],
    ['Last Reviewed', 'IS_BETWEEN', ['2025-03-01T00:00:00Z', '2025-06-30T12:00:00Z'], ['C-2', 'B-1']],
  ];

  test.each(cases)('%s %s %j', async (attribute, operator, value, expected) => {
    const custom = /^[A-Z][a-z]/.test(attribute) ? await session.attribute(attribute) : attribute;
    const seeded = { attribute: 'number', operator: 'DOES_NOT_START_WITH', value: 'DX-' };
    const criteria = [[{ attribute: custom, operator, value }, 'AND', seeded]];
    const files = await contentOf(await define({}, criteria));
    expect(rowsOf(files.get('SPECS.csv')).map((row) => row.number)).toEqual(expected);
  });

  test('all conditions of a row must hold, and one of the rows', async () => {
    const is = (attribute: string, operator: string, value: unknown) => ({ attribute, operator, value });
    const criteria = [
      [is('number', 'STARTS_WITH', 'C-'), is('standardCost', 'IS_GREATER_THAN', 0.1)],
      [is('number', 'IS_EQUAL_TO', 'M-1')],
    ];
    const oneLevel = [criteria[1]?.[0], 'OR', criteria[0]];
    for (const each of [criteria, oneLevel]) {
      const files = await contentOf(await define(), { criteria: each });
      expect(rowsOf(files.get('SPECS.csv')).map((row) => row.number)).toEqual(['C-2', 'M-1']);
    }
  });

  test('a GUID on its own finds its item; the uncategorized category is found by name', async () => {
    const [item] = await session.items('R-1');
    const alone = [[{ attribute: 'guid', operator: 'IS_EQUAL_TO', value: item.guid }]];
    const one = await contentOf(await define(), { criteria: alone });
    expect(rowsOf(one.get('SPECS.csv')).map((row) => row.number)).toEqual(['R-1']);
    const named = [[{ attribute: 'category.name', operator: 'IS_EQUAL_TO', value: '-uncategorized-' }]];
    const some = await contentOf(await define({}, named));
    expect(rowsOf(some.get('SPECS.csv')).map((row) => row.number)).toEqual(['DX-0001', 'DX-0002']);
  });
});

describe('a run from POST to DOWNLOADED', () => {
  test('counts its items, is complete within a second, and its states are those of wire-facts 5.1', async () => {
    const runs = await define();
    const criteria = byNumber('C-', 'STARTS_WITH');
    const before = Date.now();
    const posted = await session.send('POST', runs, { criteria });
    expect([posted.status, posted.body.status, posted.body.files]).toEqual([201, 'CREATED', []]);
    const run = await session.finished(`${runs}/${posted.body.guid}`);
    expect(Date.now() - before).toBeLessThan(1000);
    expect(run).toEqual({
      ...posted.body,
      status: 'COMPLETE',
      criteria,
      criteriaResultsCount: 2,
      completionDateTime: expect.stringMatching(/Z$/),
      files: [{ guid: expect.stringMatching(/^[A-Z0-9]{20}$/), title: expect.stringMatching(/^Export_\d{8}_\d{6}Z_/) }],
    });
    const file = `${runs}/${run.guid}/files/${run.files[0].guid}`;
    expect((await session.get(`${runs}?latestCompleted=true`)).results).toEqual([run]);
    const content = await session.bytes(`${file}/content`);
    expect(await session.get(file)).toMatchObject({
      guid: run.files[0].guid,
      title: run.files[0].title,
      format: 'zip',
      size: content.length,
    });
    expect(await session.get(`${runs}/${run.guid}`)).toEqual({ ...run, status: 'DOWNLOADED' });
    expect(await session.bytes(`${file}/content`)).toEqual(content);
    const nothing = await session.send('GET', `${runs}/${run.guid}/files/${run.guid}`);
    expect([nothing.status, nothing.body.errors[0].code]).toEqual([400, 3011]);
  });

  test('runs are searched by number, status, completion and latestCompleted, the newest first', async () => {
    const runs = await define({}, byNumber('C-1'));
    const first = await finished(runs);
    const second = await finished(runs);
    expect((await session.get(runs)).results).toEqual([second, first]);
    expect((await session.get(`${runs}?number=${first.number}`)).results).toEqual([first]);
    expect((await session.get(`${runs}?latestCompleted=true`)).results).toEqual([second]);
    expect((await session.get(`${runs}?status=COMPLETE&limit=1&offset=1`)).results).toEqual([second, first]);
    expect((await session.get(`${runs}?status=FAILED;ABORTED`)).count).toBe(0);
    expect((await session.get(`${runs}?completionDateTimeFrom=2100-01-01T00:00:00Z`)).count).toBe(0);
    expect((await session.get(`${runs}?completionDateTimeTo=2100-01-01T00:00:00Z`)).count).toBe(2);
    const unknown = await session.send('GET', `${runs}?creator.email=x`);
    expect([unknown.status, unknown.body.errors[0].code]).toEqual([400, 3019]);
  });

  test('criteria come from exactly one place (3140, 3142)', async () => {
    const without = await define();
    const withOwn = await define({}, byNumber('C-1'));
    const refused = async (runs: string, body?: unknown) => {
      const answer = await session.send('POST', runs, body);
      return [answer.status, answer.body.errors[0].code];
    };
    expect(await refused(without, {})).toEqual([400, 3140]);
    expect(await refused(without)).toEqual([400, 3140]);
    expect(await refused(without, { criteria: [] })).toEqual([400, 3140]);
    expect(await refused(withOwn, { criteria: byNumber('C-2') })).toEqual([400, 3142]);
    expect(await refused(without, { criteria: byNumber('C-2', 'IS_LIKE') })).toEqual([400, 3114]);
    expect(await refused(without, { criteria: 'all' })).toEqual([400, 3003]);
    expect(await refused(without, { colour: 'red' })).toEqual([400, 3004]);
    expect(await refused(without, { criteria: { attribute: 'number' } })).toEqual([400, 3003]);
    expect(await refused(without, [])).toEqual([400, 400]);
    expect(await refused(withOwn, { criteria: [] })).toEqual([400, 3142]);
    // There can be only one export, and the next test starts another.
    const accepted = await session.send('POST', withOwn, { criteria: null });
    expect(accepted.status).toBe(201);
    await session.finished(`${withOwn}/${accepted.body.guid}`);
  });

  test('a definition whose attribute was deleted cannot be run (3146)', async () => {
    const { guid } = await session.post('/embedded/attributes', { world: 'ITEMS', name: 'Brief', fieldType: 'NUMBER' });
    const runs = await define({}, [[{ attribute: guid, operator: 'IS_EQUAL_TO', value: 1 }]]);
    await session.send('DELETE', `/embedded/attributes/${guid}`);
    const answer = await session.send('POST', runs, {});
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 3146]);
  });

  test('only the user who started a run may read it (403, 3024)', async () => {
    const runs = await define({}, byNumber('C-1'));
    const run = await finished(runs);
    const other = await Session.open(workspace, 'ann@example.com');
    const path = `${runs}/${run.guid}`;
    for (const at of [path, `${path}/files/${run.files[0].guid}`, `${path}/files/${run.files[0].guid}/content`]) {
      const answer = await other.send('GET', at);
      expect([answer.status, answer.body.errors[0].code]).toEqual([403, 3024]);
    }
    expect(await other.get(runs)).toEqual({ count: 0, results: [] });
    expect((await session.get(path)).status).toBe('COMPLETE');
    const own = await finished(runs, {}, other);
    expect((await other.get(`${runs}?latestCompleted=true`)).results).toEqual([own]);
  });
});

/** A tower of pairs, each item containing both of the pair below it: `levels` levels make 2^(levels + 1) - 2 lines. */
async function tower(to: Session, levels: number): Promise<number> {
  const numbers = Array.from({ length: levels + 1 }, (_, level) => [`T-${level}-a`, `T-${level}-b`]);
  const items = numbers.flat().map((number) => `${number},Part`);
  await to.importNow(await to.define('ITEM_SPECS', 'CREATE'), csv('number,name', ...items));
  const lines = numbers
    .slice(0, -1)
    .flatMap((pair, level) =>
      pair.flatMap((parent) => (numbers[level + 1] ?? []).map((child) => `${parent},${child}`)),
    );
  const { errors } = await to.importNow(await to.define('ITEM_BOM', 'CREATE'), csv('number,item.number', ...lines));
  expect(errors).toEqual([]);
  return 2 ** (levels + 1) - 2;
}

const FULL = { exportViews: ['SPECS', 'BOM'], bomLevels: 'FULL' };

test('only one export is in progress at a time (3144), and a restart in the middle of it does not lose it', async () => {
  const db = join(temporaryFolder(), 'w.db');
  const first = await startWorkspace('--db', db);
  const before = await Session.open(first);
  const levels = scaled(16, 13);
  const lines = await tower(before, levels);
  const runs = await define(FULL, byNumber('T-0-a'), before);
  const { body: run } = await before.send('POST', runs, {});
  const second = await before.send('POST', await define({}, byNumber('T-0-b'), before), {});
  expect([second.status, second.body.errors[0].code]).toEqual([400, 3144]);
  while ((await before.get(`${runs}/${run.guid}`)).status === 'CREATED');
  expect((await before.get(`${runs}/${run.guid}`)).status).toBe('RUNNING');
  await first.stop('SIGKILL');
  const restarted = await openHosted('--db', db);
  onTestFinished(() => void restarted.stop());
  const after = await Session.open(restarted);
  const end = await after.finished(`${runs}/${run.guid}`);
  expect(end).toMatchObject({ status: 'COMPLETE', criteriaResultsCount: 1 });
  const files = await readArchive(await after.bytes(`${runs}/${run.guid}/files/${end.files[0].guid}/content`));
  expect(rowsOf(files.get('SPECS.csv')).map((row) => row.number)).toEqual(['T-0-a']);
  const rows = rowsOf(files.get('BOM.csv'));
  expect(rows).toHaveLength(lines);
  expect(new Set(rows.map((row) => row.level)).size).toBe(levels);
});

test.runIf(IS_WHOLE)('an export holds 20,000 items at most (3148), with BOM or files 5,000 (3149)', async () => {
  const big = await openHosted();
  onTestFinished(() => void big.stop());
  const by = await Session.open(big);
  const rows = Array.from({ length: 20_001 }, (_, index) => `L-${String(index).padStart(5, '0')},Part`);
  await by.importNow(await by.define('ITEM_SPECS', 'CREATE'), csv('number,name', ...rows));
  const codeOf = async (options: Options, prefix: string) => {
    const criteria = byNumber(prefix, 'STARTS_WITH');
    const { status, body } = await by.send('POST', await define(options, criteria, by), {});
    if (status !== 201) return body.errors[0].code;
    expect((await by.finished(`${await runsOf(by)}/${body.guid}`)).status).toBe('COMPLETE');
    return body.criteriaResultsCount;
  };
  const runsOf = async (of: Session) => `/exports/${(await of.get('/exports?limit=400')).results.at(-1).guid}/runs`;
  expect(await codeOf({}, 'L-')).toBe(3148);
  expect(await codeOf({}, 'L-1')).toBe(10_000);
  expect(await codeOf({ exportViews: ['BOM'] }, 'L-1')).toBe(3149);
  expect(await codeOf({ exportViews: ['FILES'] }, 'L-1')).toBe(3149);
  expect(await codeOf({ exportViews: ['SPECS', 'BOM'] }, 'L-10')).toBe(1000);
});
