import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, formOf, Session } from '../harness/session.js';

/** A ZIP archive of these texts. */
async function archiveOf(files: Readonly<Record<string, string>>): Promise<Blob> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return new Blob([new Uint8Array(await buffer(zip.outputStream as Readable))]);
}

describe.each(['reference', 'arena'])('files of the workspace, dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;
  let counter = 0;
  let item: string;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  beforeEach(async () => {
    counter += 1;
    item = `PART-${counter}`;
    await imported('ITEM_SPECS', 'CREATE', {}, 'number,name', `${item},Part`);
  });

  async function run(resource: string, mode: string, options: object, rows: readonly string[], archive?: Blob) {
    const definition = await session.define(resource, mode, options);
    const form = formOf(csv(...rows), { commit: 'true' });
    if (archive) form.set('fileContent', archive, 'files.zip');
    const { status, body, text } = await session.send('POST', `${definition}/runs`, form);
    if (status !== 201) throw new Error(text);
    const path = `${definition}/runs/${body.guid}`;
    const ended = await session.finished(path);
    return { run: ended, errors: ended.status === 'COMPLETE' ? await session.errors(path) : [] };
  }

  async function imported(resource: string, mode: string, options: object, ...rows: string[]): Promise<string[]> {
    return (await run(resource, mode, options, rows)).errors;
  }

  const begin = (lines: readonly string[]) => lines.map((line) => line.split(',').slice(0, 4).join(','));
  const files = async (query: string): Promise<Answer['body'][]> =>
    (await session.get(`/files?limit=400&${query}`)).results;
  const guid = async () => (await session.items(item))[0].guid;
  const ofItem = async (): Promise<Answer['body'][]> => (await session.get(`/items/${await guid()}/files`)).results;

  describe('FILE_SUMMARY: the key is the file number (wire-facts 4)', () => {
    test('CREATE makes files with their fields, and fails where the number is there', async () => {
      const header = 'number,title,name,edition,format,category.path,location,storageMethodName,description';
      const one = `D-${counter},Drawing,d.pdf,B,PDF,File\\Drawing,,FILE,first`;
      const two = `W-${counter},Page,,,,,https://example.com/w,WEB,`;
      const errors = await imported('FILE_SUMMARY', 'CREATE', {}, header, one, two, one, `X-${counter},,,,,,,,`);
      expect(begin(errors)).toEqual([`4,D-${counter},Error,3025`, `5,X-${counter},Error,3001`]);
      const [file] = await files(`number=D-${counter}`);
      expect(file).toMatchObject({
        title: 'Drawing',
        name: 'd.pdf',
        edition: 'B',
        format: 'PDF',
        description: 'first',
      });
      expect(file).toMatchObject({ category: { name: 'Drawing' }, storageMethodName: 'FILE', size: null });
      expect(await session.get(`/files/${file.guid}`)).toEqual(file);
      const [page] = await files(`number=W-${counter}`);
      expect(page).toMatchObject({ location: 'https://example.com/w', storageMethodName: 'WEB', edition: '1' });
      const none = await session.send('GET', `/files/${file.guid}/content`);
      expect([none.status, none.body.errors[0].code]).toEqual([400, 3017]);
    });

    test('EDIT, OVERWRITE and DELETE; an empty cell changes nothing, removeValue empties', async () => {
      const number = `E-${counter}`;
      expect(begin(await imported('FILE_SUMMARY', 'EDIT', {}, 'number,title', `${number},New`))).toEqual([
        `2,${number},Error,3012`,
      ]);
      expect(await imported('FILE_SUMMARY', 'OVERWRITE', {}, 'number,title,author', `${number},Old,Ann`)).toEqual([]);
      expect(await imported('FILE_SUMMARY', 'EDIT', {}, 'number,title,author', `${number},,[Remove Value]`)).toEqual(
        [],
      );
      const [file] = await files(`number=${number}`);
      expect(file).toMatchObject({ title: 'Old', author: null });
      const required = await imported('FILE_SUMMARY', 'EDIT', {}, 'number,title', `${number},[Remove Value]`);
      expect(begin(required)).toEqual([`2,${number},Error,3001`]);
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${number}`);
      expect(begin(await imported('FILE_SUMMARY', 'DELETE', {}, 'guid', file.guid))).toEqual([
        `2,${number},Error,3016`,
      ]);
      expect(await imported('ITEM_FILES', 'DELETE', {}, 'number,file.number', `${item},${number}`)).toEqual([]);
      expect(await imported('FILE_SUMMARY', 'DELETE', {}, 'number', number)).toEqual([]);
      expect(await files(`number=${number}`)).toEqual([]);
    });

    test('content comes in the part fileContent: a missing entry fails its row, an unused one is a warning', async () => {
      const archive = await archiveOf({ 'a.txt': 'alpha', 'sub/b.txt': 'beta', 'c.txt': 'unused' });
      const rows = [`A-${counter},A,a.txt`, `B-${counter},B,sub/b.txt`, `M-${counter},M,gone.txt`];
      const { run: ended, errors } = await run('FILE_SUMMARY', 'CREATE', {}, ['number,title,name', ...rows], archive);
      expect(begin(errors)).toEqual([`4,M-${counter},Error,3223`]);
      expect(errors[0]).toContain('gone.txt');
      expect(ended.warnings).toMatchObject({ count: 1, results: [{ message: expect.stringContaining('"c.txt"') }] });
      const [one] = await files(`number=A-${counter}`);
      const [two] = await files(`number=B-${counter}`);
      expect([one.size, two.size, one.format]).toEqual([5, 4, 'txt']);
      expect(String(await session.bytes(`/files/${one.guid}/content`))).toBe('alpha');
      expect(String(await session.bytes(`/files/${two.guid}/content`))).toBe('beta');
      const next = await archiveOf({ 'a.txt': 'changed' });
      const options = { fileEdition: 'CREATE_EDITION' };
      expect((await run('FILE_SUMMARY', 'EDIT', options, ['number,name', `A-${counter},a.txt`], next)).errors).toEqual(
        [],
      );
      expect(String(await session.bytes(`/files/${one.guid}/content`))).toBe('changed');
      expect((await session.get(`/files/${one.guid}`)).edition).toBe('2');
      const editions = (await session.get(`/files/${one.guid}/editions`)).results;
      expect(editions).toMatchObject([
        { edition: '1', latest: false },
        { guid: one.guid, latest: true },
      ]);
      expect(String(await session.bytes(`/files/${editions[0].guid}/content`))).toBe('alpha');
    });

    test('a broken archive ends the run with ERROR; a validated run stores nothing', async () => {
      const broken = await run('FILE_SUMMARY', 'CREATE', {}, ['number,title', 'Z,Z'], new Blob(['no zip']));
      expect(broken.run).toMatchObject({ status: 'ERROR', warnings: { results: [{ code: 3523 }] } });
      const definition = await session.define('FILE_SUMMARY', 'CREATE');
      const path = await session.submit(definition, csv('number,title', `V-${counter},V`), { commit: 'false' });
      expect(await session.finished(path)).toMatchObject({ status: 'COMPLETE', successCount: 1 });
      expect(await files(`number=V-${counter}`)).toEqual([]);
    });
  });

  describe('ITEM_FILES: the key is item number and file number (wire-facts 4, "ITEM_FILES semantics")', () => {
    let file: string;

    beforeEach(async () => {
      file = `F-${counter}`;
      await imported('FILE_SUMMARY', 'CREATE', {}, 'number,title', `${file},One`, `${file}b,Two`);
    });

    const titles = async () => (await ofItem()).map((one) => one.file.title);

    test('CREATE with a file number adds an association, and without one creates the file', async () => {
      const header = 'number,file.number,file.title,file.name,primary';
      const archive = await archiveOf({ 'new.txt': 'new' });
      const rows = [`${item},${file},,,true`, `${item},,New,new.txt,`, `${item},${file},,,`, `${item},absent,,,`];
      const { errors } = await run('ITEM_FILES', 'CREATE', {}, [header, ...rows], archive);
      expect(begin(errors)).toEqual([`4,${file},Error,3025`, '5,absent,Error,3012']);
      const [first, second] = await ofItem();
      expect(first).toMatchObject({ primary: true, file: { number: file, title: 'One' } });
      expect(second).toMatchObject({ primary: false, file: { title: 'New', name: 'new.txt', size: 3 } });
      const own = `/items/${await guid()}/files/${second.guid}`;
      expect(await session.get(own)).toMatchObject({ guid: second.guid, file: { number: second.file.number } });
      expect(String(await session.bytes(`${own}/content`))).toBe('new');
      const { results } = await session.get(`/files/${first.file.guid}/items`);
      expect(results).toMatchObject([{ guid: first.guid, item: { number: item }, primary: true }]);
      expect(await session.get(`/files/${first.file.guid}/items/${first.guid}`)).toEqual(results[0]);
    });

    test('EDIT changes the association only, and fails without one', async () => {
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${file}`);
      const rows = [`${item},${file},Renamed,true`, `${item},${file}b,,true`, `${item},,x,true`];
      const errors = await imported('ITEM_FILES', 'EDIT', {}, 'number,file.number,file.title,primary', ...rows);
      expect(begin(errors)).toEqual([`3,${file}b,Error,3012`, '4,,Error,3001']);
      expect(await ofItem()).toMatchObject([{ primary: true, file: { title: 'One' } }]);
    });

    test('OVERWRITE edits with a number, and creates without one', async () => {
      const rows = [`${item},${file},,true`, `${item},,Made,`];
      const header = 'number,file.number,file.title,primary';
      expect(begin(await imported('ITEM_FILES', 'OVERWRITE', {}, header, ...rows))).toEqual([`2,${file},Error,3012`]);
      expect(await titles()).toEqual(['Made']);
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${file}`);
      expect(await imported('ITEM_FILES', 'OVERWRITE', {}, header, rows[0] ?? '')).toEqual([]);
      expect((await ofItem()).map(({ primary }) => primary)).toEqual([false, true]);
    });

    test('REPLACE keeps named files, adds, creates, and removes the others, for the named items only', async () => {
      const other = `${item}-other`;
      await imported('ITEM_SPECS', 'CREATE', {}, 'number,name', `${other},Other`);
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${file}`, `${other},${file}`);
      const [kept] = await ofItem();
      const header = 'number,file.number,file.title,primary';
      const rows = [`${item},${file},,true`, `${item},${file}b,,`, `${item},,Third,`];
      expect(await imported('ITEM_FILES', 'REPLACE', {}, header, ...rows)).toEqual([]);
      expect((await ofItem())[0]).toMatchObject({ guid: kept.guid, primary: true });
      expect(await titles()).toEqual(['One', 'Two', 'Third']);
      expect(await imported('ITEM_FILES', 'REPLACE', {}, header, `${item},${file}b,,`)).toEqual([]);
      expect(await titles()).toEqual(['Two']);
      const [guidOfOther] = await session.items(other);
      expect((await session.get(`/items/${guidOfOther.guid}/files`)).count).toBe(1);
      expect(await files(`number=${file}`)).toHaveLength(1);
    });

    test('a failed row of REPLACE removes nothing', async () => {
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${file}`);
      expect(await imported('ITEM_FILES', 'REPLACE', {}, 'number,file.number', `${item},absent`)).toHaveLength(1);
      expect(await titles()).toEqual(['One']);
    });

    test('DELETE removes the association and leaves the file; a deleted item loses its associations', async () => {
      await imported('ITEM_FILES', 'CREATE', {}, 'number,file.number', `${item},${file}`, `${item},${file}b`);
      const rows = [`${item},${file}`, `${item},${file}`];
      const errors = await imported('ITEM_FILES', 'DELETE', {}, 'number,file.number', ...rows);
      expect(begin(errors)).toEqual([`3,${file},Error,3012`]);
      expect(await titles()).toEqual(['Two']);
      const [second] = await files(`number=${file}b`);
      expect(await imported('ITEM_SPECS', 'DELETE', {}, 'number', item)).toEqual([]);
      expect((await session.get(`/files/${second.guid}/items`)).count).toBe(0);
      expect(await files(`number=${file}*`)).toHaveLength(2);
    });
  });

  test('settings of files: categories and attributes that definitions can name (endpoints.md)', async () => {
    const { results } = await session.get('/settings/files/categories?limit=400');
    expect(results.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['File', 'File\\Drawing']),
    );
    const [drawing] = results.filter(({ path }: { path: string }) => path === 'File\\Drawing');
    expect(await session.get(`/settings/files/categories/${drawing.guid}`)).toEqual(drawing);
    const attributes = (await session.get('/settings/files/attributes?limit=400')).results;
    const confidential = attributes.find(({ name }: { name: string }) => name === 'Confidential');
    const target = dialect === 'reference' ? confidential.guid : 'Confidential';
    const entry = (apiName: string, sourceName: string) => ({ resource: 'FILE_SUMMARY', apiName, sourceName });
    const mapping = [
      entry('number', 'No'),
      entry('title', 'Title'),
      entry(target, 'Secret'),
      entry('category.path', 'Kind'),
    ];
    const rows = ['No,Title,Secret,Kind', `S-${counter},S,yes,File\\Drawing`];
    expect(await imported('FILE_SUMMARY', 'CREATE', { mapping }, ...rows)).toEqual([]);
    const [file] = await files(`category.guid=${drawing.guid}&number=S-*`);
    expect(file.additionalAttributes).toMatchObject([{ name: 'Confidential', value: true }]);
  });

  test('unknown GUIDs and searches are refused as for items', async () => {
    const codes = async (path: string) => (await session.send('GET', path)).body.errors[0].code;
    expect(await codes('/files/nothing')).toBe(3011);
    expect(await codes(`/items/${await guid()}/files/nothing`)).toBe(3011);
    expect(await codes('/files?colour=red')).toBe(3019);
  });
});
