import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { scaled } from '../harness/sample.js';
import { type Answer, csv, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';
import { headerOf, readArchive, rowsOf } from './archive.js';

let workspace: HostedWorkspace;
let session: Session;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
});

afterAll(() => workspace.stop());

const codeOf = ({ status, body }: Answer) => [status, body.errors[0].code];

/** Runs an extract to its end. */
async function runOf(extract: string, by = session): Promise<Answer['body']> {
  const { status, body, text } = await by.send('POST', `/extracts/${extract}/runs`);
  if (status !== 201) throw new Error(text);
  return by.finished(`/extracts/${extract}/runs/${body.guid}`);
}

async function contentOf(extract: string, run: Answer['body'], by = session): Promise<Map<string, string>> {
  const files = `/extracts/${extract}/runs/${run.guid}/files`;
  const { results } = await by.get(files);
  return readArchive(await by.bytes(`${files}/${results[0].guid}/content`));
}

describe('extract definitions (wire-facts 0 and 5.2, interface 2.4)', () => {
  test('have defaults for fields that the request leaves out', async () => {
    const { status, body } = await session.send('POST', '/extracts', { name: 'Defaults' });
    expect(status).toBe(201);
    expect(body).toEqual({
      guid: expect.stringMatching(/^[A-Z0-9]{20}$/),
      name: 'Defaults',
      enabled: true,
      type: 'FULL',
      creationDateTime: expect.stringMatching(/Z$/),
      creator: { guid: expect.any(String), email: workspace.email, fullName: 'Ada Admin' },
      lastModifiedDateTime: null,
    });
    expect(await session.get(`/extracts/${body.guid}`)).toEqual(body);
  });

  test('lose the fields that a PUT leaves out', async () => {
    const made = await session.post('/extracts', { name: 'Reset', enabled: false, type: 'full_and_delta' });
    expect(made).toMatchObject({ enabled: false, type: 'FULL_AND_DELTA' });
    const { status, body } = await session.send('PUT', `/extracts/${made.guid}`, { name: 'reset' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...made,
      name: 'reset',
      enabled: true,
      type: 'FULL',
      lastModifiedDateTime: expect.any(String),
    });
  });

  test.each([
    ['no name', {}, 3001],
    ['a blank name', { name: ' ' }, 3020],
    ['a name that another extract has', { name: 'TAKEN' }, 3003],
    ['another type', { name: 'New', type: 'DELTA' }, 3006],
    ['an unknown field', { name: 'New', owner: 'x' }, 3004],
    ['a field of the wrong type', { name: 'New', enabled: 'yes' }, 3003],
  ])('%s is refused', async (_, body, code) => {
    if ((await session.get('/extracts?name=Taken')).count === 0) await session.post('/extracts', { name: 'Taken' });
    expect(codeOf(await session.send('POST', '/extracts', body))).toEqual([400, code]);
    expect((await session.get('/extracts?name=New')).count).toBe(0);
  });

  test('are searched by name, creator and enabled, in pages, and never deleted', async () => {
    for (let index = 0; index < 22; index += 1) {
      await session.post('/extracts', { name: `Page ${index}`, enabled: index % 2 === 0 });
    }
    expect((await session.get('/extracts?name=Page*')).count).toBe(20);
    expect((await session.get('/extracts?name=Page*&offset=20')).count).toBe(2);
    expect((await session.get('/extracts?name=Page*&enabled=true')).count).toBe(11);
    expect((await session.get('/extracts?creator.fullName=Ann*')).count).toBe(0);
    expect(codeOf(await session.send('GET', '/extracts?type=FULL'))).toEqual([400, 3019]);
    const { results } = await session.get('/extracts?limit=1');
    expect((await session.send('DELETE', `/extracts/${results[0].guid}`)).status).toBe(405);
  });
});

describe('extract runs (wire-facts 5.2)', () => {
  test('hold the whole workspace as tables', async () => {
    const grams = await session.attribute('Weight in Grams');
    const mapping = ['number', 'name', 'category.path', grams].map((apiName) => {
      return { resource: 'ITEM_SPECS', apiName, sourceName: apiName };
    });
    const specs = await session.define('ITEM_SPECS', 'CREATE', { mapping });
    await session.importNow(
      specs,
      csv(`number,name,category.path,${grams}`, 'X-1,"One, two",Item\\Cable,2.5', 'X-2,Two,,'),
    );
    await session.importNow(
      await session.define('ITEM_BOM', 'CREATE'),
      csv('number,item.number,quantity', 'X-1,X-2,4'),
    );
    const { guid } = await session.post('/extracts', { name: 'Whole' });
    const { body: posted } = await session.send('POST', `/extracts/${guid}/runs`, {});
    expect(posted).toMatchObject({ status: 'IN_PROCESS', viewsExtracted: [], completionDateTime: null });
    const run = await session.finished(`/extracts/${guid}/runs/${posted.guid}`);
    expect(run).toEqual({
      guid: posted.guid,
      status: 'COMPLETED',
      type: 'FULL',
      viewsExtracted: ['Items_Summary', 'Items_Attributes', 'Items_BOM', 'Changes_Summary'],
      scheduledDateTime: posted.scheduledDateTime,
      runDateTime: expect.stringMatching(/Z$/),
      completionDateTime: expect.stringMatching(/Z$/),
      creator: posted.creator,
    });
    const files = await contentOf(guid, run);
    expect([...files.keys()]).toEqual(run.viewsExtracted.map((view: string) => `${view}.csv`));
    const [item] = await session.items('X-1');
    const items = rowsOf(files.get('Items_Summary.csv'));
    expect(items.map((row) => row.number)).toEqual(['DX-0001', 'DX-0002', 'X-1', 'X-2']);
    expect(items[2]).toMatchObject({ guid: item.guid, name: 'One, two', 'category.path': 'Item\\Cable' });
    expect(rowsOf(files.get('Items_Attributes.csv'))).toEqual([
      { guid: item.guid, number: 'X-1', 'attribute.guid': grams, 'attribute.name': 'Weight in Grams', value: '2.5' },
    ]);
    expect(rowsOf(files.get('Items_BOM.csv'))).toMatchObject([{ number: 'X-1', 'item.number': 'X-2', quantity: '4' }]);
    expect(rowsOf(files.get('Changes_Summary.csv'))).toEqual([]);
    expect(headerOf(files.get('Changes_Summary.csv')).length).toBeGreaterThan(1);
  });

  test('of FULL_AND_DELTA are full at first, later with the items changed since the last completed run', async () => {
    const { guid } = await session.post('/extracts', { name: 'Delta', type: 'FULL_AND_DELTA' });
    const specs = await session.define('ITEM_SPECS', 'OVERWRITE');
    const bom = await session.define('ITEM_BOM', 'OVERWRITE');
    await session.importNow(specs, csv('number,name', 'D-1,One', 'D-2,Two', 'D-3,Three', 'D-4,Four'));
    const first = await runOf(guid);
    expect(first.viewsExtracted.filter((view: string) => view.endsWith('Delta'))).toEqual([]);
    await session.importNow(specs, csv('number,name', 'D-2,Second', 'D-5,New'));
    await session.importNow(bom, csv('number,item.number,quantity', 'D-3,D-1,2'));
    await session.finished(await session.submit(specs, csv('number,name', 'D-4,Only validated'), { commit: 'false' }));
    const second = await contentOf(guid, await runOf(guid));
    const numbers = (text: string | undefined) => rowsOf(text).map((row) => row.number);
    expect(numbers(second.get('Items_Summary_Delta.csv'))).toEqual(['D-2', 'D-3', 'D-5']);
    expect(rowsOf(second.get('Items_Summary_Delta.csv'))[0]).toMatchObject({ name: 'Second' });
    expect(rowsOf(second.get('Items_BOM_Delta.csv'))).toMatchObject([{ number: 'D-3', 'item.number': 'D-1' }]);
    expect(numbers(second.get('Items_Summary.csv'))).toEqual(expect.arrayContaining(['D-1', 'D-4', 'DX-0001']));
    const third = await contentOf(guid, await runOf(guid));
    expect(numbers(third.get('Items_Summary_Delta.csv'))).toEqual([]);
    await session.send('PUT', `/extracts/${guid}`, { name: 'Delta', type: 'FULL' });
    await session.send('PUT', `/extracts/${guid}`, { name: 'Delta', type: 'FULL_AND_DELTA' });
    const anew = await runOf(guid);
    expect(anew.viewsExtracted.filter((view: string) => view.endsWith('Delta'))).toEqual([]);
  });

  test('latestCompleted gives the newest completed run, with its files if asked', async () => {
    const { guid } = await session.post('/extracts', { name: 'Latest' });
    expect(codeOf(await session.send('GET', `/extracts/${guid}/runs/latestCompleted`))).toEqual([400, 3012]);
    await runOf(guid);
    const newest = await runOf(guid);
    for (const name of ['latestCompleted', 'latestcompleted']) {
      expect(await session.get(`/extracts/${guid}/runs/${name}`)).toEqual(newest);
    }
    const path = `/extracts/${guid}/runs/latestCompleted?view=withFiles`;
    const { files, ...rest } = await session.get(path);
    expect(rest).toEqual(newest);
    expect(files).toEqual([{ guid: expect.stringMatching(/^[A-Z0-9]{20}$/), downloadDateTime: null }]);
    const file = `/extracts/${guid}/runs/${newest.guid}/files/${files[0].guid}`;
    const content = await session.bytes(`${file}/content`);
    const described = await session.get(file);
    expect(described).toEqual({
      guid: files[0].guid,
      downloadDateTime: expect.stringMatching(/Z$/),
      file: { guid: files[0].guid, name: expect.any(String), format: 'zip', size: content.length },
    });
    expect(described.file.name).toMatch(new RegExp(`^Extract_\\d{8}_\\d{6}Z_${newest.guid}\\.zip$`));
    expect((await session.get(path)).files[0].downloadDateTime).toBe(described.downloadDateTime);
    const since = `/extracts/${guid}/runs?downloadDateTimeFrom=2020-01-01T00:00:00Z`;
    expect((await session.get(since)).results).toEqual([newest]);
  });

  test('are searched by state and times, the newest first, in pages', async () => {
    const { guid } = await session.post('/extracts', { name: 'Searched' });
    const runs = [await runOf(guid), await runOf(guid), await runOf(guid)].reverse();
    const found = async (query: string) => (await session.get(`/extracts/${guid}/runs?${query}`)).results;
    expect(await found('')).toEqual(runs);
    expect(await found('limit=1&offset=1')).toEqual([runs[1]]);
    expect(await found('status=Completed')).toEqual(runs);
    expect(await found('status=COMPLETED')).toEqual(runs);
    expect(await found('status=InProcess;IN_PROCESS;Failed;Aborted')).toEqual([]);
    for (const name of ['scheduled', 'run', 'completion']) {
      expect(await found(`${name}DateTimeTo=2100-01-01T00:00:00Z`)).toEqual(runs);
      expect(await found(`${name}DateTimeFrom=2100-01-01T00:00:00Z`)).toEqual([]);
    }
    expect(codeOf(await session.send('GET', `/extracts/${guid}/runs?number=1`))).toEqual([400, 3019]);
  });

  test('content is for the owner of the extract alone (403, 3024), once the run is completed (3017)', async () => {
    const ann = await Session.open(workspace, 'ann@example.com');
    const { guid } = await ann.post('/extracts', { name: 'Of Ann' });
    const run = await runOf(guid);
    const files = `/extracts/${guid}/runs/${run.guid}/files`;
    const { results } = await session.get(files);
    const content = `${files}/${results[0].guid}/content`;
    expect(codeOf(await session.send('GET', content))).toEqual([403, 3024]);
    expect((await readArchive(await ann.bytes(content))).size).toBe(4);
    expect(codeOf(await ann.send('GET', `${files}/${guid}/content`))).toEqual([400, 3011]);
  });

  test('are refused for a disabled extract, and with a body', async () => {
    const { guid } = await session.post('/extracts', { name: 'Disabled', enabled: false });
    expect(codeOf(await session.send('POST', `/extracts/${guid}/runs`))).toEqual([400, 3003]);
    expect(codeOf(await session.send('POST', `/extracts/${guid}/runs`, { at: 'noon' }))).toEqual([400, 3004]);
    expect(codeOf(await session.send('GET', `/extracts/${'A'.repeat(20)}/runs`))).toEqual([400, 3011]);
  });
});

test('a restart in the middle of an extract does not lose it; before its end its file is refused with 3017', async () => {
  const db = join(temporaryFolder(), 'w.db');
  const first = await startWorkspace('--db', db);
  const before = await Session.open(first);
  const count = scaled(20_000, 6000);
  const rows = Array.from({ length: count }, (_, index) => `P-${index},Part ${index}`);
  await before.importNow(await before.define('ITEM_SPECS', 'CREATE'), csv('number,name', ...rows));
  const { guid } = await before.post('/extracts', { name: 'Interrupted' });
  const { body: run } = await before.send('POST', `/extracts/${guid}/runs`);
  const path = `/extracts/${guid}/runs/${run.guid}`;
  expect(codeOf(await before.send('GET', `${path}/files/${run.guid}/content`))).toEqual([400, 3017]);
  while ((await before.get(path)).runDateTime === null);
  await first.stop('SIGKILL');
  const second = await openHosted('--db', db);
  onTestFinished(() => void second.stop());
  const after = await Session.open(second);
  const end = await after.finished(path);
  expect(end.status).toBe('COMPLETED');
  expect(rowsOf((await contentOf(guid, end, after)).get('Items_Summary.csv'))).toHaveLength(count + 2);
});

describe('dialect arena (wire-facts 0, "DataExtract")', () => {
  let service: HostedWorkspace;
  let user: Session;

  beforeAll(async () => {
    service = await openHosted('--dialect', 'arena');
    user = await Session.open(service);
  });

  afterAll(() => service.stop());

  test('has one extract from the start, whose definition cannot be written', async () => {
    const { results } = await user.get('/extracts');
    expect(results).toMatchObject([{ name: 'Nightly extract', enabled: true, type: 'FULL' }]);
    expect((await user.send('POST', '/extracts', { name: 'New' })).status).toBe(405);
    expect((await user.send('PUT', `/extracts/${results[0].guid}`, { name: 'New' })).status).toBe(405);
    expect((await user.send('DELETE', `/extracts/${results[0].guid}`)).status).toBe(405);
  });

  test('runs it, and the file is for its owner alone', async () => {
    const [{ guid }] = (await user.get('/extracts')).results;
    const ann = await Session.open(service, 'ann@example.com');
    const run = await runOf(guid, ann);
    expect(run).toMatchObject({ status: 'COMPLETED', creator: { email: 'ann@example.com' } });
    expect(rowsOf((await contentOf(guid, run, user)).get('Items_Summary.csv'))).toHaveLength(2);
    const [file] = (await ann.get(`/extracts/${guid}/runs/${run.guid}/files`)).results;
    const answer = await ann.send('GET', `/extracts/${guid}/runs/${run.guid}/files/${file.guid}/content`);
    expect(codeOf(answer)).toEqual([403, 3024]);
  });
});
