import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { peakIn, TELL_PEAK } from '../harness/peak-memory.js';
import { scaled } from '../harness/sample.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = itemsDefinition('D', { Part: 'number' }, 'EDIT');
const job = manifest('Import', 'I', { definition: 'D', source: { file: 'a.csv' } });

test('an irregular file is refused by name before it is opened', { timeout: 120_000 }, async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/d.yaml': definition });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  execFileSync('mkfifo', [join(project.folder, 'pipe.csv')]);
  await mkdir(join(project.folder, 'folder.csv'));
  const server = createServer().listen(join(project.folder, 'socket.csv'));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  for (const [file, what] of [
    ['pipe.csv', 'named pipe'],
    ['socket.csv', 'socket'],
    ['folder.csv', 'folder'],
    ['/dev/zero', 'device'],
  ] as const) {
    const { code, err } = await project.run(['import', file, '--definition', 'D'], workspace.variables);
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(new RegExp(`^Error: ${file} is a ${what}\\.\n.+\n\\[FILE_UNREADABLE, exit 3\\]\n$`)),
    ]);
  }
  execFileSync('mkfifo', [join(project.folder, 'manifests', 'pipe.yaml')]);
  const { code, out } = await project.run(['validate']);
  expect([code, out]).toEqual([
    3,
    expect.stringContaining('manifests/pipe.yaml cannot be read: it is not a regular file.'),
  ]);
});

test('a source of very many rows is read, checked and spooled with nearly constant memory', async () => {
  const { variables } = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': definition + job });
  const peak = async (count: number): Promise<number> => {
    const rows = Array.from({ length: count }, (_, row) => `PN-${row},"Part ${row}, of some length",more,text,here\n`);
    await project.write('manifests/a.csv', `Part,A,B,C,D\n${rows.join('')}`);
    const { code, out, err } = await finished(project.start(['plan'], { ...variables, ...TELL_PEAK }));
    expect([code, out]).toEqual([0, expect.stringContaining(`${count} rows of manifests/a.csv`)]);
    return peakIn(err).megabytes;
  };
  expect((await peak(scaled(300_000, 30_000))) - (await peak(10))).toBeLessThan(200);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s while a large source is read ends promptly', async (signal) => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/d.yaml': definition });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const file = createWriteStream(join(project.folder, 'large.csv'));
  file.write('Part\n');
  for (let block = 0; block < 60; block += 1) {
    const rows = Array.from({ length: 20_000 }, (_, row) => `P-${block}-${row}\n`);
    if (!file.write(rows.join(''))) await once(file, 'drain');
  }
  await new Promise<void>((done) => file.end(done));
  const child = project.start(['import', 'large.csv', '--definition', 'D', '--json'], workspace.variables);
  const ended = finished(child);
  await new Promise<void>((reading) =>
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('"reading"')) reading();
    }),
  );
  const start = Date.now();
  child.kill(signal);
  const { code, err } = await ended;
  expect([code, err]).toEqual([130, expect.stringContaining('Interrupted while reading large.csv. Nothing was sent.')]);
  expect(Date.now() - start).toBeLessThan(3000);
});

test('the next process removes the rows of a killed one, and those of others stay', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': definition + job, 'manifests/a.csv': 'Part\nDX-0001\n' });
  let kill: () => void = () => undefined;
  await workspace.arm([{ method: 'POST', path: '/imports/*/runs', do: 'reset' }], () => kill());
  const child = project.start(['apply', '--yes'], workspace.variables);
  kill = () => child.kill('SIGKILL');
  await finished(child);
  const folder = join(project.folder, '.dexsync', 'tmp');
  const own = hostname().replaceAll(/[^A-Za-z0-9]/g, '');
  expect(await readdir(folder)).toEqual([expect.stringMatching(new RegExp(`^${child.pid}-${own}-`))]);
  const others = [`${process.pid}-${own}-alive`, `${child.pid}-elsewhere-x`, 'notes'];
  for (const name of others) await mkdir(join(folder, name));
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(others.sort());
});

test.each([
  ['Quality', 'quality', 'letter case'],
  ['Qualit\u00e4t', 'Qualita\u0308t', 'how accents are encoded'],
])('names that look the same are a warning: %s and %s', async (one, other, differs) => {
  const project = await testProject({
    'manifests/a.yaml': manifest('UserGroup', one, {}),
    'manifests/b.yaml':
      manifest('UserGroup', other, {}) + manifest('ImportDefinition', one, { resource: 'ITEM_SPECS', mode: 'EDIT' }),
  });
  const { code, out } = await project.run(['validate']);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      `warning  address-similar\n  UserGroup/${other} differs from UserGroup/${one} at manifests/a.yaml:1 only in ${differs};`,
    ),
  ]);
  expect(out.match(/address-similar/g)).toHaveLength(1);
});
