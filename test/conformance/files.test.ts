import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, Session } from '../harness/session.js';
import { differences, lines } from './description.js';

/** A form with a file in the part `content`, or in another one. */
function withFile(content: string, fields: Readonly<Record<string, string>> = {}, part = 'content'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(part, new Blob([content]), 'drawing.pdf');
  return form;
}

/** The status, and the codes of a refusal. */
const outcome = ({ status, body }: Answer): readonly number[] => [
  status,
  ...(body.errors ?? []).map(({ code }: { code: number }) => code),
];

const shapeOf = (method: string, path: string) =>
  lines.find((line) => line.method === method && line.path === path)?.answer ?? 'null';

describe.each(['arena', 'reference'])('files (wire-facts 8.3), dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;
  const content = async (guid: string): Promise<string> => String(await session.bytes(`/files/${guid}/content`));
  const create = (text: string, fields = {}) =>
    session.post('/files', withFile(text, { title: 'Drawing', edition: '1', ...fields }));
  const codes = async (path: string, body: unknown) => outcome(await session.send('POST', path, body));

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  test('a form is a body of dotted keys with a file, whose content is read back and replaced', async () => {
    const file = await create('one', { 'author.fullName': 'Ann', private: 'true' });
    expect(differences(shapeOf('PUT', '/files/{guid}'), file, '').filter((one) => !one.includes('mimeType'))).toEqual(
      [],
    );
    expect(file).toMatchObject({
      author: { fullName: 'Ann' },
      private: true,
      name: 'drawing.pdf',
      size: 3,
      format: 'pdf',
    });
    expect(await content(file.guid)).toBe('one');
    const accesses = await session.get('/settings/recentactivities/fileaccesses?limit=400');
    expect(differences(shapeOf('GET', '/settings/recentactivities/fileaccesses'), accesses, '')).toEqual([]);
    expect(accesses.results.at(-1).file).toMatchObject({ guid: file.guid, user: { email: workspace.email } });
    expect(await codes(`/files/${file.guid}/content`, withFile('another'))).toEqual([201]);
    expect(await codes(`/files/${file.guid}`, withFile('third', { title: 'Renamed' }))).toEqual([201]);
    expect([await content(file.guid), (await session.get(`/files/${file.guid}`)).title]).toEqual(['third', 'Renamed']);
    expect(await codes('/files', { title: 'No content', edition: '1' })).toEqual([400, 3033]);
    expect(await codes('/files', withFile('x', { title: 'No edition' }))).toEqual([400, 3001]);
    expect(await codes('/files', { edition: '1', storageMethodName: 'WEB' })).toEqual([400, 3001]);
    expect(await codes('/changes', withFile('x'))).toEqual([415, 415]);
    const page = await session.post('/files', { edition: '1', storageMethodName: 'WEB', location: 'example.com' });
    const put = { storageMethodName: 'FILE' };
    expect(outcome(await session.send('PUT', `/files/${page.guid}`, put))).toEqual([400, 3222]);
  });

  test('each edition has a GUID of its own; lists and imports know the latest, and a deletion removes that', async () => {
    const { guid, number } = await create('first');
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nP-1,Part\r\n');
    const associations = `number,file.number,latestEditionAssociation\r\nP-1,${number},true\r\n`;
    await session.importNow(await session.define('ITEM_FILES', 'CREATE'), associations);
    const [item] = await session.items('P-1');
    const next = await session.post(`/files/${guid}/editions`, withFile('second', { edition: '2' }));
    expect(next).toMatchObject({ number, edition: '2', latest: true, title: 'Drawing' });
    const editions = (await session.get(`/files/${next.guid}/editions`)).results;
    expect(editions.map(({ latest }: { latest: boolean }) => latest)).toEqual([false, true]);
    expect((await session.get(`/files?number=${number}`)).results).toMatchObject([{ guid: next.guid }]);
    expect([await content(guid), await content(next.guid)]).toEqual(['first', 'second']);
    const definition = await session.define('FILE_SUMMARY', 'EDIT');
    expect((await session.importNow(definition, `number,title\r\n${number},Imported\r\n`)).errors).toEqual([]);
    expect(await session.get(`/files/${next.guid}`)).toMatchObject({ title: 'Imported', latest: true });
    await session.importNow(definition, `guid,number\r\n${next.guid},${number}-B\r\n`);
    expect((await session.get(`/files/${next.guid}/editions`)).count).toBe(2);
    await session.importNow(definition, `guid,number\r\n${next.guid},${number}\r\n`);
    const fileOfItem = async () => (await session.get(`/items/${item.guid}/files`)).results[0].file.guid;
    expect(await fileOfItem()).toBe(next.guid);
    expect(outcome(await session.send('DELETE', `/files/${guid}`))).toEqual([204]);
    expect([await fileOfItem(), (await session.get(`/files/${guid}`)).latest]).toEqual([guid, true]);
    expect(outcome(await session.send('DELETE', `/files/${guid}`))).toEqual([400, 3016]);
    const dissociations = `number,file.number\r\nP-1,${number}\r\n`;
    await session.importNow(await session.define('ITEM_FILES', 'DELETE'), dissociations);
    expect(outcome(await session.send('DELETE', `/files/${guid}`))).toEqual([204]);
    expect((await session.get(`/files?number=${number}`)).count).toBe(0);
  });

  test('a checked-out file takes no edition until its user checks it in or cancels', async () => {
    const { guid } = await create('first');
    const path = '/files/checkoutstatuschanges';
    const change = (checkedOut: boolean, file = guid) => ({ file: { guid: file }, checkedOut, comment: 'Why' });
    const out = await session.post(path, change(true));
    expect(differences(shapeOf('POST', path), out, '')).toEqual([]);
    expect(out.file).toMatchObject({ checkedOut: true, checkoutUser: { email: workspace.email } });
    expect(await codes(path, change(true))).toEqual([400, 3130]);
    expect(await codes(`/files/${guid}/editions`, withFile('x', { edition: '2' }))).toEqual([400, 400]);
    await session.post(path, { ...change(false), newEdition: null });
    expect(await codes(path, change(false))).toEqual([400, 3131]);
    await session.post(path, change(true));
    const fields = { 'file.guid': guid, checkedOut: 'false', comment: '', newEdition: 'true', 'file.edition': '2' };
    const back = await session.post(path, withFile('second', fields, 'file.content'));
    expect(back.file).toMatchObject({ edition: '2', checkedOut: false });
    expect(await content(back.file.guid)).toBe('second');
    expect(await codes(path, change(true))).toEqual([400, 3128]);
    const page = await session.post('/files', { edition: '1', storageMethodName: 'WEB', location: 'example.com' });
    expect(await codes(path, change(true, page.guid))).toEqual([400, 3129]);
  });

  test('only a locked file is corrected, and nothing else changes it', async () => {
    const { guid, number } = await create('wrong');
    const corrections = `/files/${guid}/corrections`;
    const correction = () => withFile('right', { storageMethodName: 'FILE', comments: 'Was wrong' });
    expect(await codes(corrections, correction())).toEqual([400, 400]);
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), `number,name\r\nLOCK-1,Part\r\n`);
    const rows = `number,file.number\r\nLOCK-1,${number}\r\n`;
    await session.importNow(await session.define('ITEM_FILES', 'CREATE'), rows);
    const [item] = await session.items('LOCK-1');
    await session.send('PUT', `/embedded/items/${item.guid}`, { isLocked: true });
    expect(outcome(await session.send('PUT', `/files/${guid}`, { title: 'X' }))).toEqual([400, 3084]);
    expect(await codes(`/files/${guid}/editions`, withFile('next', { edition: '2' }))).toEqual([400, 3109]);
    expect((await session.get(`/files/${guid}/editions`)).count).toBe(1);
    const made = await session.post(corrections, correction());
    for (const path of [corrections, `${corrections}/${made.guid}`]) {
      const shape = shapeOf(
        'GET',
        path === corrections ? '/files/{guid}/corrections' : '/files/{guid}/corrections/{guid}',
      );
      expect(differences(shape, await session.get(path), path)).toEqual([]);
    }
    expect(made).toMatchObject({ notes: 'Was wrong', file: { guid, corrected: true, locked: true } });
    expect(await content(guid)).toBe('right');
  });

  test('a markup is a file on a file, in one change or request, and reserved by one user', async () => {
    const { guid } = await create('drawn on');
    const markups = `/files/${guid}/markups`;
    const markup = await session.post(markups, withFile('notes', { 'markup.title': 'Notes', reserved: 'true' }));
    expect(markup).toMatchObject({ markup: { title: 'Notes', size: 5 }, markupOf: { guid }, reserved: true });
    expect(String(await session.bytes(`${markups}/${markup.guid}/content`))).toBe('notes');
    expect(await session.get(`/files/${guid}`)).toMatchObject({ hasMarkup: true });
    const group = (await session.get('/settings/requests/evaluatorgroups')).results[0].guid;
    const category = (await session.get('/settings/requests/categories')).results.at(-1).guid;
    const request = await session.post('/requests', {
      ...{ title: 'R', category: { guid: category }, evaluatorGroup: { guid: group } },
      numberSequencePrefix: { value: 'ECR-' },
    });
    const changeCategory = (await session.get('/settings/changes/categories')).results.at(-1).guid;
    const change = await session.post('/changes', {
      ...{ title: 'C', category: { guid: changeCategory }, numberSequencePrefix: { value: 'ECO-' } },
      effectivityType: 'PERMANENT_ON_APPROVAL',
    });
    expect(await codes(`/changes/${change.guid}/files`, { file: { guid: markup.guid } })).toEqual([400, 3138]);
    expect(await codes(`/requests/${request.guid}/files`, { file: { guid: markup.guid } })).toEqual([400, 3477]);
    expect(await codes(`/changes/${change.guid}/files`, { file: { guid } })).toEqual([200]);
    const views = `/requests/${request.guid}/markupfiles`;
    expect(await codes(views, { file: { guid } })).toEqual([400, 3478]);
    expect(await codes(views, { file: { guid: markup.guid } })).toEqual([201]);
    expect(await codes(views, { file: { guid: markup.guid } })).toEqual([400, 3479]);
    const holder = { request: { guid: request.guid, number: request.number } };
    expect(await session.get(`${markups}/${markup.guid}`)).toMatchObject(holder);
    await session.post('/embedded/users', { email: 'eve@example.com', fullName: 'Eve', password: workspace.password });
    const other = await Session.open(workspace, 'eve@example.com');
    expect(outcome(await other.send('PUT', `${markups}/${markup.guid}`, { reserved: false }))).toEqual([400, 3136]);
    expect(outcome(await other.send('DELETE', `${markups}/${markup.guid}`))).toEqual([400, 3137]);
    expect(outcome(await session.send('DELETE', `${markups}/${markup.guid}`))).toEqual([204]);
    expect((await session.get(views)).count).toBe(0);
    expect(await session.get(`/files/${guid}`)).toMatchObject({ hasMarkup: false });
  });
});
