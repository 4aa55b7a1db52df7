import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openSecrets } from '#base/secrets.js';
import { findList } from '#data/bulk/find-list.js';
import type { Host } from '#project/host.js';
// The built library: what it finds beside its own files is there.
import { watch } from '../../dist/index.js';
import { atEnd } from '../harness/at-end.js';
import { mistakesInLine } from '../harness/event-lines.js';
import { bareRepository, git } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { passOn, startProxy } from '../harness/proxy.js';
import { environment, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { watching, watchingProcess } from '../harness/watching.js';
import { holding, isWrite, leaseOf } from './lease-project.js';

const group = (description: string, name = 'Quality'): string => `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: ${name} }
spec: { description: ${description} }
`;

async function describedAs(workspace: TestWorkspace): Promise<Record<string, string>> {
  const { body } = await workspace.call('GET', '/settings/usergroups?limit=400');
  return Object.fromEntries(
    body.results.map(({ name, description }: { name: string; description: string }) => [name, description]),
  );
}

async function stage(description = 'one'): Promise<{ project: TestProject; workspace: TestWorkspace }> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/group.yaml': group(description) });
  return { project, workspace };
}

const EVERY_SECOND = ['--interval', '1s'];
const RARELY = ['--interval', '1h'];

describe('watch', () => {
  test('applies at its start and after a change, and looks again silently while nothing changes', async () => {
    const { project, workspace } = await stage();
    const watch = watchingProcess(project, ['--policy', 'safe', ...RARELY], workspace.variables);
    expect(await watch.round()).toMatchObject({ round: 1, result: 'applied', pending: 1, drifted: [], held: [] });
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'one' });
    await project.write('manifests/group.yaml', group('two'));
    expect(await watch.round()).toMatchObject({ round: 2, result: 'applied' });
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'two' });
    expect(watch.lines).toContainEqual(
      expect.objectContaining({ type: 'watch', event: { is: 'round', round: 2, because: 'change' } }),
    );
    expect(await watch.stop()).toMatchObject({ code: 0 });
    expect(watch.lines.at(-1)).toMatchObject({ type: 'watch', level: 'info', event: { is: 'stopped', rounds: 2 } });
    expect(watch.lines.map(({ time: _, level: __, ...line }) => mistakesInLine(line))).toEqual(
      watch.lines.map(() => null),
    );
    expect(watch.lines.every(({ time }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time))).toBe(true);
    expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  });

  test('spends no request on a change that needs nothing new', async () => {
    const { project, workspace } = await stage();
    const watch = watching(project, ['--policy', 'none', ...RARELY], workspace.variables);
    expect(await watch.round()).toMatchObject({
      result: 'held',
      held: [{ address: 'UserGroup/Quality', because: 'policy' }],
    });
    const before = await workspace.usage();
    await project.write('manifests/group.yaml', `# The same.\n${group('one')}`);
    await project.write('README.md', 'About it.');
    await project.write('.hidden/manifest.yaml', group('hidden'));
    await project.write('manifests/other.yaml', group('two', 'Other'));
    expect(await watch.round()).toMatchObject({ round: 2, pending: 2 });
    const spent = (await workspace.usage()).length - before.length;
    expect(spent).toBe(1);
    expect((await watch.stop()).code).toBe(0);
    expect(Object.keys(await describedAs(workspace))).not.toContain('Quality');
  });

  test('leaves outside changes to a person, and says who changed what', async () => {
    const { project, workspace } = await stage();
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const { body } = await workspace.call('GET', '/settings/usergroups?limit=400');
    const { guid } = body.results.find(({ name }: { name: string }) => name === 'Quality');
    await workspace.administer('PUT', `/settings/usergroups/${guid}`, { name: 'Quality', description: 'by hand' });
    await project.write('manifests/other.yaml', group('new', 'Other'));
    const watch = watching(project, ['--policy', 'safe', ...RARELY], workspace.variables);
    expect(await watch.round()).toMatchObject({
      result: 'partial',
      pending: 2,
      held: [{ address: 'UserGroup/Quality', because: 'overwrites' }],
      drifted: [{ address: 'UserGroup/Quality', what: 'changed', fields: ['description'] }],
    });
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'by hand', Other: 'new' });
    await project.write('manifests/third.yaml', group('new', 'Third'));
    expect(await watch.round()).toMatchObject({ result: 'partial', pending: 2, held: [{ because: 'overwrites' }] });
    await project.write('manifests/third.yaml', `# The same.\n${group('new', 'Third')}`);
    await project.write('manifests/group.yaml', group('three'));
    expect(await watch.round()).toMatchObject({ result: 'held', pending: 1, held: [{ because: 'overwrites' }] });
    await project.write('manifests/group.yaml', group('one'));
    expect(await watch.round()).toMatchObject({ result: 'held', pending: 1 });
    expect((await watch.stop()).code).toBe(0);
    const all = watching(project, ['--policy', 'all', ...RARELY], workspace.variables);
    expect(await all.round()).toMatchObject({ result: 'applied', pending: 1 });
    expect((await all.stop()).code).toBe(0);
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'one', Other: 'new', Third: 'new' });
  });

  test('leaves dependents of an outside change too, and says so to people too', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/specs.yaml': itemsDefinition('Specs', { Part: 'number', Name: 'name' }),
      'manifests/group.yaml': group('one'),
    });
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const [{ guid }] = (await workspace.pages('/imports')).filter(({ name }) => name === 'Specs');
    await workspace.administer('PUT', `/imports/${guid}`, { name: 'By hand' });
    await project.write(
      'manifests/load.yaml',
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } }),
    );
    await project.write('manifests/parts.csv', 'Part,Name\nW-1,One\n');
    await project.write('manifests/group.yaml', group('two'));
    const watch = project.begin(['watch', '--policy', 'safe', ...RARELY], workspace.variables);
    await watch.wrote(/Round 1: .*\n(?:.*\n)*.*Review with/);
    watch.interrupt();
    const { out } = await watch.result;
    expect(out).toContain('Round 1: Applied what the policy allows; it leaves 1 of 3 steps to a person.');
    expect(out).toContain('ImportDefinition/Specs: would overwrite a change made outside dexsync');
    expect(out).toContain(
      'Import/Parts  blocked\n      It needs ImportDefinition/Specs, which this plan does not apply.',
    );
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'two' });
    expect((await workspace.pages('/items')).map(({ number }) => number)).not.toContain('W-1');
  });

  test('waits for the first one as a second watch, and continues when that is done', async () => {
    const workspace = await testWorkspace();
    const held = await holding(workspace, isWrite);
    const project = await testProject({ 'manifests/group.yaml': group('one') });
    const first = watchingProcess(project, ['--policy', 'all', ...RARELY], held.variables);
    await held.reached;
    const second = watchingProcess(project, ['--policy', 'all', ...EVERY_SECOND], held.variables);
    await expect
      .poll(() => second.lines.find(({ type }) => type === 'locked'), { timeout: 20_000 })
      .toMatchObject({ by: expect.stringContaining('"dexsync watch"'), most: null });
    held.letGo();
    expect(await first.round()).toMatchObject({ result: 'applied' });
    expect(await second.round()).toMatchObject({ round: 1, result: 'unchanged' });
    for (const watch of [first, second]) expect((await watch.stop()).code).toBe(0);
    expect(held.count('POST', '/settings/usergroups')).toBe(1);
  });

  test('is stopped by a signal while it waits, and gives up after the time limit', async () => {
    const { project, workspace } = await stage();
    await leaseOf(project, {
      service: new URL(workspace.url).host,
      login: workspace.variables.DEXSYNC_REMOTE_EMAIL ?? '',
    });
    const watch = watchingProcess(project, ['--policy', 'all', ...RARELY], workspace.variables);
    await expect.poll(() => watch.lines.some(({ type }) => type === 'locked'), { timeout: 20_000 }).toBe(true);
    expect((await watch.stop()).code).toBe(0);
    const short = watching(project, ['--policy', 'all', ...RARELY, '--wait', '1'], workspace.variables);
    expect(await short.round()).toMatchObject({ result: 'failed', error: { code: 'LOCKED' } });
    expect((await short.stop()).code).toBe(0);
  });

  test('deletes nothing while files are being written: changes since the round began are not applied', async () => {
    const { project, workspace } = await stage();
    const whole = await project.read('manifests/group.yaml');
    let lists = -1;
    const url = await startProxy(async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      if (method === 'GET' && path.includes('usergroups')) lists += 1;
      // After the list of the apply before, and that of the plan, it is that of the plan to apply.
      if (lists === 2) await project.write('manifests/group.yaml', whole);
      const answer = await passOn(workspace.url, method, path, headers, await buffer(request));
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const variables = { ...workspace.variables, TEST_URL: url };
    expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
    await project.write('manifests/other.yaml', group('other', 'Other'));
    await rm(join(project.folder, 'manifests/group.yaml'));
    const watch = watching(project, ['--policy', 'all', '--prune', ...RARELY], variables);
    expect(await watch.round()).toMatchObject({ result: 'held', held: [], pending: 2 });
    expect(await watch.round()).toMatchObject({ result: 'applied', pending: 1 });
    expect((await watch.stop()).code).toBe(0);
    expect(Object.keys(await describedAs(workspace))).toEqual(expect.arrayContaining(['Quality', 'Other']));
  });

  test('leaves deletes to a person unless the policy is all, and plans none without --prune', async () => {
    const { project, workspace } = await stage();
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    await project.write('manifests/group.yaml', group('other', 'Other'));
    const { variables } = workspace;
    const outcome = async (...args: string[]) => {
      const watch = watching(project, [...RARELY, ...args], variables);
      const end = await watch.round();
      expect((await watch.stop()).code).toBe(0);
      return end;
    };
    expect(await outcome('--policy', 'safe', '--prune')).toMatchObject({
      result: 'partial',
      held: [{ address: 'UserGroup/Quality', because: 'deletes' }],
    });
    expect(await outcome('--policy', 'safe')).toMatchObject({ result: 'unchanged' });
    expect(Object.keys(await describedAs(workspace)).sort()).toEqual(expect.arrayContaining(['Other', 'Quality']));
    expect(await outcome('--policy', 'all', '--prune')).toMatchObject({ result: 'applied' });
    expect(Object.keys(await describedAs(workspace))).not.toContain('Quality');
  });

  test('reports manifests with errors without a request, and continues when they are fixed', async () => {
    const { project, workspace } = await stage();
    await project.write('manifests/broken.yaml', 'apiVersion: dexsync/v1\nkind: UserGruop\n');
    const watch = watching(project, ['--policy', 'all', ...RARELY], workspace.variables);
    expect(await watch.round()).toMatchObject({ result: 'failed', error: { code: 'MANIFESTS_INVALID' } });
    expect(watch.lines).toContainEqual(expect.objectContaining({ type: 'diagnostic', level: 'error' }));
    expect(await workspace.usage()).toEqual([]);
    await project.write('watch.log', 'What is written beside it is no reason to look again.');
    await sleep(1000);
    await rm(join(project.folder, 'manifests/broken.yaml'));
    expect(await watch.round()).toMatchObject({ round: 2, result: 'applied' });
    expect((await watch.stop()).code).toBe(0);
  });

  test('sends imports once for each content, and none that runs on every apply', async () => {
    const workspace = await testWorkspace();
    const definition = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: Parts }
spec:
  resource: ITEM_SPECS
  mode: OVERWRITE
  options:
    mapping:
      - { resource: ITEM_SPECS, apiName: number, sourceName: Number }
      - { resource: ITEM_SPECS, apiName: name, sourceName: Name }
      - { resource: ITEM_SPECS, apiName: category.path, sourceName: Category }
`;
    const job = (name: string, more = ''): string => `---
apiVersion: dexsync/v1
kind: Import
metadata: { name: ${name} }
spec: { definition: Parts, source: { file: ${name}.csv }${more} }
`;
    const rows = (number: string): string => `Number,Name,Category\n${number},One,Item\\Mechanical\n`;
    const project = await testProject({
      'manifests/jobs.yaml': definition + job('nightly') + job('always', ', when: always'),
      'manifests/nightly.csv': rows('W-1'),
      'manifests/always.csv': rows('W-9'),
    });
    const watch = watching(project, ['--policy', 'safe', ...EVERY_SECOND], workspace.variables);
    expect(await watch.round()).toMatchObject({ result: 'applied', pending: 2 });
    expect(await watch.round()).toMatchObject({ result: 'unchanged' });
    await project.write('manifests/nightly.csv', rows('W-2'));
    expect(await watch.round(({ result }) => result === 'applied')).toMatchObject({ pending: 1 });
    expect((await watch.stop()).code).toBe(0);
    const numbers = (await workspace.pages('/items')).map(({ number }) => number);
    expect([numbers.includes('W-1'), numbers.includes('W-2'), numbers.includes('W-9')]).toEqual([true, true, false]);
  });

  test('serves metrics and health on this machine, which follow the rounds', async () => {
    const { project, workspace } = await stage();
    const watch = watching(project, ['--policy', 'none', ...RARELY, '--port', '0'], workspace.variables);
    const { url } = await watch.event('started');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await watch.round();
    const get = async (path: string) => {
      const answer = await fetch(`${url}${path}`);
      return { status: answer.status, text: await answer.text() };
    };
    const { text } = await get('/metrics');
    for (const [metric, value] of METRICS) expect(text).toMatch(new RegExp(`^dexsync_${metric} ${value}$`, 'm'));
    expect(await get('/healthz')).toMatchObject({ status: 200 });
    expect(await get('/readyz')).toMatchObject({ status: 200 });
    await project.write('manifests/broken.yaml', 'kind: [');
    expect(await watch.round()).toMatchObject({ result: 'failed' });
    expect(await get('/healthz')).toMatchObject({ status: 200 });
    const { status, text: body } = await get('/readyz');
    expect([status, JSON.parse(body)]).toMatchObject([
      503,
      { ok: false, round: { error: { code: 'MANIFESTS_INVALID' } } },
    ]);
    expect(await get('/metrics')).toMatchObject({
      text: expect.stringContaining('dexsync_watch_errors_total{code="MANIFESTS_INVALID",environment="remote"} 1'),
    });
    expect(await get('/nothing')).toMatchObject({ status: 404 });
    expect((await watch.stop()).code).toBe(0);
  });

  test('continues while the service is away, and catches up once it is back', async () => {
    const { project, workspace } = await stage();
    let isAway = true;
    const url = await startProxy(async (request, response) => {
      if (isAway) return void response.destroy();
      const { method = '', url: path = '', headers } = request;
      const answer = await passOn(workspace.url, method, path, headers, await buffer(request));
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const variables = { ...workspace.variables, TEST_URL: url };
    const watch = watching(project, ['--policy', 'all', ...EVERY_SECOND, '--timeout', '1'], variables);
    expect(await watch.round()).toMatchObject({ result: 'failed', error: { code: 'NETWORK' } });
    expect(await watch.round()).toMatchObject({ round: 2, result: 'failed' });
    isAway = false;
    expect(await watch.round(({ result }) => result !== 'failed')).toMatchObject({ result: 'applied' });
    expect(await watch.round()).toMatchObject({ result: 'unchanged' });
    expect((await watch.stop()).code).toBe(0);
  });

  test('ends between two requests when stopped in an apply, says 130, and leaves nothing double', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/groups.yaml': Array.from({ length: 30 }, (_, index) => group('one', `Group ${index}`)).join('---\n'),
    });
    let stop: () => void = () => undefined;
    let writes = 0;
    const url = await startProxy(async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      const answer = await passOn(workspace.url, method, path, headers, await buffer(request));
      if (method === 'POST' && path.includes('usergroups')) writes += 1;
      if (writes === 5) stop();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const variables = { ...workspace.variables, TEST_URL: url };
    const watch = watching(project, ['--policy', 'safe', ...RARELY], variables);
    const ended = new Promise<number | null>((done) => {
      stop = () => void watch.stop().then(({ code }) => done(code));
    });
    expect(await ended).toBe(130);
    const again = watching(project, ['--policy', 'safe', ...RARELY], variables);
    expect(await again.round()).toMatchObject({ result: 'applied' });
    expect((await again.stop()).code).toBe(0);
    const names = (await workspace.pages('/settings/usergroups')).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('Group ')).length).toBe(30);
  });
});

/** As Prometheus reads them. */
const METRICS: readonly (readonly [string, string])[] = [
  ['watch_rounds_total\\{result="held",environment="remote"\\}', '1'],
  ['watch_in_sync\\{environment="remote"\\}', '0'],
  ['watch_steps\\{action="create",environment="remote"\\}', '1'],
  ['watch_held_steps\\{environment="remote"\\}', '1'],
  ['watch_drifted_objects\\{environment="remote"\\}', '0'],
  ['watch_requests_total\\{environment="remote"\\}', '1'],
  ['watch_requests_remaining\\{environment="remote"\\}', '\\d+'],
  ['build_info\\{version="[\\d.]+",environment="remote"\\}', '1'],
  ['process_resident_memory_bytes\\{environment="remote"\\}', '\\d+'],
];

describe('watch --ref', () => {
  async function repository() {
    const { project, workspace } = await stage();
    const remote = await bareRepository();
    await git(project.folder, 'init', '--quiet', '--initial-branch=main');
    await project.write('.gitignore', '.dexsync/\n');
    await git(project.folder, 'remote', 'add', 'origin', remote);
    const commit = async (message: string): Promise<string> => {
      await git(project.folder, 'add', '-A');
      await git(project.folder, 'commit', '--quiet', '-m', message);
      await git(project.folder, 'push', '--quiet', 'origin', 'main');
      return (await git(project.folder, 'rev-parse', 'HEAD')).trim();
    };
    return { project, workspace, remote, commit };
  }

  test('follows pushed commits, not local edits, and keeps its ledger in the project', async () => {
    const { project, workspace, remote, commit } = await repository();
    const first = await commit('One');
    await project.write('manifests/group.yaml', group('edited, not committed'));
    const args = ['--policy', 'safe', ...RARELY, '--ref', 'origin/main', '--every', '1s'];
    const watch = watching(project, args, workspace.variables);
    expect(await watch.round()).toMatchObject({ result: 'applied' });
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'one' });
    expect(await watch.event('round')).toMatchObject({ commit: first });
    await project.write('manifests/group.yaml', group('two'));
    const second = await commit('Two');
    expect(await watch.round()).toMatchObject({ result: 'applied' });
    expect(await describedAs(workspace)).toMatchObject({ Quality: 'two' });
    expect(watch.lines).toContainEqual(
      expect.objectContaining({ event: { is: 'round', round: 2, because: 'change', commit: second } }),
    );
    await rename(remote, `${remote}-away`);
    atEnd(() => rm(`${remote}-away`, { recursive: true, force: true }));
    await expect
      .poll(() => watch.lines.filter((line) => line.type === 'diagnostic').map(({ diagnostic }) => diagnostic.code), {
        timeout: 20_000,
      })
      .toEqual(['ref-unreachable']);
    await rename(`${remote}-away`, remote);
    await project.write('manifests/group.yaml', group('three'));
    await commit('Three');
    expect(await watch.round()).toMatchObject({ result: 'applied' });
    expect((await watch.stop()).code).toBe(0);
    const history = await project.run(['history', '--json'], workspace.variables);
    expect(
      JSON.parse(history.out).applies.map(
        ({ apply }: { apply: { command: string; git: { commit: string } } }) => `${apply.command} ${apply.git.commit}`,
      ),
    ).toContain(`watch ${second}`);
    expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  });

  test('has a checkout that no other watch of the repository touches, and leaves none behind', async () => {
    const { project, workspace, commit } = await repository();
    await project.write('.gitmodules', '');
    await commit('One');
    const trees = (): Promise<string[]> => readdir(join(project.folder, '.dexsync/watch'));
    const args = [...RARELY, '--ref', 'main'];
    const killed = watchingProcess(project, args, workspace.variables);
    await killed.round();
    await killed.stop('SIGKILL');
    const problems = killed.lines.flatMap((line) => (line.type === 'diagnostic' ? [line.diagnostic.code] : []));
    expect(problems).toEqual(['submodules-left-out']);
    const pruning = watching(project, [...args, '--prune'], workspace.variables);
    expect(await pruning.round()).toMatchObject({ result: 'failed', error: { code: 'USAGE' } });
    await pruning.stop();
    const left = await trees();
    const [one, two] = [0, 1].map(() => watching(project, args, workspace.variables));
    await Promise.all([one?.round(), two?.round()]);
    expect(await trees()).toHaveLength(2);
    expect(await trees()).not.toContain(left[0]);
    await Promise.all([one?.stop(), two?.stop()]);
    expect(await trees()).toEqual([]);
    expect(await git(project.folder, 'worktree', 'list')).toMatch(/^[^\n]*\[main\]\n$/);
    expect(await git(project.folder, 'status', '--short')).toBe('');
  });

  test('asks git once more where it meets a half-created tree, to create a checkout and to remove it', async () => {
    const { project, workspace, commit } = await repository();
    await commit('One');
    const failing = `#!/bin/sh
for once in add remove; do
  case " $* " in *" worktree $once "*)
    if [ ! -e "${project.folder}/.dexsync/$once" ]; then
      touch "${project.folder}/.dexsync/$once"
      echo "fatal: failed to read .git/worktrees/other/commondir: Success" >&2
      exit 128
    fi;;
  esac
done
PATH="${process.env.PATH}"
exec git "$@"
`;
    await project.write('bin/git', failing);
    await chmod(join(project.folder, 'bin/git'), 0o755);
    const path = { PATH: `${project.folder}/bin:${process.env.PATH}` };
    const watch = watching(project, [...RARELY, '--ref', 'main'], { ...workspace.variables, ...path });
    expect(await watch.round()).toMatchObject({ result: 'held' });
    expect((await watch.stop()).code).toBe(0);
    expect((await readdir(join(project.folder, '.dexsync'))).filter((name) => /^(add|remove)$/.test(name))).toEqual([
      'add',
      'remove',
    ]);
    expect(await git(project.folder, 'worktree', 'list')).toMatch(/^[^\n]*\[main\]\n$/);
  });

  test.each([
    {
      name: 'a ref that is not there',
      args: ['--ref', 'origin/release'],
      says: /branch release of origin cannot be fetched/,
    },
    { name: 'a local ref that is not there', args: ['--ref', 'v9'], says: /no ref "v9"/ },
  ])('refuses $name', async ({ args, says }) => {
    const { project, workspace, commit } = await repository();
    await commit('One');
    const { code, err } = await project.run(['watch', ...args], workspace.variables);
    expect([code, err]).toEqual([1, expect.stringMatching(says)]);
  });

  test('refuses a folder without a repository', async () => {
    const { project, workspace } = await stage();
    const { code, err } = await project.run(['watch', '--ref', 'main'], workspace.variables);
    expect([code, err]).toEqual([1, expect.stringContaining('is not in a git repository.')]);
  });
});

describe('watch refuses to start', () => {
  test('in production without a consent; only looking needs none', async () => {
    const { project, workspace } = await stage();
    const config = await project.read('sync.config.yaml');
    await project.write(
      'sync.config.yaml',
      config.replace('url: "${env.TEST_URL}"', 'url: "${env.TEST_URL}", production: true'),
    );
    const refused = await project.run(['watch', '--policy', 'safe'], workspace.variables);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('Add `--yes`, which holds for every round'),
    ]);
    const watch = watching(project, ['--policy', 'safe', '--yes', ...RARELY], workspace.variables);
    expect(await watch.round()).toMatchObject({ result: 'applied' });
    expect((await watch.stop()).code).toBe(0);
  });

  test('on a port that another program uses', async () => {
    const { project, workspace } = await stage();
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    atEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, err } = await project.run(['watch', '--port', String(port)], workspace.variables);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(`Port ${port} of 127.0.0.1 cannot be used: another program uses it.`),
    ]);
  });

  test.each([
    { args: ['--policy', 'sure'], says: /Allowed choices are none, safe, all/ },
    { args: ['--interval', '5d'], says: /Give a time from 1s to 24h/ },
    { args: ['--interval', '0s'], says: /Give a time from 1s to 24h/ },
    { args: ['--port', '70000'], says: /whole number from 0 to 65535/ },
    { args: ['--env', 'nowhere'], says: /nowhere/ },
  ])('with $args', async ({ args, says }) => {
    const { project, workspace } = await stage();
    const { code, err } = await project.run(['watch', ...args], { ...workspace.variables, DEXSYNC_ENV: '' });
    expect([code, err]).toEqual([3, expect.stringMatching(says)]);
  });
});

test('the guide has every metric, and every metric exists', async () => {
  const { project, workspace } = await stage();
  const watch = watching(project, ['--policy', 'safe', ...RARELY, '--port', '0'], workspace.variables);
  const { url } = await watch.event('started');
  await watch.round();
  const text = await (await fetch(`${url}/metrics`)).text();
  expect((await watch.stop()).code).toBe(0);
  const served = new Set([...text.matchAll(/^# TYPE (dexsync_(?:watch|build)\w+)/gm)].map(([, name]) => name));
  const guide = readFileSync('examples/watch/README.md', 'utf8');
  expect(new Set(guide.match(/dexsync_(watch|build)\w+/g))).toEqual(served);
});

test('a watch that runs for long leaks nothing', async () => {
  const { project, workspace } = await stage();
  const stopping = new AbortController();
  let rounds = 0;
  const listeners: number[] = [];
  const host: Host = {
    ...{ cwd: project.folder, variables: environment(workspace.variables), version: '1', clock: () => new Date() },
    ...{ nonce: randomUUID, signal: stopping.signal, secrets: openSecrets(), findList },
    emit(event) {
      if (event.type !== 'watch' || event.event.is !== 'round-ended') return;
      expect(event.event.result).toBe(rounds === 0 ? 'applied' : 'unchanged');
      rounds += 1;
      listeners.push(getEventListeners(stopping.signal, 'abort').length);
      if (rounds === 12) stopping.abort();
    },
  };
  expect(await watch({ policy: 'safe', interval: 1, consent: 'none' }, host)).toBe(0);
  expect(rounds).toBe(12);
  expect(new Set(listeners.slice(2)).size).toBe(1);
});
