import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../../harness/manifest.js';
import { noPostgres } from '../../harness/postgres.js';
import { sample } from '../../harness/sample.js';
import { freshRunner, inGit, inPostgres, type TeamLedger } from '../../harness/team-ledger.js';
import { openTerminal } from '../../harness/terminal.js';
import { testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { groups } from '../lease-project.js';

const inFiles: TeamLedger = {
  name: 'files',
  async place(project) {
    await project.write(
      'sync.config.yaml',
      `${await project.read('sync.config.yaml')}ledger: { file: { folder: ledger } }\n`,
    );
    return {};
  },
};

const kept = manifest('UserGroup', 'Kept', { description: 'x' }, { protect: true });
const parts =
  itemsDefinition('Specs', { Part: 'number', Name: 'name' }) +
  manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } });

/** A project that was applied to a workspace, and the address that it has since. */
async function movedProject(ledger: TeamLedger) {
  const workspace = await testWorkspace();
  const address = (await alteringProxy(workspace.url, () => undefined)).replace('127.0.0.1', 'localhost');
  const project = await testProject({
    'manifests/all.yaml': groups(1) + parts,
    'manifests/kept.yaml': kept,
    'manifests/parts.csv': 'Part,Name\nM-1,One\n',
  });
  const old = { ...workspace.variables, TEST_URL: workspace.url, ...(await ledger.place(project)) };
  const now = { ...old, TEST_URL: address };
  expect((await project.run(['apply', '--yes'], old)).err).toBe('');
  const posts = async (): Promise<number> =>
    (await workspace.usage()).filter(({ method, path }) => method !== 'GET' && path !== '/login' && path !== '/logout')
      .length;
  return { workspace, project, old, now, posts, sent: await posts(), host: new URL(workspace.url).host, address };
}

const ledgers = [inFiles, ...sample([inGit, ...(noPostgres ? [] : [inPostgres()])], 1)];

test.each(ledgers)(
  'a ledger in $name continues by agreement, for every clone; the old one is closed',
  async (ledger) => {
    const { project, old, now, posts, sent, host, address } = await movedProject(ledger);
    const refused = await project.run(['apply', '--yes'], now);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining(`--moved-from ${host}`)]);
    const plan = await project.run(['plan', '--detailed-exitcode', '--moved-from', `http://${host}/v1`], now);
    expect([plan.code, plan.err]).toEqual([0, '']);
    const runner = await freshRunner(project);
    const clone = await runner.project.run(['plan', '--detailed-exitcode'], { ...now, ...runner.variables });
    expect([clone.code, clone.err]).toEqual([0, '']);
    const left = await project.run(['plan'], old);
    expect([left.code, left.err]).toEqual([
      1,
      expect.stringContaining(`moved to the address ${new URL(address).host}`),
    ]);
    expect(await posts()).toBe(sent);
  },
);

describe('a workspace whose address changed', () => {
  test('makes every command ask that needs its ledger; owned, protected and imported objects stay, and so does the history', async () => {
    const { project, now, host, posts, sent } = await movedProject(inFiles);
    const run = (...args: string[]) => project.run(args, now);
    for (const args of [['plan'], ['drift'], ['history'], ['forget', 'UserGroup/G0']]) {
      const { code, err } = await run(...args);
      expect([args, code, err]).toEqual([args, 3, expect.stringContaining(`--moved-from ${host}`)]);
    }
    expect((await run('get', 'groups', '-o', 'name')).code).toBe(0);
    expect((await run('plan', '--moved-from', 'https://other.example.com')).err).toContain(host);
    await rm(join(project.folder, 'manifests/kept.yaml'));
    await project.write('manifests/all.yaml', parts);
    const pruned = await run('apply', '--prune', '--yes', '--moved-from', `http://${host}`);
    expect([pruned.code, pruned.out]).toEqual([
      4,
      expect.stringMatching(/UserGroup\/Kept +blocked[\s\S]*UserGroup\/G0 +deleted/),
    ]);
    expect(await posts()).toBe(sent + 1);
    expect((await run('history')).out).toContain(`moved from the address ${host}`);
    expect((await run('ledger', 'check')).out).toContain('Every journal is as it was written.');
  });

  test('makes a command ask once at a terminal; only yes moves the ledger', async () => {
    const { project, now, host } = await movedProject(inFiles);
    const unsure = openTerminal(project, ['plan'], now);
    await unsure.shows(/Was it moved from there\?/);
    unsure.type('no\r');
    expect([await unsure.ended, unsure.text()]).toEqual([3, expect.stringContaining('`--moved-from none`')]);
    const sure = openTerminal(project, ['plan'], now);
    await sure.shows(/the ledger knows it at/);
    expect(sure.text()).toContain(host);
    sure.type('yes\r');
    expect([await sure.ended, sure.text()]).toEqual([0, expect.stringContaining('No changes.')]);
    const next = openTerminal(project, ['plan', '--detailed-exitcode'], now);
    expect([await next.ended, next.text()]).toEqual([0, expect.not.stringContaining('moved')]);
  });

  test('may get its old address again', async () => {
    const { project, old, now, host, address } = await movedProject(inFiles);
    const codes = [];
    for (const [variables, from] of [
      [now, host],
      [old, address],
      [now, host],
    ] as const) {
      codes.push((await project.run(['plan', '--detailed-exitcode', '--moved-from', from], variables)).code);
      codes.push((await project.run(['plan', '--detailed-exitcode'], variables)).code);
    }
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('may be another workspace with the same id: it is left alone, and not asked about again', async () => {
    const { project, old, now } = await movedProject(inFiles);
    const plan = await project.run(['plan', '--moved-from', 'none'], now);
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('This stack did not create it')]);
    expect((await project.run(['plan'], now)).code).toBe(0);
    expect((await project.run(['plan', '--detailed-exitcode'], old)).code).toBe(0);
  });
});

test('an address of another environment of the project does not count as left', async () => {
  const { project, old, now } = await movedProject(inFiles);
  const config = await project.read('sync.config.yaml');
  await project.write(
    'sync.config.yaml',
    config.replace('  remote:', '  first: { url: "${env.FIRST_URL}" }\n  remote:'),
  );
  const { code, out } = await project.run(['plan'], { ...now, FIRST_URL: old.TEST_URL });
  expect([code, out]).toEqual([0, expect.stringContaining('This stack did not create it')]);
});

test('another port of this machine asks nothing, since tunnels change it: a warning names the ledger until it is answered', async () => {
  const { workspace, project, old, host } = await movedProject(inFiles);
  const url = await alteringProxy(workspace.url, () => undefined);
  const now = { ...old, TEST_URL: url };
  const plan = await project.run(['plan'], now);
  expect([plan.code, plan.err]).toEqual([0, '']);
  expect(plan.out).toContain('warning  address-changed');
  expect(plan.out).toContain(`It knows a workspace with this id at ${host}, to which this stack was applied.`);
  const moved = await project.run(['plan', '--detailed-exitcode', '--moved-from', host], now);
  expect([moved.code, moved.err]).toEqual([0, '']);
  expect((await project.run(['plan'], now)).out).not.toContain('address-changed');
});

test('a takeover that was killed at any journal resumes on request', async () => {
  const { project, now, host } = await movedProject(inFiles);
  await project.run(['apply', '--yes', '--reason', 'again'], { ...now, TEST_URL: `http://${host}` });
  const root = join(project.folder, 'ledger');
  const [old = ''] = await readdir(root);
  const journals = (await readdir(join(root, old))).filter((name) => name.endsWith('.jsonl'));
  const half = join(root, old.replace(host.replace(':', '_'), new URL(now.TEST_URL).host.replace(':', '_')));
  await cp(join(root, old, journals[0] ?? ''), join(half, journals[0] ?? ''));
  expect((await project.run(['plan'], now)).err).toContain(`--moved-from ${host}`);
  const { code, err } = await project.run(['plan', '--detailed-exitcode', '--moved-from', host], now);
  expect([code, err]).toEqual([0, '']);
});
