import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { csv, formOf, Session, send } from '../harness/session.js';

let workspace: HostedWorkspace;
let session: Session;
let overwrite: string;

beforeAll(async () => {
  workspace = await openHosted('--upload-limit', '2000000');
  session = await Session.open(workspace);
  overwrite = await session.define('ITEM_SPECS', 'OVERWRITE');
});

afterAll(() => workspace.stop());

describe('a run from POST to commit (interface 3.1, 4.2 to 4.5; wire-facts 0)', () => {
  const file = csv('number,name', 'R-1,Resistor', 'R-2,', 'R-3,Another');

  test('validates without writing, reports the failed rows, then commits the valid ones', async () => {
    const posted = await session.send('POST', `${overwrite}/runs`, formOf(file, { commit: 'false' }));
    expect(posted.status).toBe(201);
    expect(posted.body).toMatchObject({ status: 'CREATED', commit: false, totalCount: 0, successCount: 0 });
    expect(posted.body).not.toHaveProperty('errorCount');
    const path = `${overwrite}/runs/${posted.body.guid}`;
    const validated = { status: 'COMPLETE', commit: false, totalCount: 3, successCount: 2, errorCount: 1 };
    expect(await session.finished(path)).toMatchObject(validated);
    expect(await session.items('R-*')).toEqual([]);
    const report = await session.send('GET', `${path}/errorContent`);
    expect(report.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(report.text).toBe(
      'Row Number,Number,Status,Error Code,Error Message\r\n3,R-2,Error,3001,"The attribute ""name"" is required."\r\n',
    );
    const put = await session.send('PUT', path, { commit: true });
    expect([put.status, put.body.status, put.body.commit]).toEqual([200, 'RUNNING', true]);
    const committed = await session.finished(path);
    expect(committed).toMatchObject({ ...validated, commit: true });
    expect((await session.items('R-*')).map(({ number }) => number)).toEqual(['R-1', 'R-3']);
    const second = await session.send('PUT', path, { commit: true });
    expect([second.status, second.body]).toEqual([200, committed]);
    const never = await session.send('PUT', path, { commit: false });
    expect([never.status, never.body.errors[0].code]).toEqual([400, 3519]);
  });

  test('with commit true it validates and commits at once', async () => {
    const { run, errors } = await session.importNow(overwrite, csv('number,name', 'Q-1,Quartz', 'Q-2,'));
    expect(run).toMatchObject({ status: 'COMPLETE', commit: true, totalCount: 2, successCount: 1, errorCount: 1 });
    expect(errors).toHaveLength(1);
    expect(await session.items('Q-*')).toHaveLength(1);
  });

  test('gives the file unchanged as submitContent, and all rows as resultContent', async () => {
    const path = await session.submit(overwrite, file, { commit: 'false' });
    await session.finished(path);
    expect((await session.send('GET', `${path}/submitContent`)).text).toBe(file);
    const { text } = await session.send('GET', `${path}/resultContent`);
    expect(text.split('\r\n')[1]).toBe('R-1,Resistor,Success,,');
    expect(text.split('\r\n')).toHaveLength(5);
  });

  test('gives the header alone as a report without errors', async () => {
    const path = await session.submit(overwrite, csv('number,name', 'N-1,New'), { commit: 'false' });
    await session.finished(path);
    const { text } = await session.send('GET', `${path}/errorContent`);
    expect(text).toBe('Row Number,Number,Status,Error Code,Error Message\r\n');
  });

  test('cannot be committed in status ERROR (3518), without a body (400) or with nonsense', async () => {
    const path = await session.submit(overwrite, '', { commit: 'false' });
    expect((await session.finished(path)).status).toBe('ERROR');
    const early = await session.send('PUT', path, { commit: true });
    expect([early.status, early.body.errors[0].code]).toEqual([400, 3518]);
    const empty = await session.send('PUT', path);
    expect([empty.status, empty.body.errors[0].code]).toEqual([400, 400]);
    const wrong = await session.send('PUT', path, { commit: 'yes' });
    expect([wrong.status, wrong.body.errors[0].code]).toEqual([400, 3003]);
    const report = await session.send('GET', `${path}/errorContent`);
    expect([report.status, report.body.errors[0].code]).toEqual([400, 3520]);
  });

  test('lists runs of one definition, the newest first, searched by number and status', async () => {
    const definition = await session.define('ITEM_SPECS', 'CREATE');
    const paths = [];
    for (let index = 0; index < 3; index += 1)
      paths.push(await session.submit(definition, csv('number'), { commit: 'false' }));
    for (const path of paths) await session.finished(path);
    const { results } = await session.get(`${definition}/runs?status=COMPLETE`);
    expect(results.map(({ guid }: { guid: string }) => `${definition}/runs/${guid}`)).toEqual(paths.toReversed());
    expect((await session.get(`${definition}/runs?number=${results[0].number}`)).results).toEqual([results[0]]);
    expect((await session.get(`${definition}/runs?status=ERROR`)).count).toBe(0);
    expect((await session.get(`${definition}/runs?limit=1&offset=1`)).results).toEqual(results);
  });

  test('is found only under its own definition', async () => {
    const other = await session.define('ITEM_SPECS', 'CREATE');
    const path = await session.submit(overwrite, file, { commit: 'false' });
    const answer = await session.send('GET', path.replace(overwrite, other));
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 3011]);
    await session.finished(path);
  });
});

describe('the form of a run (interface 4.2, wire-facts 4)', () => {
  test('its fields may come as query parameters', async () => {
    const query = 'commit=false&submitFileType=csv';
    const { body } = await session.send('POST', `${overwrite}/runs?${query}`, formOf(csv('number,name', 'X,Y')));
    expect(body).toMatchObject({ commit: false, submitFileType: 'CSV' });
  });

  test('commit may come after the file', async () => {
    const form = new FormData();
    form.set('submitContent', new Blob([csv('number,name', 'AFTER,Name')]), 'a.csv');
    form.set('commit', 'false');
    const { body } = await session.send('POST', `${overwrite}/runs`, form);
    expect(body.commit).toBe(false);
  });

  test('without commit it is committed (wire-facts 4: the default is true)', async () => {
    const path = await session.submit(overwrite, csv('number,name', 'DEFAULT,Name'));
    expect(await session.finished(path)).toMatchObject({ commit: true, successCount: 1 });
  });

  test.each([
    ['no file', (form: FormData) => form.delete('submitContent'), 400, 3223],
    ['a commit that is neither true nor false', (form: FormData) => form.set('commit', 'maybe'), 400, 3003],
    ['an unknown file type', (form: FormData) => form.set('submitFileType', 'PDF'), 400, 3006],
    [
      'a file above the limit',
      (form: FormData) => form.set('submitContent', new Blob(['x'.repeat(2_000_001)]), 'big.csv'),
      413,
      413,
    ],
  ])('%s is refused', async (_, change, status, code) => {
    const definition = await session.define('ITEM_SPECS', 'CREATE');
    const form = formOf(csv('number,name', 'F-1,Form'), { commit: 'true' });
    change(form);
    const answer = await session.send('POST', `${definition}/runs`, form);
    expect([answer.status, answer.body.errors[0].code]).toEqual([status, code]);
    expect((await session.get(`${definition}/runs`)).count).toBe(0);
  });

  test('a body that is not a form is 415', async () => {
    const answer = await session.send('POST', `${overwrite}/runs`, { commit: false });
    expect([answer.status, answer.body.errors[0].code]).toEqual([415, 415]);
  });

  test('a file larger than the 1 MiB that the form reader would take by default arrives whole', async () => {
    const content = csv('number,name', ...Array.from({ length: 2000 }, (_, i) => `BIG-${i},${'n'.repeat(600)}`));
    expect(content.length).toBeGreaterThan(2 ** 20);
    const path = await session.submit(overwrite, content, { commit: 'false' });
    expect(await session.finished(path)).toMatchObject({ totalCount: 2000, successCount: 2000 });
    expect((await session.send('GET', `${path}/submitContent`)).text).toBe(content);
  });
});

test('a request that was cut off in the middle of its file leaves no run', async () => {
  const definition = await session.define('ITEM_SPECS', 'CREATE');
  const head = '--b\r\ncontent-disposition: form-data; name="submitContent"; filename="a"\r\n\r\nnumber,name\r\nA,';
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'Service-Session-Id': session.token };
  const { status } = await send(workspace.url, 'POST', `${definition}/runs`, head, headers);
  expect(status).toBe(400);
  expect((await session.get(`${definition}/runs`)).count).toBe(0);
});
