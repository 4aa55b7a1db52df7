import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reference } from '#service/profiles/reference.js';
import { cuttingProxy } from '../harness/cutting-proxy.js';
import { bareRepository } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { newDatabase, noPostgres, sharedPostgres } from '../harness/postgres.js';
import { sample } from '../harness/sample.js';
import { freshRunner } from '../harness/team-ledger.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { contentsOf } from './contents.js';

/** One write to a ledger: which one, and whether the program ends before it is done or before it hears of that. */
interface Point {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** A ledger that kills every process that writes to it. */
interface DeadlyLedger {
  /** For `sync.config.yaml`. */
  readonly config: string;
  readonly variables: Readonly<Record<string, string>>;
  /** From here on; without a point it only counts. */
  arm(point?: Point, kill?: () => void): Promise<void>;
  count(): Promise<number>;
}

/** A repository whose hooks count pushes, and kill the program that pushes. */
async function deadlyGit(): Promise<DeadlyLedger> {
  const remote = await bareRepository();
  await mkdir(join(remote, 'hooks'), { recursive: true });
  // git and its shell stand between the program and the hook.
  const kill = `p=$PPID; while [ "$p" -gt 1 ]; do
  if tr '\\0' ' ' < /proc/$p/cmdline | grep -q 'bundle/cli.js'; then kill -9 $p; fi
  p=$(awk '/^PPid/ { print $2 }' /proc/$p/status); done`;
  const hook = (when: Point['when'], text: string): Promise<void> =>
    writeFile(
      join(remote, 'hooks', when === 'before' ? 'pre-receive' : 'post-receive'),
      `#!/bin/sh\ncat > /dev/null\n${text}\n`,
      {
        mode: 0o755,
      },
    );
  return {
    config: `ledger: { git: { remote: "${remote}" } }`,
    variables: {},
    async arm(point) {
      await writeFile(join(remote, 'count'), '0');
      const strike = (when: Point['when']): string =>
        point?.when === when
          ? `if [ $n = ${point.write} ]; then ${kill}; ${when === 'before' ? 'exit 1' : ''}\nfi`
          : '';
      await hook('before', `n=$(($(cat count) + 1)); echo $n > count\n${strike('before')}`);
      await hook('after', `n=$(cat count)\n${strike('after')}`);
    },
    count: async () => Number(await readFile(join(remote, 'count'), 'utf8')),
  };
}

/** A database behind a proxy that counts statements, and kills the program that sends them. */
async function deadlyPostgres(url: string): Promise<DeadlyLedger> {
  const host = decodeURIComponent(new URL(url.replace('@/', '@x/')).searchParams.get('host') ?? '');
  const proxy = await cuttingProxy({ path: `${host}/.s.PGSQL.5432` });
  const name = /\/(ledger_\w+)/.exec(url)?.[1] ?? '';
  return {
    config: 'ledger: "${env.TEST_LEDGER}"',
    variables: { TEST_LEDGER: `postgres://sync@127.0.0.1:${proxy.port}/${name}` },
    async arm(point, kill) {
      proxy.arm(
        point === undefined ? undefined : { statement: point.write, when: point.when, act: kill ?? (() => undefined) },
      );
    },
    count: async () => proxy.count(),
  };
}

const group = (name: string): string => manifest('UserGroup', name, { description: 'x' });
const FILES = {
  'manifests/all.yaml':
    itemsDefinition('Specs', { Part: 'number', Name: 'name' }) +
    manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } }) +
    group('G1') +
    group('G2'),
  'manifests/parts.csv': 'Part,Name\nK-1,One\nK-2,Two\n',
};

async function stage(newLedger: () => Promise<DeadlyLedger>) {
  const workspace = await testWorkspace();
  const ledger = await newLedger();
  const project = await testProject(FILES);
  await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}${ledger.config}\n`);
  const variables = { ...workspace.variables, ...ledger.variables };
  // The tables of a database, say, are there.
  await project.run(['lock', 'show'], variables);
  return { workspace, ledger, project, variables };
}

const APPLY = ['apply', '--yes', '--parallelism', '1'];
const contents = (workspace: TestWorkspace): Promise<unknown> => contentsOf(workspace, reference);

async function undisturbed(newLedger: () => Promise<DeadlyLedger>) {
  const { workspace, ledger, project, variables } = await stage(newLedger);
  await ledger.arm();
  const { code, out, err } = await finished(project.start(APPLY, variables));
  expect([code, err], out).toEqual([0, '']);
  return { writes: await ledger.count(), contents: await contents(workspace) };
}

async function killedAt(
  newLedger: () => Promise<DeadlyLedger>,
  point: Point,
  { writes, contents: expected }: Awaited<ReturnType<typeof undisturbed>>,
): Promise<void> {
  const { workspace, ledger, project, variables } = await stage(newLedger);
  let kill: () => void = () => undefined;
  await ledger.arm(point, () => kill());
  const child = project.start(APPLY, variables);
  kill = () => void child.kill('SIGKILL');
  const { code } = await finished(child);
  // How often a lock is renewed depends on the time that everything takes: the last writes may not come.
  expect(code === null || (code === 0 && point.write > writes - 5), JSON.stringify({ point, code })).toBe(true);
  await ledger.arm();
  const next = await freshRunner(project);
  await expectDone(next.project, { ...variables, ...next.variables });
  expect(await contents(workspace)).toEqual(expected);
  expect(
    (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/runs')).length,
  ).toBeLessThan(3);
}

async function expectDone(project: TestProject, variables: Readonly<Record<string, string>>): Promise<void> {
  const { code, out, err } = await project.run(APPLY, variables);
  expect([code, err], out).toEqual([0, '']);
  expect((await project.run(['plan', '--prune', '--detailed-exitcode'], variables)).code).toBe(0);
  expect((await project.run(['ledger', 'check'], variables)).code).toBe(0);
}

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);
const postgres = noPostgres === undefined ? sharedPostgres() : undefined;
const ledgers: [string, number, () => Promise<DeadlyLedger>][] = [['git', 1, deadlyGit]];
if (postgres !== undefined)
  ledgers.push(['PostgreSQL', 1, async () => deadlyPostgres(await newDatabase(await postgres()))]);

// Only Linux shows a hook who its ancestors are, and a named server has no socket to stand before.
const isPossible = process.platform === 'linux' && process.env.DEXSYNC_TEST_POSTGRES === undefined;

describe.runIf(isPossible).each(sample(ledgers, 1))(
  'a runner is killed at any of its writes to a ledger in %s',
  (_, taken, newLedger) => {
    test('and another one on a clean clone resumes: nothing is lost or doubled', {
      timeout: 3_600_000,
    }, async () => {
      const whole = await undisturbed(newLedger);
      const { writes } = whole;
      expect(writes).toBeGreaterThan(5);
      const points = Array.from({ length: writes }, (_unused, index) => index + 1).flatMap((write): Point[] => [
        { write, when: 'before' },
        { write, when: 'after' },
      ]);
      for (const point of sample(points, taken)) await killedAt(newLedger, point, whole);
    });
  },
);

/** A ledger that is moved: which place kills, and whether that is the old one or the new one. */
const moves = ledgers.flatMap(([name, , newLedger]) =>
  (['from', 'to'] as const).flatMap((side) =>
    ['file', ...ledgers.map(([other]) => other)]
      .filter((other) => other !== name)
      .map(
        (other) => [`${side} ${name}, ${side === 'from' ? 'to' : 'from'} ${other}`, side, newLedger, other] as const,
      ),
  ),
);

/** A place that kills nobody: its line of the configuration, its word for `--from`, and the variables. */
async function quietPlace(name: string) {
  if (name === 'file') return { config: '', from: 'file', variables: {} };
  const remote = name === 'git' ? await bareRepository() : undefined;
  if (remote !== undefined)
    return { config: `ledger: { git: { remote: "${remote}" } }`, from: `git:${remote}`, variables: {} };
  const url = await newDatabase(await (postgres as NonNullable<typeof postgres>)());
  return { config: 'ledger: "${env.OTHER_LEDGER}"', from: url, variables: { OTHER_LEDGER: url } };
}

describe.runIf(isPossible).each(sample(moves, 1))(
  'ledger move is killed at any of its writes %s',
  (_, side, newLedger, other) => {
    const moving = async (point?: Point) => {
      const workspace = await testWorkspace();
      const [deadly, quiet] = [await newLedger(), await quietPlace(other)];
      const from = deadly.variables.TEST_LEDGER ?? `git:${/"(.+)"/.exec(deadly.config)?.[1]}`;
      const [old, now, place] = side === 'to' ? [quiet, deadly, quiet.from] : [deadly, quiet, from];
      const project = await testProject(FILES);
      const config = await project.read('sync.config.yaml');
      const variables = { ...workspace.variables, ...quiet.variables, ...deadly.variables };
      await project.write('sync.config.yaml', `${config}${old.config}\n`);
      expect(await project.run(APPLY, variables)).toMatchObject({ code: 0, err: '' });
      await project.write('sync.config.yaml', `${config}${now.config}\n`);
      await project.run(['lock', 'show'], variables);
      const args = ['ledger', 'move', '--from', place];
      let kill: () => void = () => undefined;
      await deadly.arm(point, () => kill());
      const child = project.start(args, variables);
      kill = () => void child.kill('SIGKILL');
      const { code } = await finished(child);
      const writes = await deadly.count();
      await deadly.arm();
      if (point === undefined) expect(code).toBe(0);
      expect(await project.run(args, variables), JSON.stringify(point)).toMatchObject({ code: 0, err: '' });
      await expectDone(project, variables);
      await project.write('sync.config.yaml', `${config}${old.config}\n`);
      expect((await project.run(APPLY, variables)).err).toContain('The ledger was moved to');
      return writes;
    };

    test('and resumes when it runs again, with the same result as without the kill', {
      timeout: 3_600_000,
    }, async () => {
      const writes = await moving();
      const points = Array.from({ length: writes }, (_unused, index) => index + 1).flatMap((write): Point[] => [
        { write, when: 'before' },
        { write, when: 'after' },
      ]);
      for (const point of sample(points, 1)) await moving(point);
    });
  },
);
