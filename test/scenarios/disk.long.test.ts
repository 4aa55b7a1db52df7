import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import { CLI, environment, finished, type TestProject, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { unchained } from '../harness/unchained.js';

const group = (name: string): string => manifest('UserGroup', name, { description: name });

const specs = itemsDefinition('Specs');

/** The commands of a shell, with the built program as $0 and the project as working folder. */
const shell = (project: TestProject, script: string, variables: Record<string, string>) => {
  const env = environment({ NODE: process.execPath, ...variables });
  return finished(spawn('sh', ['-c', script, CLI], { cwd: project.folder, env }));
};

/** A small disk, where this process may make one. */
function smallDisk(folder: string): 'made' | 'not allowed' {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', ['-l', folder]));
    return 'made';
  } catch {
    return 'not allowed';
  }
}

describe('failures of the disk have a name, and the stream of events ends as usual', () => {
  test('where .dexsync is a file', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/g.yaml': group('Quality'), '.dexsync': 'no folder' });
    for (const variables of [workspace.variables, {}]) {
      const { code, out, err } = await project.run(['apply', '--yes', '--json'], variables);
      expect([code, err]).toEqual([1, expect.stringMatching(/^Error: .*\.dexsync.*\n.+\n\[DISK, exit 1\]\n$/)]);
      expect(linesOf(out).slice(-2)).toMatchObject([
        { type: 'error', code: 'DISK' },
        { type: 'summary', exitCode: 1 },
      ]);
    }
    expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('where a journal cannot grow: the steps after it do not start, and completed ones are counted', async () => {
    const workspace = await testWorkspace();
    const names = Array.from({ length: 40 }, (_, index) => `G${index}`);
    const project = await testProject({ 'manifests/g.yaml': names.map(group).join('') });
    const plan = JSON.stringify(JSON.parse((await project.run(['plan', '--json'], workspace.variables)).out));
    // In blocks of 512 bytes: room for the plan and not for the claims of all creations.
    const tight = `ulimit -f ${Math.ceil(plan.length / 512) + 2}; exec "$NODE" "$0" apply --yes --json | cat`;
    const refused = linesOf((await shell(project, tight, workspace.variables)).out);
    expect(refused.filter(({ type }) => type === 'step')).toEqual([]);
    expect(refused.at(-1)).toMatchObject({ type: 'summary', exitCode: 1 });
    expect((await workspace.usage()).filter(({ method, path }) => method === 'POST' && path !== '/login')).toEqual([]);
    // Room for the claims, of some 210 characters each, and for a few records.
    const blocks = Math.ceil((plan.length + names.length * 215) / 512) + 2;
    const script = `ulimit -f ${blocks}; exec "$NODE" "$0" apply --yes --json | cat`;
    const { out } = await shell(project, script, workspace.variables);
    const events = linesOf(out);
    const failed = events.filter(({ type, status }) => type === 'step' && status.is === 'failed');
    expect(failed[0].status).toMatchObject({
      code: 'DISK',
      message: expect.stringMatching(
        /The journal .+\.jsonl cannot be used: the file would be larger than allowed \(EFBIG\)\./,
      ),
      hint: expect.stringContaining('ulimit -f'),
    });
    const summary = events.at(-1);
    expect(summary).toMatchObject({ type: 'summary', exitCode: 1 });
    expect(summary.done + summary.failed + summary.skipped).toBe(40);
    expect(summary.skipped).toBeGreaterThan(0);
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  });

  test('on a full disk', async (context) => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/g.yaml': group('Quality') });
    await mkdir(join(project.folder, '.dexsync'));
    if (smallDisk(join(project.folder, '.dexsync')) === 'not allowed') return context.skip();
    await writeFile(join(project.folder, '.dexsync', 'large'), Buffer.alloc(64 * 1024)).catch(() => undefined);
    const { code, err } = await project.run(['apply', '--yes'], workspace.variables);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/no space is left on the disk \(ENOSPC\)\.\n.*\n\[DISK, exit 1\]\n$/),
    ]);
    expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('where standard output is on a full disk', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/g.yaml': group('Quality') });
    const { code, err } = await shell(project, 'exec "$NODE" "$0" plan >/dev/full', workspace.variables);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Error: The output could not be written: ENOSPC.*\n\[DISK, exit 1\]\n$/),
    ]);
  });

  test.skipIf(!existsSync('/proc/self'))('below a folder that accepts no folders', async () => {
    const { variables } = await testWorkspace();
    const spec = {
      options: { exportViews: ['SPECS'] },
      criteria: [[{ apiName: 'number', operator: 'STARTS_WITH', value: 'P' }]],
    };
    const project = await testProject({
      'manifests/e.yaml': JSON.stringify({
        apiVersion: 'dexsync/v1',
        kind: 'ExportDefinition',
        metadata: { name: 'Parts' },
        spec,
      }),
    });
    expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
    for (const command of [
      ['exports', 'run', 'Parts', '--out', '/proc/nope/x'],
      ['init', '/proc/nope/x'],
    ]) {
      const { code, err } = await project.run(command, variables);
      expect([code, err], command.join(' ')).toEqual([
        1,
        expect.stringContaining(
          'Error: /proc/nope cannot be created: /proc does not accept new folders.\nUse another folder.\n[DISK, exit 1]\n',
        ),
      ]);
    }
  });

  test('where init cannot create its folder', async () => {
    const project = await testProject({ file: 'no folder' });
    const { code, err } = await project.run(['init', 'file/inside']);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/a file is where a folder is needed \(ENOTDIR\)\.\n.*\n\[DISK, exit 1\]\n$/),
    ]);
  });
});

test.each(['null', '{}', '{"state":"committed","run":"R"}', '{"state":"gone","run":"R"}'])(
  'a ledger whose job is %s is damaged, with its line',
  async (job) => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/g.yaml': group('Quality') });
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const [folder = ''] = await readdir(join(project.folder, '.dexsync/ledger'));
    const [journal = ''] = await readdir(join(project.folder, '.dexsync/ledger', folder));
    const path = `.dexsync/ledger/${folder}/${journal}`;
    const text = unchained(await project.read(path));
    await project.write(path, `${text}{"type":"job","at":"x","address":"Import/I","key":"K","job":${job}}\n`);
    const { code, err } = await project.run(['plan'], workspace.variables);
    const line = text.split('\n').length;
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          `^Error: Line ${line} of the journal .*\\.jsonl is not a record\\.\\n.*\\n\\[LEDGER_DAMAGED, exit 1\\]\\n$`,
        ),
      ),
    ]);
  },
);

test('an error report that breaks off each time is a failure of the network, and the next apply resumes the run', async () => {
  const workspace = await testWorkspace();
  const rows = Array.from({ length: 200 }, (_, index) => `P-${index},\n`);
  const job = JSON.stringify({
    apiVersion: 'dexsync/v1',
    kind: 'Import',
    metadata: { name: 'Parts' },
    spec: { definition: 'Specs', source: { file: 'a.csv' }, commit: 'always' },
  });
  const project = await testProject({
    'manifests/d.yaml': `${specs}\n---\n${job}`,
    'manifests/a.csv': `Part,Name\n${rows.join('')}X-1,x\n`,
  });
  await workspace.arm([{ path: '/imports/*/runs/*/errorContent', times: 'always', do: 'cut' }]);
  const { variables } = workspace;
  const { out } = await project.run(['apply', '--yes', '--json'], variables);
  expect(linesOf(out).findLast(({ type }) => type === 'step').status).toMatchObject({
    is: 'failed',
    code: 'NETWORK',
    message: expect.stringMatching(/errorContent got no whole answer from http:\/\/127\.0\.0\.1:\d+(\/v1)?: /),
  });
  await workspace.arm([{ path: '/imports/*/runs/*/errorContent', do: 'cut' }]);
  const again = await project.run(['apply', '--yes', '--json'], variables);
  const posts = (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/runs'));
  expect([again.code, posts.length]).toEqual([8, 1]);
});

test.skipIf(process.platform === 'win32')('nobody else can read the files of dexsync', async () => {
  const project = await testProject({
    'manifests/all.yaml': group('Quality') + specs,
    'a.csv': 'Part,Name\nA-1,one\nA-2,\n',
    'sync.config.yaml':
      'stack: s\nmanifests: [manifests]\ndefaultEnvironment: local\nenvironments: { local: { workspace: embedded } }\n',
  });
  const run = (...args: string[]) => project.run(args, { CI: '', TEST_URL: 'http://127.0.0.1:1' });
  expect((await run('apply', '--yes')).code).toBe(0);
  await run('import', 'a.csv', '--definition', 'Specs', '--commit', 'always', '--before-image');
  await run('exports', 'list');
  const all = await readdir(join(project.folder, '.dexsync'), { recursive: true });
  const open = await Promise.all(
    ['', ...all].map(async (name) => {
      const path = join('.dexsync', name);
      const { mode } = await stat(join(project.folder, path));
      return (mode & 0o077) === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`];
    }),
  );
  expect([all.length > 10, open.flat()]).toEqual([true, []]);
});
