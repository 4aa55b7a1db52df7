import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ECHOES, type Echo, echoingService } from '../harness/echoing-service.js';
import { bareRepository, git } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { IS_WHOLE } from '../harness/sample.js';
import { spellings } from '../harness/spellings.js';
import { machine } from '../harness/team-ledger.js';
import { testProject, type Variables } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const PASSWORD = 'p&ss "w<o>rd/+%ü_*';

const KEPT =
  itemsDefinition('Parts') +
  manifest('UserGroup', 'Reviewers', { description: 'a' }) +
  manifest('UserGroup', 'Buyers', { description: 'a' });
const CHANGED = KEPT.replace('"description":"a"', '"description":"b"') + manifest('UserGroup', 'Added');
const IMPORT = manifest('Import', 'All', { definition: 'Parts', source: { file: '../parts.csv' }, commit: 'always' });

const REPORTS = ['md', 'html', 'junit', 'sarif', 'github', 'gitlab'].flatMap((format) => [
  '--output',
  `${format}=report.${format}`,
]);

/** Commands, and the manifests that they find. */
const OPERATIONS: Readonly<Record<string, { args: readonly string[]; manifests?: string; reports?: 'none' }>> = {
  plan: { args: ['plan', '--out', 'plan.json'], manifests: CHANGED },
  apply: { args: ['apply', '--yes'], manifests: CHANGED },
  'an import': { args: ['apply', '--yes'], manifests: KEPT + IMPORT },
  drift: { args: ['drift'] },
  pull: { args: ['pull'], reports: 'none' },
  promote: { args: ['promote', 'remote', 'local'] },
};

interface Case {
  readonly operation: string;
  readonly as: Echo;
  /** Which request, counted from 1. */
  readonly at: number | 'each';
}

const ALL = Object.keys(OPERATIONS).flatMap((operation) =>
  Object.keys(ECHOES).map((as): Case => ({ operation, as: as as Echo, at: 'each' })),
);
/** Each operation and each way to repeat are among them. */
const FEW = Object.keys(OPERATIONS).map(
  (operation, index): Case => ({ operation, as: Object.keys(ECHOES)[index % 5] as Echo, at: index + 1 }),
);

describe('no written byte repeats a password or session that the service echoes', () => {
  test.each(IS_WHOLE ? ALL : FEW)('$operation, request $at answered with $as', async ({ at, ...echoed }) => {
    let next = at === 'each' ? 1 : at;
    let requests = 0;
    do {
      requests = await repeat({ ...echoed, at: next });
      next += 1;
    } while (at === 'each' && requests >= next - 1);
  });
});

/** Runs one operation while one of its requests is answered so. Gives how many it sent. */
async function repeat({ operation, as, at }: Case & { readonly at: number }): Promise<number> {
  const { args, manifests = KEPT, reports } = OPERATIONS[operation] as (typeof OPERATIONS)[string];
  const { project, run, service, bytes } = await stage();
  await project.write('manifests/all.yaml', manifests);
  service.repeat(as, at);
  const json = at % 2 === 0 && reports !== 'none' ? ['--json'] : [];
  const written = await run({}, ...args, '--trace', ...json, ...(reports === 'none' ? [] : REPORTS));
  const requests = service.requests();
  const shown = await run({}, 'history');
  // Messages are cut, and so would a secret be.
  const secrets = [...service.secrets]
    .flatMap(spellings)
    .flatMap((one) => (one.length < 30 ? [one] : [one, one.slice(6, 24)]));
  const all = `${written.out}${written.err}${shown.out}${shown.err}${await bytes()}`;
  expect(secrets.length).toBeGreaterThan(4);
  expect([at, secrets.filter((secret) => all.includes(secret))]).toEqual([at, []]);
  if (as === 'JSON errors' && requests >= at) expect(written.out + written.err).toContain('[redacted]');
  return requests;
}

describe('a record with a secret is refused before anything is written', () => {
  test.each(['a variable', 'a command'])('a reason with the password, which comes from %s', async (from) => {
    const { project, run, bytes, workspace } = await stage();
    if (from === 'a command') {
      const config = await project.read('sync.config.yaml');
      const printed = `echo ${Buffer.from(PASSWORD).toString('base64')} | base64 -d`;
      const command = `credentials: { passwordCommand: "${printed}" }`;
      await project.write('sync.config.yaml', config.replace('TEST_URL}"', `TEST_URL}", ${command}`));
    }
    await project.write('manifests/all.yaml', CHANGED);
    const before = await workspace.usage();
    const { DEXSYNC_REMOTE_PASSWORD: _, ...without } = workspace.variables;
    const given = from === 'a command' ? without : workspace.variables;
    const { code, err } = await run({ variables: given }, 'apply', '--yes', '--reason', `it is ${PASSWORD}`);
    expect([code, err]).toEqual([4, expect.stringContaining('The lock would contain a password')]);
    expect(await bytes()).not.toContain(PASSWORD);
    expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual(
      before.filter(({ method }) => method !== 'GET'),
    );
  });

  test.each([
    { args: ['apply', '--yes'], where: 'The journal' },
    { args: ['plan', '--out', 'plan.json'], where: 'The saved plan' },
    { args: ['plan', '--out', 'ledger:next'], where: 'The saved plan' },
  ])('a manifest with the password: $args', async ({ args, where }) => {
    const { project, run, workspace, bytes } = await stage();
    await project.write('manifests/all.yaml', manifest('UserGroup', 'Buyers', { description: `as ${PASSWORD}` }));
    const before = await bytes();
    const { code, err } = await run({}, ...args);
    expect(code).toBe(4);
    expect(err).toContain(`${where} would contain a password, token or key of dexsync in`);
    expect(err).toContain('of UserGroup/Buyers.');
    expect((await workspace.call('GET', '/settings/usergroups')).body.results).toContainEqual(
      expect.objectContaining({ name: 'Buyers', description: 'a' }),
    );
    const [count, now] = [before, await bytes()].map(
      (text) => text.split(JSON.stringify(PASSWORD).slice(1, -1)).length,
    );
    expect(now).toBe(count);
  });

  test('a live object with the password is not pulled', async () => {
    const { project, run, workspace } = await stage();
    const { results } = (await workspace.call('GET', '/settings/usergroups')).body;
    const { guid } = results.find(({ name }: { name: string }) => name === 'Buyers');
    await workspace.administer('PUT', `/settings/usergroups/${guid}`, {
      name: 'Buyers',
      description: `as ${PASSWORD}`,
    });
    const { code, err } = await run({}, 'pull');
    expect([code, err]).toEqual([4, expect.stringContaining('manifests/all.yaml would contain a password')]);
    expect(await project.read('manifests/all.yaml')).toBe(KEPT);
  });
});

test('the ready line of an embedded workspace still has its password', async () => {
  const project = await testProject();
  const child = project.start(['workspace', 'serve', `--password=${PASSWORD}`], { DEXSYNC_TEST_PASSWORD: PASSWORD });
  const [line] = await once(createInterface({ input: child.stdout as Readable }), 'line');
  child.kill('SIGTERM');
  expect(JSON.parse(line)).toMatchObject({ password: PASSWORD });
});

/** An applied project with a ledger in git, before a service that repeats requests in its answers on demand. */
async function stage() {
  const workspace = await testWorkspace([`--password=${PASSWORD}`]);
  const remote = await bareRepository();
  const project = await testProject({ 'manifests/all.yaml': KEPT, 'parts.csv': 'Part,Name\nA-1,one\nA-2,\n' });
  await project.write(
    'sync.config.yaml',
    `${await project.read('sync.config.yaml')}ledger: { git: { remote: "${remote}" } }\n`,
  );
  const service = await echoingService(workspace.url);
  const { XDG_STATE_HOME = '' } = machine();
  const run = ({ variables = workspace.variables }: { variables?: Variables }, ...args: string[]) =>
    project.run(args, { ...variables, TEST_URL: service.url, XDG_STATE_HOME });
  const { code, err } = await run({}, 'apply', '--yes');
  expect([code, err]).toEqual([0, '']);
  const bytes = async (): Promise<string> =>
    (
      await Promise.all([
        bytesUnder(project.folder),
        bytesUnder(XDG_STATE_HOME),
        git(remote, 'cat-file', '--batch-all-objects', '--batch'),
      ])
    ).join('\n');
  return { project, workspace, run, service, bytes };
}

/** All names and contents. */
async function bytesUnder(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  const read = found.map(async (name) => {
    const path = join(folder, name);
    return (await stat(path)).isFile() ? `${name}\n${await readFile(path, 'utf8')}` : name;
  });
  return (await Promise.all(read)).join('\n');
}
