import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reference } from '#service/profiles/reference.js';
import { sample } from '../harness/sample.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { contentsOf } from './contents.js';
import { OPERATIONS, type Operation } from './operations.js';

const FAILING_DISK = resolve('test/harness/failing-disk.cjs');

const CODES = ['ENOSPC', 'EIO'] as const;

/** How many of the many writes of a command fail at most, evenly spread. */
const MOST_PLACES = 24;

/** What the matrix of requests does not have: commands that write files first of all. */
const WRITING: readonly Operation[] = [
  {
    name: 'init',
    prepare: async () => undefined,
    command: ['init', 'fresh'],
    leaves: 'differences',
    files: ['fresh/sync.config.yaml', 'fresh/.gitignore', 'fresh/manifests/groups.yaml'],
  },
  {
    name: 'a plan to a file',
    prepare: writeQuickstart,
    command: ['plan', '--out', 'plan.json', '--manual', 'warn'],
    leaves: 'differences',
  },
  { name: 'a pull that adopts', prepare: async () => undefined, command: ['pull', '--adopt'] },
];

async function writeQuickstart(project: TestProject): Promise<void> {
  await OPERATIONS[0]?.prepare(project, async () => undefined);
}

type Staged = Awaited<ReturnType<typeof stage>>;

async function stage({ prepare }: Operation) {
  const workspace = await testWorkspace();
  const project = await testProject();
  const { variables } = workspace;
  await prepare(project, async (...args) => {
    const { code, out, err } = await project.run(args, variables);
    if (err !== '') throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`);
  });
  return { workspace, project, variables };
}

interface DiskLog {
  readonly writes: number;
  readonly done: readonly (readonly [syscall: string, path: string])[];
}

/** Runs a command on a disk that fails from the nth write on, and says which writes there were. */
async function onFailingDisk(
  command: readonly string[],
  fails: { readonly at: number; readonly code: (typeof CODES)[number] },
  { project, workspace }: Staged,
) {
  const log = `${project.folder}.log`;
  const ended = await finished(
    project.start(command, {
      ...workspace.variables,
      NODE_OPTIONS: `--require ${FAILING_DISK}`,
      DISK_FAILS: JSON.stringify({ below: project.folder, log, ...fails }),
    }),
  );
  return { ...ended, ...(JSON.parse(await readFile(log, 'utf8')) as DiskLog) };
}

const partsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.part'));

const CHOSEN = await Promise.all(
  sample([...WRITING, ...OPERATIONS], 2).map(async (operation) => {
    const staged = await stage(operation);
    const { code, writes, out, err } = await onFailingDisk(operation.command, { at: 0, code: 'EIO' }, staged);
    if (code !== (operation.code ?? 0)) throw new Error(`${operation.name} ended with ${code}: ${out}${err}`);
    const step = Math.ceil(writes / MOST_PLACES);
    const each = Array.from({ length: Math.floor(writes / step) }, (_, index) => ({
      at: 1 + index * step,
      code: CODES[index % 2] ?? 'EIO',
    }));
    const contents = await contentsOf(staged.workspace, reference);
    return { name: operation.name, operation, contents, cases: sample(each, 2) };
  }),
);

/** What a person does after a failure; the message of a failed test contains `said`. */
async function repeat({ command, code = 0, after }: Operation, { project, variables }: Staged, said: string) {
  for (const { args, codes } of after ?? [{ args: command, codes: [code] }]) {
    const ended = await project.run(args, variables);
    expect(codes, `${said}\n${args.join(' ')}\n${ended.out}${ended.err}`).toContain(ended.code);
  }
}

const NAMED = /[/\\]\S* cannot be (used|written|noted)|(no space is left on the disk|the disk reports a failure)/;
const UNHELPFUL = /bug in dexsync|UNEXPECTED|\[object|undefined|A file of dexsync|The file cannot|\.part /;

describe.each(CHOSEN)('$name on a failing disk', ({ operation, contents, cases }) => {
  test.each(cases)('names the file with $code at write $at, and the next command continues', async (fails) => {
    const staged = await stage(operation);
    const { project, workspace, variables } = staged;
    const { code, out, err, writes } = await onFailingDisk(operation.command, fails, staged);
    const said = out + err;
    expect(said).not.toMatch(UNHELPFUL);
    const isDone = code === (operation.code ?? 0);
    if (!isDone && writes >= fails.at) expect(said).toMatch(NAMED);
    const check = await project.run(['ledger', 'check'], variables);
    expect(check.code, said + check.out + check.err).toBe(0);
    if (!isDone) await repeat(operation, staged, said);
    expect(await contentsOf(workspace, reference), said).toEqual(contents);
    for (const file of operation.files ?? []) expect(await project.read(file), said).not.toBe('');
    expect(await partsIn(project.folder), said).toEqual([]);
    if (operation.leaves === 'differences') return;
    const plan = await project.run(['plan', '--detailed-exitcode', '--manual', 'warn'], variables);
    expect([plan.code, said + plan.out]).toEqual([0, expect.not.stringContaining('not owned')]);
  });
});

test('the parts of the ledger are on the disk before the first request that writes', async () => {
  const [apply] = OPERATIONS as [Operation];
  const staged = await stage(apply);
  const { code, done } = await onFailingDisk(apply.command, { at: 0, code: 'EIO' }, staged);
  expect(code).toBe(0);
  const ledger = resolve(staged.project.folder, '.dexsync', 'ledger');
  const isKept = (path: string): boolean => path === dirname(ledger) || path.startsWith(ledger);
  const journal = done.findIndex(([syscall, path]) => syscall === 'fdatasync' && path.startsWith(ledger));
  const before = done.slice(0, journal);
  const made = new Set(before.flatMap(([syscall, path]) => (syscall === 'mkdir' && isKept(path) ? [path] : [])));
  expect([...made]).toEqual(expect.arrayContaining([dirname(ledger), ledger]));
  for (const folder of made) {
    const first = before.findIndex(([syscall, path]) => syscall === 'mkdir' && path === folder);
    expect(before.slice(first), folder).toContainEqual(['fsync', dirname(folder)]);
  }
});

test('the next command removes temporary files of a killed one, and keeps those of a running one', async () => {
  const project = await testProject({ 'manifests/groups.yaml': '', 'a.csv': '' });
  const host = hostname().replaceAll(/[^A-Za-z0-9]/g, '');
  const { pid } = await ended();
  const [left, running] = [pid, process.pid].map((of) => `.plan.json.${of}-${host}-0123abcd.part`) as [string, string];
  for (const name of [left, running]) await project.write(name, 'half');
  expect((await project.run(['plan', '--out', 'plan.json'], (await testWorkspace()).variables)).code).toBe(0);
  expect(await partsIn(project.folder)).toEqual([running]);
});

/** A process that has ended. */
async function ended() {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child;
}
