import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadManifests, readSource, toSource } from '#core/manifest/load.js';

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'dexsync-load-'));
  onTestFinished(async () => rm(made, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(made, name, '..'), { recursive: true });
    await writeFile(join(made, name), content);
  }
  return made;
}

const loaded = async (root: string, ...paths: string[]) => {
  const { files, diagnostics } = await loadManifests(root, paths, join(root, 'sync.config.yaml'));
  return [files.map(({ file }) => file), diagnostics.map(({ message }) => message)];
};

test('files are found in nested folders, each once, in the order of their names', async () => {
  const root = await folder({ 'm/b.yaml': '', 'm/sub/a.yml': '', 'm/C.YAML': '', 'm/notes.txt': '', 'one.yaml': '' });
  await mkdir(join(root, 'm', 'folder.yaml'));
  expect(await loaded(root, 'm', 'one.yaml', 'm/b.yaml')).toEqual([
    ['m/C.YAML', 'm/b.yaml', 'm/sub/a.yml', 'one.yaml'],
    [],
  ]);
});

test('files of a slow disk are read several at once, in the same order', async () => {
  const names = Array.from({ length: 70 }, (_, index) => `m/${String(index).padStart(2, '0')}.yaml`);
  const root = await folder(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  const { files } = await loadManifests(root, ['m'], join(root, 'sync.config.yaml'));
  expect(files.map(({ file, text }) => [file, text])).toEqual(names.map((name) => [name, `text of ${name}`]));
});

test('a file that is not text leaves no trace in the next one', async () => {
  const root = await folder({ 'm/b.yaml': 'x' });
  await writeFile(join(root, 'm', 'a.yaml'), Buffer.from([0xe2, 0x82]));
  const { files, diagnostics } = await loadManifests(root, ['m'], join(root, 'sync.config.yaml'));
  expect(files.map(({ text }) => text)).toEqual(['x']);
  expect(diagnostics.map(({ message }) => message)).toEqual(['m/a.yaml is not valid UTF-8.']);
});

test('excepted files and folders are left out at any depth', async () => {
  const root = await folder({ 'm/a.yaml': '', 'm/prod/b.yaml': '', 'm/overlays/c.yaml': '', 'm/d.yaml': '' });
  const config = join(root, 'sync.config.yaml');
  const { files } = await loadManifests(root, ['m'], config, undefined, ['m/prod', 'm/overlays', 'm/d.yaml']);
  expect(files.map(({ file }) => file)).toEqual(['m/a.yaml']);
});

test('the configuration and the data of dexsync do not count as manifests, and a folder without manifests is reported', async () => {
  const root = await folder({ 'sync.config.yaml': '', '.dexsync/tmp/x.yaml': '', 'm/a.yaml': '', 'n/notes.txt': '' });
  expect(await loaded(root, '.', 'n')).toEqual([['m/a.yaml'], ['No manifests found under "n".']]);
});

test('a link inside the project is followed', async () => {
  const root = await folder({ 'm/a.yaml': 'x' });
  await symlink(join(root, 'm', 'a.yaml'), join(root, 'm', 'b.yaml'));
  expect(await loaded(root, 'm')).toEqual([['m/a.yaml', 'm/b.yaml'], []]);
});

test('a folder behind a link is read once, no matter what else links to it', async () => {
  const root = await folder({ 'm/a.yaml': 'x', 'other/b.yaml': 'x', 'other/deep/c.yaml': 'x' });
  await symlink(join(root, 'other'), join(root, 'm', 'team'));
  await symlink(join(root, 'other', 'deep'), join(root, 'm', 'again'));
  const [files, findings] = await loaded(root, 'm');
  expect(findings).toEqual([]);
  expect(files?.map((file) => file.replace(/^.*\//, ''))).toEqual(
    expect.arrayContaining(['a.yaml', 'b.yaml', 'c.yaml']),
  );
  expect(await loaded(root, 'm', 'other')).toEqual([['m/a.yaml', 'other/b.yaml', 'other/deep/c.yaml'], []]);
});

test('a link to a folder that contains it, directly or indirectly, is an error; so is one that leads out', async () => {
  const root = await folder({ 'm/a.yaml': 'x', 'b/b.yaml': 'x' });
  const other = await folder({ 'x.yaml': 'x' });
  await symlink(join(root, 'm'), join(root, 'm', 'self'));
  await symlink(root, join(root, 'm', 'up'));
  await symlink(join(root, 'b'), join(root, 'm', 'over'));
  await symlink(join(root, 'm'), join(root, 'b', 'back'));
  await symlink(other, join(root, 'm', 'out'));
  await symlink(join(root, 'gone'), join(root, 'm', 'lost'));
  const [files, findings] = await loaded(root, 'm');
  expect([files, findings?.sort()]).toEqual([
    ['m/a.yaml', 'm/over/b.yaml'],
    [
      '"m/out" is outside the project folder; dexsync reads nothing outside it.',
      expect.stringContaining('m/lost cannot be read: ENOENT'),
      'm/over/back is a link to m, which contains it.',
      'm/self is a link to m, which contains it.',
      'm/up is a link to the project folder, which contains it.',
    ],
  ]);
});

test('a link to a file other than a manifest, or to the data of dexsync, is left alone', async () => {
  const root = await folder({ 'm/a.yaml': 'x', '.dexsync/tmp/x.yaml': '' });
  const other = await folder({ 'notes.txt': 'x' });
  await symlink(join(other, 'notes.txt'), join(root, 'm', 'notes.txt'));
  await symlink(join(root, '.dexsync', 'tmp'), join(root, 'm', 'tmp'));
  expect(await loaded(root, 'm')).toEqual([['m/a.yaml'], []]);
});

test('a path through a file is reported', async () => {
  const root = await folder({ 'a.yaml': 'x' });
  expect(await loaded(root, 'a.yaml/b')).toEqual([[], [expect.stringContaining('a.yaml/b cannot be read: ENOTDIR')]]);
});

test('a dangling link is reported', async () => {
  const root = await folder({ 'm/a.yaml': 'x' });
  await symlink(join(root, 'gone.yaml'), join(root, 'm', 'z.yaml'));
  expect(await loaded(root, 'm')).toEqual([['m/a.yaml'], [expect.stringContaining('m/z.yaml cannot be read: ENOENT')]]);
});

test('a file that is not UTF-8, or too large, is reported and the others are read', async () => {
  const root = await folder({ 'm/a.yaml': 'x', 'm/b.yaml': '', 'm/c.yaml': '' });
  await writeFile(join(root, 'm', 'b.yaml'), Buffer.from([0xe4]));
  await writeFile(join(root, 'm', 'c.yaml'), Buffer.alloc(11 * 1024 * 1024));
  expect(await loaded(root, 'm')).toEqual([
    ['m/a.yaml'],
    ['m/b.yaml is not valid UTF-8.', 'm/c.yaml has 11.0 MB; a manifest file may have at most 10.0 MB.'],
  ]);
});

test('paths that lead out, directly or by a link, and paths to nothing are reported', async () => {
  const root = await folder({ 'm/a.yaml': 'x' });
  const other = await folder({ 'x.yaml': 'x' });
  await symlink(join(other, 'x.yaml'), join(root, 'm', 'x.yaml'));
  expect(await loaded(root, '..', 'gone', 'm')).toEqual([
    ['m/a.yaml'],
    [
      '".." is outside the project folder; dexsync reads nothing outside it.',
      'Manifests are expected at "gone", but it does not exist.',
      '"m/x.yaml" is outside the project folder; dexsync reads nothing outside it.',
    ],
  ]);
});

test('a path that cannot be read as a file is reported', async () => {
  const root = await folder({ 'm/a.yaml': 'x' });
  const server = createServer().listen(join(root, 'm', 'socket.yaml'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await loaded(root, 'm')).toEqual([['m/a.yaml'], [expect.stringContaining('m/socket.yaml cannot be read: ')]]);
});

test('bytes from elsewhere must keep the same size and encoding', () => {
  expect(toSource(new TextEncoder().encode('a: 1'), '/p/<stdin>', '<stdin>')).toEqual({
    path: '/p/<stdin>',
    file: '<stdin>',
    text: 'a: 1',
  });
  expect(toSource(new Uint8Array([0xe4]), '/p/<stdin>', '<stdin>')).toMatchObject({ code: 'encoding' });
  expect(toSource(new Uint8Array(11 * 1024 * 1024), '/p/<stdin>', '<stdin>')).toMatchObject({ code: 'file-too-large' });
});

test('a file that does not exist is reported as such, apart from one that cannot be read', async () => {
  const root = await folder({ 'a.yaml': '' });
  expect(await readSource(join(root, 'b.yaml'), 'b.yaml', 'b.yaml')).toMatchObject({
    message: 'b.yaml does not exist.',
    hint: 'Check the path.',
  });
  expect(await readSource(root, 'm', 'm')).toMatchObject({
    message: expect.stringContaining('it is not a regular file'),
  });
});
