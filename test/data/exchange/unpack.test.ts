import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ZipFile } from 'yazl';
import { TakenNames } from '#base/files/entry-name.js';
import { placeFiles } from '#data/exchange/place-files.js';
import { checkArchive, unpack } from '#data/exchange/unpack.js';

type Fill = (zip: ZipFile) => void;
type Bytes = (archive: Buffer) => Buffer;

const never = new AbortController().signal;

/** An archive, with bytes that no honest program writes put into it afterwards, and an empty folder beside it. */
async function archiveOf(fill: Fill, change: Bytes = (bytes) => bytes) {
  const root = await mkdtemp(join(tmpdir(), 'dexsync-unpack-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const zip = new ZipFile();
  fill(zip);
  zip.end();
  const path = join(root, 'a.zip');
  await pipeline(zip.outputStream, createWriteStream(path));
  await writeFile(path, change(await readFile(path)));
  const folder = join(root, 'out');
  await mkdir(folder);
  return { root, folder, archive: { path, name: 'Export_1.zip' } };
}

const holding =
  (name: string, content = 'x', options = {}): Fill =>
  (zip) =>
    zip.addBuffer(Buffer.from(content), name, options);

/** The same archive with an entry's name replaced by one of the same length, wherever it stands. */
const renamed =
  (from: string, to: string): Bytes =>
  (bytes) => {
    const text = bytes.toString('latin1').replaceAll(from, to);
    expect(Buffer.byteLength(to)).toBe(Buffer.byteLength(from));
    return Buffer.from(text, 'latin1');
  };

async function refusal(fill: Fill, change?: Bytes): Promise<string> {
  const { root, folder, archive } = await archiveOf(fill, change);
  const error = await unpack(archive, folder, new TakenNames(), never).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'ANSWER_UNEXPECTED', message: expect.stringContaining('Export_1.zip') });
  expect((await readdir(root)).sort()).toEqual(['a.zip', 'out']);
  return (error as Error).message;
}

test('files in folders, with their sizes and the records of CSV', async () => {
  const csv = 'a,b\r\n"line\r\nbreak","say ""hi"""\r\n2,3';
  const { folder, archive } = await archiveOf((zip) => {
    holding('SPECS.csv', csv)(zip);
    holding('files/deep/drawing.bin', 'bytes', { compress: false })(zip);
    zip.addEmptyDirectory('empty');
    holding('none.csv', '')(zip);
    holding('stored.csv', '', { compress: false })(zip);
  });
  expect(await unpack(archive, folder, new TakenNames(), never)).toEqual([
    { path: 'SPECS.csv', size: Buffer.byteLength(csv), rows: 2 },
    { path: 'files/deep/drawing.bin', size: 5 },
    { path: 'none.csv', size: 0, rows: 0 },
    { path: 'stored.csv', size: 0, rows: 0 },
  ]);
  expect(await readFile(join(folder, 'SPECS.csv'), 'utf8')).toBe(csv);
  expect(await readFile(join(folder, 'files/deep/drawing.bin'), 'utf8')).toBe('bytes');
});

describe('entries that must not become files are refused', () => {
  test.each([
    ['../../../escape.txt', 'contains "." or ".."'],
    ['a/../../escape.txt', 'contains "." or ".."'],
    ['./escape.txt', 'contains "." or ".."'],
    ['/etc/escape.txt', 'absolute'],
    ['C:/escape.txt', 'absolute'],
    ['..\\escape.txt', 'backslash'],
    ['a//escape.txt', 'empty part'],
    ['a\u0000b.txt', 'control characters'],
    ['.dexsync-run.json', 'reserved for dexsync'],
    [`${'d/'.repeat(64)}f`, 'in more than 64 folders'],
  ])('%j', async (name, why) => {
    const stand = 'n'.repeat(Buffer.byteLength(name));
    expect(await refusal(holding(stand), renamed(stand, name))).toContain(why);
  });

  test('under one name twice, also in other letters, and as a file that is the folder of another', async () => {
    const twice: Fill = (zip) => ['A.csv', 'a.CSV'].forEach((name) => void holding(name)(zip));
    expect(await refusal(twice)).toContain('another file has the same name');
    const both: Fill = (zip) => ['a', 'bbb'].forEach((name) => void holding(name)(zip));
    expect(await refusal(both, renamed('bbb', 'a/b'))).toContain('a file and a folder have the same name');
  });

  test('with bytes that would become hundreds of times as many', { timeout: 60_000 }, async () => {
    const zeros = Buffer.alloc(300 * 1024 * 1024);
    expect(await refusal((zip) => zip.addBuffer(zeros, 'a.csv'))).toMatch(
      /its \d+ bytes unpack to 314572800, more than 500 times as many/,
    );
  });

  test('as a symbolic link', async () => {
    expect(await refusal(holding('link', '/etc', { mode: 0o120777 }))).toContain('a link or a device');
  });
});

describe('broken archives are refused', () => {
  const text = 'one,two\n'.repeat(1000);

  test('with their end cut off', async () => {
    expect(await refusal(holding('a.csv', text), (bytes) => bytes.subarray(0, bytes.length - 30))).toContain(
      'is broken',
    );
  });

  test('with other content', async () => {
    expect(await refusal(holding('a.csv'), () => Buffer.from('<html>Sorry</html>'))).toContain('is broken');
  });

  test('with bytes that do not match the checksum', async () => {
    const stored: Fill = holding('a.csv', text, { compress: false });
    expect(await refusal(stored, (bytes) => renamed('one,two\n', 'two,one\n')(bytes))).toContain('checksum of "a.csv"');
  });

  test('with a size that differs from the content, either way', async () => {
    const sized =
      (size: number): Bytes =>
      (bytes) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt32LE(size, changed.lastIndexOf('PK\x01\x02') + 24);
        return changed;
      };
    expect(await refusal(holding('a.csv', text), sized(10))).toContain('is broken');
    expect(await refusal(holding('a.csv', text), sized(text.length + 1))).toContain('is broken');
  });

  test('with entries that share their bytes, as bombs do', async () => {
    const many: Fill = (zip) => ['a', 'b', 'c'].forEach((name) => void holding(name, text.repeat(9))(zip));
    const shared: Bytes = (bytes) => {
      const changed = Buffer.from(bytes);
      const size = changed.length;
      for (let at = changed.indexOf('PK\x01\x02'); at >= 0; at = changed.indexOf('PK\x01\x02', at + 1)) {
        changed.writeUInt32LE(0, at + 42);
        changed.writeUInt32LE(size - 200, at + 20);
      }
      return changed;
    };
    expect(await refusal(many, shared)).toContain('overlap');
  });
});

test('content larger than the free disk is refused before a byte is written', async (context) => {
  const { folder, archive } = await archiveOf(holding('a.bin', '0'.repeat(1 << 20)));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return context.skip();
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  await expect(unpack(archive, folder, new TakenNames(), never)).rejects.toMatchObject({
    code: 'DISK',
    message: expect.stringMatching(/^Export_1\.zip unpacks to 1048576 bytes, but only \d+ are free/),
  });
  expect(await readdir(folder)).toEqual([]);
});

test('an archive that is kept whole may contain any name, and must be intact', async () => {
  const evil = await archiveOf(holding('nnnnnnnnn'), renamed('nnnnnnnnn', '../escape'));
  expect(await checkArchive(evil.archive, never)).toBe(1);
  const cut = await archiveOf(holding('a.csv'), (bytes) => bytes.subarray(0, bytes.length - 9));
  await expect(checkArchive(cut.archive, never)).rejects.toMatchObject({
    message: expect.stringContaining('is broken'),
  });
});

test('a link in the target folder is not followed, and existing files are not replaced without consent', async () => {
  const { root, folder } = await archiveOf(holding('a.csv'));
  const from = join(root, 'from');
  await mkdir(join(from, 'sub'), { recursive: true });
  await mkdir(join(root, 'elsewhere'));
  await writeFile(join(from, 'sub/a.csv'), 'new');
  await symlink(join(root, 'elsewhere'), join(folder, 'sub'));
  const placing = { from, to: folder, paths: ['sub/a.csv'] };
  await expect(placeFiles({ ...placing, signal: never, mayReplace: () => true })).rejects.toMatchObject({
    code: 'DISK',
  });
  expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  await rm(join(folder, 'sub'));
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'sub/a.csv'), 'old');
  await expect(placeFiles({ ...placing, signal: never, mayReplace: () => false })).rejects.toMatchObject({
    code: 'DISK',
  });
  expect(await readFile(join(folder, 'sub/a.csv'), 'utf8')).toBe('old');
  await placeFiles({ ...placing, signal: never, mayReplace: () => true });
  expect(await readFile(join(folder, 'sub/a.csv'), 'utf8')).toBe('new');
});

test('a stop while the entries are read stops, also where an archive is kept', async () => {
  const { folder, archive } = await archiveOf(holding('a.csv'));
  const stopped = AbortSignal.abort();
  const readings = [checkArchive(archive, stopped), unpack(archive, folder, new TakenNames(), stopped)];
  for (const ended of await Promise.allSettled(readings))
    expect(ended).toMatchObject({ reason: { code: 'INTERRUPTED' } });
});

test.each(['x', ''])('a stop ends the files of content "%s" before the next one, and moves none', async (content) => {
  const { root, folder, archive } = await archiveOf((zip) => {
    for (let number = 0; number < 100; number += 1) holding(`${number}.csv`, content, { compress: false })(zip);
  });
  const stop = new AbortController();
  const taken = new TakenNames();
  const take = taken.take.bind(taken);
  taken.take = (name) => {
    if (name === '99.csv') stop.abort();
    return take(name);
  };
  await expect(unpack(archive, folder, taken, stop.signal)).rejects.toMatchObject({ code: 'INTERRUPTED' });
  const left = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  // The one that was being written may be there, and nothing in it.
  expect(left.length).toBeLessThan(2);
  expect(left).not.toContain('x');

  await mkdir(join(root, 'from'));
  const paths = ['a', 'b', 'c'];
  for (const path of paths) await writeFile(join(root, 'from', path), 'x');
  const late = new AbortController();
  const mayReplace = (path: string): true => {
    if (path === 'c') late.abort();
    return true;
  };
  const placing = placeFiles({ from: join(root, 'from'), to: root, paths, mayReplace, signal: late.signal });
  await expect(placing).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect((await readdir(join(root, 'from'))).sort()).toEqual(paths);
});
