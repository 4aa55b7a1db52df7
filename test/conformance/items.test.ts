import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, type Method, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

type Body = Readonly<Record<string, unknown>>;

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted('--dialect', 'arena');
  session = await Session.open(workspace);
});

afterAll(() => workspace.stop());

const UNKNOWN = { guid: 'A'.repeat(20) };

/** The status and codes of a refusal. */
const refusal = async (method: Method, path: string, body?: unknown): Promise<number[]> => {
  const answer = await session.send(method, path, body);
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  return [answer.status, ...answer.body.errors.map(({ code }: { readonly code: number }) => code)];
};

const named = async (path: string, name: string): Promise<{ readonly guid: string }> => {
  const { results } = await session.get(path);
  return { guid: results.find((one: { readonly name: string }) => one.name === name).guid };
};

const category = (name: string) => named('/settings/items/categories', name);
const phase = (name: string) => named('/settings/items/lifecyclephases', name);

/** Creates an item with a number of its own. */
const make = async (number: string, further: Body = {}): Promise<string> => {
  const body = { category: await category('Resistor'), name: `Item ${number}`, number, ...further };
  const answer = await session.send('POST', '/items', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.guid;
};

const changePhase = async (guid: string, name: string, further: Body = {}) =>
  session.post('/items/lifecyclephasechanges', { item: { guid }, toLifecyclePhase: await phase(name), ...further });

const addLine = (parent: string, guid: string, further: Body = {}) =>
  session.post(`/items/${parent}/bom`, { item: { guid }, quantity: 1, ...further });

test('an item is numbered by a free text, the format of its category, or another format (wire-facts 8.1)', async () => {
  const formats = (await session.get('/settings/items/numberformats')).results;
  const { fields, guid } = await session.get(`/settings/items/numberformats/${formats[1].guid}`);
  const [prefix, delimiter] = fields;
  const post = async (body: Body) => session.send('POST', '/items', { name: 'Numbered', ...body });
  const [assembly, plain] = [await category('Assembly'), await category('-uncategorized-')];
  const code = async (body: Body) => (await post({ category: plain, ...body })).body.errors[0].code;
  const by = (...values: Body[]) => ({ numberFormat: { guid, fields: values } });
  expect((await post({ category: assembly })).body.number).toBe('100-00001');
  expect((await post({ category: plain, ...by({ guid: prefix.guid, value: '900' }) })).body.number).toBe('900-00002');
  expect((await post({ category: plain, number: 'OWN-1' })).body.number).toBe('OWN-1');
  expect((await post({ category: plain, number: 'OWN-1' })).status).toBe(409);
  expect(await code({ number: 'OWN-1' })).toBe(3025);
  expect(await code({})).toBe(3014);
  expect(await code({ numberFormat: UNKNOWN })).toBe(3008);
  expect(await code(by({ guid: prefix.guid, value: '700' }))).toBe(3010);
  expect(await code(by({ apiName: delimiter.guid, value: '/' }))).toBe(3010);
  expect(await code(by({ guid: delimiter.guid, value: '/' }))).toBe(3010);
  const text = { name: 'Text', fields: [{ name: 'Text', type: 'FREE_TEXT', maxLength: 5, value: '' }] };
  const free = await session.post('/embedded/numberformats', text);
  const withText = (value: string) => ({
    numberFormat: { guid: free.guid, fields: [{ guid: free.fields[0].guid, value }] },
  });
  expect(await code(withText(''))).toBe(3009);
  expect(await code(withText('LONGER'))).toBe(3013);
  expect(await code({ number: 'N'.repeat(201) })).toBe(3101);
  const { body } = await post({ category: plain, ...withText('FREE') });
  expect(body.number).toBe('FREE');
  const renumbered = { numberFormat: { guid, fields: [{ apiName: prefix.guid, value: '100' }] } };
  expect((await session.send('PUT', `/items/${body.guid}`, renumbered)).body.number).toBe('100-00003');
});

test('items are checked as imports check them, and what is written is read, searched and exported', async () => {
  const guid = await session.attribute('Weight in Grams');
  const choice = await session.attribute('Certifications');
  const attributes = [
    { guid, value: 2.5 },
    { guid: choice, value: ['CE', 'UL'] },
  ];
  const item = await make('RW-1', { additionalAttributes: attributes, owner: { fullName: 'Cleo Engineer' } });
  expect(await session.get(`/items/${item}`)).toMatchObject({ owner: { fullName: 'Cleo Engineer' }, status: 0 });
  expect((await session.get(`/items?${guid}=2.5`)).results).toMatchObject([{ guid: item }]);
  const body = { category: await category('Resistor'), name: 'Wrong', number: 'RW-2' };
  const given = (one: Body) => refusal('POST', '/items', { ...body, ...one });
  expect(await given({ name: '' })).toEqual([400, 3001]);
  expect(await given({ category: await category('Item') })).toEqual([400, 3007]);
  expect(await given({ category: UNKNOWN })).toEqual([400, 3002]);
  expect(await given({ colour: 'red' })).toEqual([400, 3004]);
  expect(await given({ standardCost: -1 })).toEqual([400, 3003]);
  expect(await given({ additionalAttributes: [{ guid, value: 'heavy' }] })).toEqual([400, 2004]);
  expect(await given({ additionalAttributes: [{ ...UNKNOWN, value: 1 }] })).toEqual([400, 3011]);
  const put = async (query: string, change: Body) =>
    (await session.send('PUT', `/items/${item}${query}`, change)).body as Record<string, unknown>;
  expect(await put('', { description: 'New', uom: 'pcs', name: null })).toMatchObject({
    name: 'Item RW-1',
    uom: 'pcs',
  });
  expect((await put('', { description: null })).description).toBe('New');
  expect((await put('?setnull=true', { description: null })).description).toBeNull();
  expect((await put('', { additionalAttributes: [{ guid, value: null }] })).additionalAttributes).toHaveLength(1);
});

test('a list shows items as responseview says, compact by default (wire-facts 8.1)', async () => {
  const keys = async (query: string) => Object.keys((await session.get(`/items?${query}`)).results[0]).sort();
  const compact = ['assemblyType', 'category', 'creationDateTime', 'effectiveDateTime', 'guid', 'inAssembly'];
  expect(await keys('')).toEqual([...compact, 'lifecyclePhase', 'name', 'number', 'revisionNumber', 'url']);
  expect(await keys('responseview=compact')).toEqual(await keys(''));
  expect(await keys('responseview=minimum')).toEqual(['guid', 'number', 'url']);
  expect(await keys('responseview=full')).toContain('standardCost');
  expect(await refusal('GET', '/items?responseview=huge')).toEqual([400, 3006]);
});

test('a deletion takes BOM and references along, and is refused for what is used, released or absent', async () => {
  const [top, part] = [await make('DE-1'), await make('DE-2')];
  await addLine(top, part);
  expect(await refusal('DELETE', `/items/${part}`)).toEqual([400, 3016]);
  expect((await session.send('DELETE', `/items/${top}`)).status).toBe(204);
  expect(await refusal('GET', `/items/${top}`)).toEqual([400, 3011]);
  expect((await session.get(`/items/${part}/whereused`)).count).toBe(0);
  await changePhase(part, 'In Design');
  expect(await refusal('DELETE', `/items/${part}`)).toEqual([400, 3016]);
  expect(await refusal('DELETE', `/items/${UNKNOWN.guid}`)).toEqual([404, 3024]);
});

test('BOM lines are checked with the codes of wire-facts 8.2, and change only on the working revision', async () => {
  const [top, part, other] = [await make('BO-1'), await make('BO-2'), await make('BO-3')];
  const { guid: line } = await addLine(top, part, { quantity: 2, refDes: 'R1,R2' });
  const post = (body: Body, parent = top) =>
    refusal('POST', `/items/${parent}/bom`, { item: { guid: other }, ...body });
  const codes = async (...bodies: Body[]) => {
    const found: (number | undefined)[] = [];
    for (const body of bodies) found.push((await post(body))[1]);
    return found;
  };
  expect(await codes({}, { quantity: null }, { quantity: 0 }, { quantity: 1e12 })).toEqual([3036, 3036, 3227, 3228]);
  const two = { quantity: 2 };
  expect(
    await codes(
      { ...two, refDes: 'R9' },
      { ...two, refDes: 'R2-R3' },
      { ...two, refDes: 'R4,R4' },
      { ...two, refDes: '?' },
    ),
  ).toEqual([3230, 3229, 3605, 3606]);
  expect(await codes({ ...two, notes: 'n'.repeat(4001) }, { ...two, refDes: 'R'.repeat(32_001) })).toEqual([
    3233, 3604,
  ]);
  expect(await codes({ ...two, item: { guid: part } }, { ...two, item: UNKNOWN })).toEqual([3234, 3011]);
  expect(await post({ ...two, item: { guid: top } }, part)).toEqual([400, 3037]);
  expect(await refusal('PUT', `/items/${top}/bom/${line}`, { quantity: 3 })).toEqual([400, 3230]);
  const settings = `/items/${top}/bom/settings`;
  await session.send('PUT', settings, { checkReferenceDesignators: false });
  expect(await session.get(settings)).toEqual({
    automaticallyGenerateLineNumbers: false,
    checkReferenceDesignators: false,
  });
  expect((await session.send('PUT', `/items/${top}/bom/${line}`, { quantity: 3 })).body.quantity).toBe(3);
  expect(
    (await session.send('PUT', `/items/${top}/bom/${line}?setnull=true`, { refDes: null })).body.refDes,
  ).toBeNull();
  await session.send('PUT', `/embedded/items/${top}`, { isLocked: true });
  expect(await refusal('DELETE', `/items/${top}/bom/${line}`)).toEqual([400, 3224]);
  expect(await refusal('PUT', `/items/${top}`, { name: 'No' })).toEqual([400, 3224]);
  await session.send('PUT', `/embedded/items/${top}`, { isLocked: false });
  expect((await session.send('DELETE', `/items/${top}/bom/${line}`)).status).toBe(204);
  expect(await refusal('DELETE', `/items/${top}/bom/${line}`)).toEqual([403, 3024]);
});

test('an effective revision keeps its specs and BOM, and the working one goes on (wire-facts 8.1)', async () => {
  const [top, part] = [await make('RE-1'), await make('RE-2')];
  await addLine(top, part, { notes: 'then' });
  expect(
    await refusal('POST', '/items/lifecyclephasechanges', {
      item: { guid: top },
      toLifecyclePhase: await phase('In Design'),
    }),
  ).toEqual([400, 3075]);
  const { effectiveRevItem: child } = await changePhase(part, 'In Design');
  const first = await changePhase(top, 'In Design', { notes: 'First' });
  expect(first).toMatchObject({ supersededRevItem: null, workingRevItem: { guid: top } });
  const { guid: effective } = first.effectiveRevItem;
  const [listed] = await session.items('RE-1');
  expect(listed).toMatchObject({
    guid: effective,
    revisionNumber: '1',
    revisionStatus: 'EFFECTIVE',
    modifiedBom: false,
  });
  const [line] = (await session.get(`/items/${effective}/bom`)).results;
  expect(line).toMatchObject({ notes: 'then', item: { guid: child.guid, revisionStatus: 'EFFECTIVE' } });
  expect(await refusal('PUT', `/items/${effective}`, { name: 'No' })).toEqual([400, 3224]);
  expect(await refusal('PUT', `/items/${effective}/bom/${line.guid}`, { notes: 'No' })).toEqual([400, 3224]);
  await session.send('PUT', `/items/${top}/bom/${line.guid}`, { notes: 'now' });
  await session.send('PUT', `/items/${top}`, { name: 'Renamed' });
  expect(await session.get(`/items/${effective}`)).toMatchObject({
    ...{ name: 'Item RE-1', modifiedBom: true, modifiedSpecs: true, modifiedFiles: false, isAssembly: true },
  });
  expect((await session.get(`/items/${effective}/bom`)).results).toMatchObject([{ notes: 'then' }]);
  expect((await session.get(`/items/${top}/bom`)).results).toMatchObject([{ notes: 'now' }]);
  const second = await changePhase(top, 'Prototype', { revisionNumber: 'P1' });
  expect(second.supersededRevItem.guid).toBe(effective);
  expect((await session.items('RE-1'))[0]).toMatchObject({ name: 'Renamed', revisionNumber: 'P1', modifiedBom: false });
  const { results } = await session.get(`/items/${effective}/revisions`);
  expect(results).toMatchObject([
    { guid: top, number: null, status: 0, lifecyclePhase: { name: 'Prototype' } },
    { guid: effective, number: '1', status: 2, notes: 'First', change: { guid: null, deviated: false } },
    { guid: second.effectiveRevItem.guid, number: 'P1', status: 1, supersededDateTime: null },
  ]);
  expect(await refusal('POST', `/items/${part}/bom`, { item: { guid: top }, quantity: 1 })).toEqual([400, 3035]);
  expect(await refusal('POST', `/items/${part}/bom`, { item: { guid: effective }, quantity: 1 })).toEqual([400, 3011]);
});

test('phases change in the documented directions, on the working or the effective revision', async () => {
  const [top, part] = [await make('PH-1'), await make('PH-2')];
  const ask = async (guid: string, name: string, further: Body = {}) =>
    refusal('POST', '/items/lifecyclephasechanges', {
      item: { guid },
      toLifecyclePhase: await phase(name),
      ...further,
    });
  expect(await ask(part, 'In Production')).toEqual([400, 3063]);
  expect(await ask(part, 'Unreleased')).toEqual([400, 3063]);
  const design = await changePhase(part, 'In Design');
  await addLine(top, design.effectiveRevItem.guid);
  const ofTop = (await changePhase(top, 'In Design')).effectiveRevItem.guid;
  expect(await ask(top, 'In Production')).toEqual([400, 3063]);
  expect(await ask(ofTop, 'In Production')).toEqual([400, 3281]);
  expect(await ask(ofTop, 'In Production', { proceedOnNotice: true, revisionNumber: '1' })).toEqual([400, 3073]);
  const production = await changePhase(ofTop, 'In Production', { proceedOnNotice: true });
  expect(await session.get(`/items/${production.effectiveRevItem.guid}`)).toMatchObject({
    ...{ revisionNumber: 'A', lifecyclePhase: { name: 'In Production' } },
  });
  expect(await ask(ofTop, 'In Production')).toEqual([400, 3011]);
  expect(await ask(production.effectiveRevItem.guid, 'In Design')).toEqual([400, 3063]);
  const end = await changePhase(production.effectiveRevItem.guid, 'Obsolete');
  expect(end.supersededRevItem.guid).toBe(production.effectiveRevItem.guid);
});

test('references belong to both items, and take released ones (wire-facts 8.1)', async () => {
  const [one, other, unreleased] = [await make('RF-1'), await make('RF-2'), await make('RF-3')];
  for (const guid of [one, other]) await changePhase(guid, 'In Design');
  const add = (guid: string, owner = one) => refusal('POST', `/items/${owner}/items`, { item: { guid }, note: 'x' });
  expect(await add(one)).toEqual([400, 3276]);
  expect(await add(unreleased)).toEqual([400, 3278]);
  expect(await add(one, unreleased)).toEqual([400, 3278]);
  const [{ guid: effective }] = await session.items('RF-2');
  const { guid } = await session.post(`/items/${one}/items`, { item: { guid: effective }, note: 'See' });
  const [{ guid: fromThere }] = await session.items('RF-1');
  const there = `/items/${other}/items/${guid}`;
  expect(await session.get(there)).toEqual({ guid, item: { guid: fromThere }, notes: 'See' });
  expect((await session.send('PUT', there, { note: 'Changed' })).body).toMatchObject({ item: { guid: fromThere } });
  expect((await session.get(`/items/${effective}/items`)).results).toHaveLength(1);
  expect((await session.get(`/items/${one}/items`)).results).toEqual([
    { guid, item: { guid: effective }, note: 'Changed' },
  ]);
  expect((await session.send('DELETE', there)).status).toBe(204);
  expect((await session.get(`/items/${one}/items`)).count).toBe(0);
});

test('substitutes are ranked, and shown with their line if asked for (wire-facts 8.2)', async () => {
  const [top, part] = [await make('SU-1'), await make('SU-2')];
  const { guid: line } = await addLine(top, part);
  const released = async (number: string): Promise<string> =>
    (await changePhase(await make(number), 'In Design')).effectiveRevItem.guid;
  const [a, b, c] = [await released('SU-A'), await released('SU-B'), await released('SU-C')];
  const path = `/items/${top}/bom/${line}/substitutes`;
  const body = (guid: string | undefined, further: Body = {}) => ({ item: { guid }, quantity: 2, ...further });
  const ranked = async () =>
    (await session.get(path)).results.map(({ item, rank }: { item: { number: string }; rank: number }) => [
      ...[item.number, rank],
    ]);
  const { guid: first } = await session.post(path, body(a));
  await session.post(path, body(b));
  expect((await session.post(path, body(c, { rank: 1 }))).rank).toBe(1);
  expect(await ranked()).toEqual([
    ['SU-C', 1],
    ['SU-A', 2],
    ['SU-B', 3],
  ]);
  expect((await session.send('PUT', `${path}/${first}`, { rank: 3 })).body.rank).toBe(3);
  expect(await ranked()).toEqual([
    ['SU-C', 1],
    ['SU-B', 2],
    ['SU-A', 3],
  ]);
  expect(await refusal('POST', path, body(a))).toEqual([400, 3306]);
  expect(await refusal('PUT', `${path}/${first}`, { rank: 4 })).toEqual([400, 3307]);
  expect(await refusal('POST', path, body(part))).toEqual([400, 3309]);
  expect(await refusal('POST', path, body(top))).toEqual([400, 3310]);
  expect(await refusal('POST', path, { ...body(top), quantity: 0 })).toEqual([400, 3302]);
  const [gone] = (await session.get(path)).results;
  await session.send('DELETE', `${path}/${gone.guid}`);
  expect(await ranked()).toEqual([
    ['SU-B', 1],
    ['SU-A', 2],
  ]);
  const shown = await session.get(`/items/${top}/bom/${line}?includeBomSubstitutes=true`);
  expect(shown.substitutes).toMatchObject([{ rank: 1 }, { rank: 2, item: { guid: a } }]);
  expect(await session.get(`/items/${top}/bom/${line}`)).not.toHaveProperty('substitutes');
  await session.send('DELETE', `/items/${top}/bom/${line}`);
  expect(await refusal('GET', path)).toEqual([400, 3011]);
});

test('each user of a training plan has a record for each of its items, which items show', async () => {
  const [{ guid: user }] = (await session.get('/settings/users')).results;
  const { effectiveRevItem: item } = await changePhase(await make('TR-1'), 'In Design');
  const plan = await session.post('/trainingplans', { name: 'Soldering' });
  const at = `/trainingplans/${plan.guid}`;
  const entry = await session.post(`${at}/users`, { user: { guid: user }, dueDate: '2027-01-31' });
  await session.post(`${at}/items`, { item: { guid: item.guid } });
  const { results } = await session.get(`/items/${item.guid}/trainingrecords`);
  expect(results).toMatchObject([{ trainingplan: { guid: plan.guid } }]);
  expect(await session.get(`/items/${item.guid}/trainingrecords/${results[0].guid}`)).toMatchObject({
    ...{ dueDate: '2027-01-31T00:00:00Z', signedDateTime: null },
  });
  expect(await session.get(`${at}/records`)).toMatchObject({ count: 1, results: [{ user: { guid: user } }] });
  await session.send('DELETE', `${at}/users/${entry.guid}`);
  expect((await session.get(`/items/${item.guid}/trainingrecords`)).count).toBe(0);
});

test('an effective change makes revisions of its items; a temporary one makes them deviate (wire-facts 8.5)', async () => {
  const item = await make('CH-1');
  const kind = await named('/settings/changes/categories', 'Engineering Change Order');
  const [{ value }] = (await session.get('/settings/changes/numbersequenceprefixes')).results;
  const start = async (further: Body) => {
    const effectivity = { effectivityType: 'PERMANENT_ON_APPROVAL', ...further };
    const body = { category: kind, title: 'Change', numberSequencePrefix: { value }, ...effectivity };
    return (await session.post('/changes', body)).guid as string;
  };
  const move = async (guid: string, ...states: string[]) => {
    for (const status of states) await session.post('/changes/statuschanges', { change: { guid }, status });
  };
  const temporary = { effectivityType: 'TEMPORARY', expirationDateTime: '2030-01-31T08:00:00Z' };
  const entry = { newItemRevision: { guid: item } };
  const early = await start(temporary);
  expect(await refusal('POST', `/changes/${early}/items`, entry)).toEqual([400, 4060]);
  const change = await start({});
  const of = await session.post(`/changes/${change}/items`, { ...entry, newRevisionNumber: '07' });
  expect(of).toMatchObject({ affectedItemRevision: null, newItemRevision: { guid: item, revisionStatus: 'WORKING' } });
  expect((await session.get(`/items/${item}/futurechanges`)).results).toMatchObject([{ change: { guid: change } }]);
  const direct = { item: { guid: item }, toLifecyclePhase: await phase('In Design') };
  expect(await refusal('POST', '/items/lifecyclephasechanges', direct)).toEqual([400, 3066]);
  await move(change, 'SUBMITTED', 'APPROVED', 'COMPLETED', 'EFFECTIVE');
  const [effective] = await session.items('CH-1');
  expect(effective).toMatchObject({ revisionNumber: '07', lifecyclePhase: { name: 'In Design' }, deviated: false });
  const after = await session.get(`/changes/${change}/items/${of.guid}`);
  expect(after.newItemRevision).toMatchObject({ guid: effective.guid, revisionStatus: 'EFFECTIVE' });
  const { results } = await session.get(`/items/${item}/revisions`);
  expect(results).toMatchObject([{ status: 0 }, { number: '07', change: { number: expect.stringMatching(/^ECO-/) } }]);
  expect((await session.get(`/items/${item}/futurechanges`)).count).toBe(0);
  await session.post(`/changes/${early}/items`, entry);
  await move(early, 'SUBMITTED', 'APPROVED');
  expect((await session.items('CH-1'))[0]).toMatchObject({ guid: effective.guid, deviated: true });
  await move(early, 'EXPIRED');
  expect((await session.items('CH-1'))[0].deviated).toBe(false);
  expect(
    await refusal('POST', `/changes/${await start({})}/items`, { newItemRevision: { guid: effective.guid } }),
  ).toEqual([...[400, 4021]]);
});

test('requests and imports write the same items; a request waits for a run', async () => {
  const guid = await make('IM-1');
  const edit = await session.define('ITEM_SPECS', 'EDIT');
  const rows = Array.from({ length: 300 }, (_, index) => `IM-1,Name ${index}`);
  const run = await session.submit(edit, csv('number,name', ...rows), { commit: 'true' });
  const changed = await session.send('PUT', `/items/${guid}`, { description: 'After the run' });
  expect(changed.body).toMatchObject({ name: 'Name 299', description: 'After the run' });
  expect((await session.get(run)).status).toBe('COMPLETE');
});

test('`any` finds a text in any attribute, in a list and in criteria, where only CONTAINS suits it', async () => {
  const workspace = await openHosted();
  onTestFinished(() => workspace.stop());
  const session = await Session.open(workspace);
  const finish = await session.attribute('Remarks');
  const definition = await session.define('ITEM_SPECS', 'CREATE', {
    mapping: ['number', 'name', 'description', finish].map((apiName) => ({
      ...{ resource: 'ITEM_SPECS', apiName, sourceName: apiName },
    })),
  });
  const rows = ['ZINC-1,One,,', 'A-2,zinc plate,,', 'A-3,Three,of Zinc,', 'A-4,Four,,"no zinc, 100%"', 'A-5,Five,tin,'];
  await session.importNow(definition, `number,name,description,${finish}\r\n${rows.join('\r\n')}\r\n`);
  const found = async (query: string) =>
    (await session.get(`/items?${query}`)).results.map(({ number }: Answer['body']) => number);
  const four = ['ZINC-1', 'A-2', 'A-3', 'A-4'];
  expect(await found('any=zinc')).toEqual(four);
  expect(await found('any=*ZINC*')).toEqual(four);
  expect(await found('any=100%25')).toEqual(['A-4']);
  expect(await found('any=zinc&number=A-*')).toEqual(['A-2', 'A-3', 'A-4']);
  const criteria = (operator: string) =>
    `criteria=${encodeURIComponent(JSON.stringify([[{ attribute: 'any', operator, value: 'zinc' }]]))}`;
  expect(await found(criteria('CONTAINS'))).toEqual(four);
  const refused = await session.send('GET', `/items?${criteria('IS_EQUAL_TO')}`);
  expect(refused.body.errors[0].code).toBe(3114);
});

test('a workspace file keeps items, revisions and BOMs that requests wrote', async () => {
  const db = join(temporaryFolder(), 'workspace.db');
  const start = async () => {
    const own = await startWorkspace('--db', db);
    onTestFinished(async () => {
      await own.stop();
    });
    return { own, by: await Session.open(own) };
  };
  const before = await start();
  const [, , { guid: assembly }] = (await before.by.get('/settings/items/categories')).results;
  const { guid } = await before.by.post('/items', { category: { guid: assembly }, name: 'Kept' });
  const [part] = (await before.by.get('/items')).results;
  await before.by.post(`/items/${guid}/bom`, { item: { guid: part.guid }, quantity: 4 });
  const read = async ({ own, by }: typeof before) => {
    const paths = ['', '/bom', '/revisions'].map((part) => `/items/${guid}${part}`);
    const answers = JSON.stringify(await Promise.all(paths.map((path) => by.get(path))));
    // A link is whole, and works as it is.
    expect(answers).toContain(`"url":{"api":"${own.url}/items/${guid}","app":"${own.url}/items/${guid}"}`);
    return answers.replaceAll(own.url, '');
  };
  const kept = await read(before);
  await before.own.stop();
  expect(await read(await start())).toEqual(kept);
});

test('a list is searched by assemblyType or by inAssembly, not by both (wire-facts 3: 3851)', async () => {
  for (const query of ['assemblyType=ASSEMBLY', 'inAssembly=true']) {
    expect((await session.send('GET', `/items?${query}`)).status).toBe(200);
  }
  expect(await refusal('GET', '/items?assemblyType=ASSEMBLY&inAssembly=true')).toEqual([400, 3851]);
});

test('only the working revision of an item takes an image (wire-facts 8.1: 3501)', async () => {
  const guid = await make('IMG-1');
  const { effectiveRevItem } = await changePhase(guid, 'In Design');
  const image = async (of: string) => {
    const form = new FormData();
    form.set('content', new Blob(['pixels']), 'image.png');
    return session.send('POST', `/items/${of}/image`, form);
  };
  const refused = await image(effectiveRevItem.guid);
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 3501]);
  expect((await image(guid)).status).toBe(201);
});
