import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listFiles } from '#data/bulk/archive/list-files.js';
import { archiveDigest, packArchive } from '#data/bulk/archive/stored-archive.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { readArchive } from '../../emulator/archive.js';
import { definitionOf, fileOf, findingLines, prepare, refusal, temporaryFolder } from './support.js';

const unzip = promisify(execFile);

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const TREE = {
  'a.pdf': 'alpha',
  'sub/b.pdf': 'beta',
  'sub/deep/c.step': 'gamma',
  'other/b.pdf': 'another',
  '.hidden': 'x',
};

describe('the archive of physical files (wire-facts 4, fileContent)', () => {
  test('is a stream of known size that other readers unpack, and is the same each time', async () => {
    const folder = await folderOf({ ...TREE, 'größe "1".txt': 'ü'.repeat(70_000), 'empty.bin': '' });
    const found = await listFiles(folder);
    const archive = await packArchive(found);
    const bytes = await buffer(archive.open());
    expect(bytes.length).toBe(archive.size);
    expect(await buffer(archive.open())).toEqual(bytes);
    const unpacked = await readArchive(bytes);
    expect([...unpacked.keys()].sort()).toEqual(found.map(({ name }) => name));
    expect(unpacked.get('größe "1".txt')).toBe('ü'.repeat(70_000));
    const path = join(await temporaryFolder(), 'a.zip');
    await writeFile(path, bytes);
    expect((await unzip('unzip', ['-t', path])).stdout).toContain('No errors detected');
    expect((await unzip('unzip', ['-p', path, 'sub/deep/c.step'])).stdout).toBe('gamma');
  });

  test('is an archive even without entries', async () => {
    const archive = await packArchive([]);
    expect((await buffer(archive.open())).length).toBe(archive.size);
  });

  test('ends with an error that names a file that changed or disappeared meanwhile', async () => {
    const folder = await folderOf({ 'a.txt': 'one', 'b.txt': 'two' });
    const archive = await packArchive(await listFiles(folder));
    await writeFile(join(folder, 'b.txt'), 'longer than before');
    expect(await refusal(buffer(archive.open()))).toMatch(/"b\.txt" changed during the upload.*FILE_CHANGED/);
    await rm(join(folder, 'b.txt'));
    expect(await refusal(buffer(archive.open()))).toMatch(/"b\.txt".*FILE_CHANGED/);
  });

  test('has a digest of names and contents', async () => {
    const folder = await folderOf({ 'a.txt': 'one', 'b.txt': 'two' });
    const digest = async () => archiveDigest(await listFiles(folder));
    const before = await digest();
    expect(await digest()).toBe(before);
    await writeFile(join(folder, 'a.txt'), 'eno');
    const after = await digest();
    expect(after).not.toBe(before);
    await writeFile(join(folder, 'a.txt'), 'one');
    expect(await digest()).toBe(before);
  });
});

describe('the files of a source', () => {
  test.each([
    ['', ['a.pdf', 'other/b.pdf', 'sub/b.pdf', 'sub/deep/c.step']],
    ['/*.pdf', ['a.pdf']],
    ['/**/*.pdf', ['a.pdf', 'other/b.pdf', 'sub/b.pdf']],
    ['/sub/**', ['b.pdf', 'deep/c.step']],
    ['/s?b/*', ['sub/b.pdf']],
    ['/*.txt', []],
  ])('%s', async (pattern, names) => {
    const found = await listFiles((await folderOf(TREE)) + pattern);
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  test('must come from an existing folder', async () => {
    expect(await refusal(listFiles('/nowhere/at/all'))).toContain('there is no such folder. Give `files` a folder');
  });
});

async function sentOf({ files }: PreparedImport, first: number, last: number): Promise<Map<string, string>> {
  const archive = await files?.archiveOf(first, last);
  if (archive === undefined) throw new Error('No files are sent.');
  return readArchive(await buffer(archive.open()));
}

const FILES = definitionOf('FILE_SUMMARY', 'CREATE', { number: 'No', title: 'Title', name: 'File' });

describe('the names of files are checked before any request', () => {
  const rows = async (definition = FILES, ...lines: string[]) => {
    const path = await fileOf('rows.csv', ['No,Title,File', ...lines, ''].join('\n'));
    const filesPath = await folderOf(TREE);
    return prepare(path, definition, { files: 'drawings' }, { filesPath });
  };

  test('are reported if missing, in several folders, unsafe, in another case, or not named by any row', async () => {
    const prepared = await rows(
      FILES,
      '1,One,a.pdf',
      '2,Two,gone.pdf',
      '3,Three,b.pdf',
      '4,Four,../a.pdf',
      '5,Five,/etc/passwd',
      '6,Six,A.pdf',
      '7,Seven,sub/b.pdf',
      '8,Eight,',
      '9,Nine,a.pdf',
    );
    expect(findingLines(prepared)).toMatchInlineSnapshot(`
      [
        "error file-missing row 3 "File": There is no file "gone.pdf" in "drawings". Known: "a.pdf", "other/b.pdf", "sub/b.pdf", "sub/deep/c.step", "b.pdf", "c.step".",
        "error file-ambiguous row 4 "File": "b.pdf" is in 2 folders: "other/b.pdf", "sub/b.pdf". Write its path below "drawings".",
        "error file-unsafe row 5 "File": "../a.pdf" cannot be used as a file name: its path contains "." or "..". Write its path below "drawings", with "/".",
        "error file-unsafe row 6 "File": "/etc/passwd" cannot be used as a file name: its path is absolute. Write its path below "drawings", with "/".",
        "error file-missing row 7 "File": There is no file "A.pdf" in "drawings". Write "a.pdf": upper and lower case matter.",
        "warning files-unused No row refers to 2 files in "drawings", so they are not sent: "other/b.pdf", "sub/deep/c.step". Narrow \`files\`, or add the missing rows.",
      ]
    `);
    expect(prepared.files).toMatchObject({ count: 2, bytes: 9 });
    const sent = await sentOf(prepared, 1, 9);
    expect(Object.fromEntries(sent)).toEqual({ 'a.pdf': 'alpha', 'sub/b.pdf': 'beta' });
    expect(await prepared.files?.archiveOf(2, 6)).toBeUndefined();
    const second = await sentOf(prepared, 7, 9);
    expect([...second.keys()].sort()).toEqual(['a.pdf', 'sub/b.pdf']);
  });

  test('may be named by the name alone if only one folder has it, and two that differ by case do not go together', async () => {
    const filesPath = await folderOf({ 'x/Part.pdf': '1', 'y/PART.pdf': '2' });
    const path = await fileOf('rows.csv', 'No,Title,File\n1,One,Part.pdf\n2,Two,PART.pdf\n');
    const prepared = await prepare(path, FILES, { files: 'drawings' }, { filesPath });
    expect(findingLines(prepared)).toMatchInlineSnapshot(`
      [
        "error file-collides row 3 "File": "PART.pdf" cannot be sent with the other files: another file has the same name. Rename one of the two: not every system distinguishes upper and lower case.",
      ]
    `);
  });

  test('are a warning for a resource without files, or a definition without the field', async () => {
    const specs = definitionOf('ITEM_SPECS', 'CREATE', { number: 'No', name: 'Title' });
    expect(findingLines(await rows(specs, '1,One,a.pdf'))).toMatchInlineSnapshot(`
      [
        "warning files-not-taken ITEM_SPECS rows cannot have physical files, so the files in "drawings" are not sent. Remove \`files\`, or import the files as FILE_SUMMARY or ITEM_FILES.",
      ]
    `);
    const bare = definitionOf('FILE_SUMMARY', 'CREATE', { number: 'No', title: 'Title' });
    expect(findingLines(await rows(bare, '1,One,a.pdf'))).toMatchInlineSnapshot(`
      [
        "warning files-unused No row refers to 4 files in "drawings", so they are not sent: "a.pdf", "other/b.pdf", "sub/b.pdf", "sub/deep/c.step". Map a column to "name", which gives the file of each row.",
      ]
    `);
  });

  test('are not sent where a row of ITEM_FILES names a file of the service (wire-facts 4, ITEM_FILES semantics)', async () => {
    const fields = { number: 'Item', 'file.number': 'No', 'file.name': 'File', 'file.title': 'Title' };
    const path = await fileOf('rows.csv', 'Item,No,File,Title\nP,F-1,gone.pdf,\nP,,a.pdf,New\n');
    const filesPath = await folderOf({ 'a.pdf': 'alpha' });
    for (const [mode, codes, count] of [
      ['CREATE', [], 1],
      ['REPLACE', [], 1],
      ['EDIT', ['key-empty', 'files-unused'], 0],
    ] as const) {
      const prepared = await prepare(path, definitionOf('ITEM_FILES', mode, fields), { files: 'f' }, { filesPath });
      expect([mode, prepared.findings.kept.map(({ code }) => code)]).toEqual([mode, codes]);
      expect(prepared.files?.count).toBe(count);
    }
  });
});
