import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { finished, testProject } from '../harness/test-project.js';

/** What acts as soon as it is loaded. */
const ENTRIES = ['cli.js', 'program.js', 'emulator/main.js', 'emulator/run-worker.js'];

const { IN_PACKAGES } = (await import(resolve('scripts/lean-packages.mjs'))) as {
  IN_PACKAGES: readonly (readonly [string, string, string])[];
};

/** What needs an optional package. */
const OPTIONAL = /dbos-queue/;

let installed: string;

/** The program as npm installs it: its files beside the packages that it declares, and none that only its developers have. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  installed = join(modules, 'dexsync');
  await mkdir(installed, { recursive: true });
  const { files } = JSON.parse(await readFile('package.json', 'utf8')) as { files: string[] };
  expect(files).toEqual(expect.arrayContaining(['bundle', 'schema']));
  for (const part of ['package.json', 'bundle', 'schema']) await cp(part, join(installed, part), { recursive: true });
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    const [, name, nested] = path.split('node_modules/');
    if (name === undefined || nested !== undefined || dev || optional) continue;
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve(path), join(modules, name), 'junction');
  }
});

test('each file of the packed program loads with only the packages that it declares', async () => {
  const files = await readdir(join(installed, 'bundle'), { recursive: true });
  const modules = files.filter((file) => /\.c?js$/.test(file) && !ENTRIES.includes(file) && !OPTIONAL.test(file));
  expect(modules.length).toBeGreaterThan(100);
  const program = modules.map((file) => `await import(${url(file)});`).join('\n');
  expect(await runNode(program)).toEqual({ code: 0, out: '', err: '' });
});

test('workers without their optional package say how to install it, before anything is sent', async () => {
  const { write, folder } = await testProject();
  await write(
    'sync.config.yaml',
    `stack: test
manifests: [manifests]
fleets: { sites: { workers: true } }
ledger: postgres://nobody@127.0.0.1:1/none
environments: { site: { url: "http://127.0.0.1:1", credentials: { email: a@example.com, password: "\${env.NONE}" } } }
`,
  );
  const child = spawn(process.execPath, [join(installed, 'bundle/cli.js'), 'fleet', 'worker'], { cwd: folder });
  const { code, err } = await finished(child);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining('Install it beside dexsync: `npm install --global @dbos-inc/dbos-sdk@5.3`.'),
  ]);
});

test('the package has what `init --pipeline` writes, at most 420 files, and 8 MB once it is unpacked', async () => {
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [packed] = JSON.parse(text) as [{ files: { path: string }[]; entryCount: number; unpackedSize: number }];
  const shown = await readdir('examples/pipelines', { recursive: true, withFileTypes: true });
  const needed = shown.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(needed).toContain('examples/pipelines/ci/promote.sh');
  expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(needed));
  expect(packed.entryCount).toBeLessThanOrEqual(420);
  expect(packed.unpackedSize).toBeLessThanOrEqual(8_000_000);
});

test('an optional package is found from the installed program, and works when it is used after all', async () => {
  for (const [, owner, path] of IN_PACKAGES)
    expect(createRequire(createRequire(join(installed, 'bundle/cli.js')).resolve(owner))(path)).toBeTruthy();
  const files = await readdir(join(installed, 'bundle/chunks'));
  const chunk = files.find((file) => file.startsWith('fastify-'));
  // All that fastify has and neither the workspace nor a watch uses: a logger, compilers of its own, requests without a socket.
  const program = `
    const required = Object.values(await import(${url(`chunks/${chunk}`)})).map((require) => require());
    const { fastify } = required.find((one) => 'fastify' in one);
    const lines = [];
    const app = fastify({ logger: { stream: { write: (line) => lines.push(line) } } });
    const schema = { body: { type: 'object', required: ['a'] }, response: { 200: { type: 'object', properties: { b: {} } } } };
    app.post('/', { schema }, () => ({ b: 1, c: 2 }));
    const post = (body) => app.inject({ method: 'POST', url: '/', body });
    const answers = [await post({}), await post({ a: 1 })];
    console.log(JSON.stringify([...answers.map(({ statusCode }) => statusCode), answers[1].json(), lines.length > 0]));`;
  expect(await runNode(program)).toEqual({ code: 0, out: '[400,200,{"b":1},true]\n', err: '' });
});

const runNode = (program: string) =>
  finished(spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] }));

const url = (file: string): string => JSON.stringify(pathToFileURL(join(installed, 'bundle', file)).href);
