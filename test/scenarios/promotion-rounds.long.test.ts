import { cp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { variablesOf } from '../harness/environment-pair.js';
import { bareRepository, git } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { inGit, machine } from '../harness/team-ledger.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const CONFIG = `stack: test
manifests: [manifests]
environments:
  dev: { url: "\${env.DEV_URL}" }
  test: { url: "\${env.TEST_URL}" }
  prod: { url: "\${env.PROD_URL}", overlay: overlays/prod, guards: { deletes: { percent: 100 }, replacements: { percent: 100 } } }
promotion: [dev, test, prod]
`;

/** What is on dev: groups by name, and the columns and the mode of the definition. */
interface Desired {
  readonly groups: Readonly<Record<string, object>>;
  readonly renamed?: Readonly<Record<string, string>>;
  readonly mode?: string;
}

const textOf = ({ groups, renamed = {}, mode }: Desired): string =>
  Object.entries(groups)
    .map(([name, spec]) => manifest('UserGroup', name, spec, name in renamed ? { renamedFrom: renamed[name] } : {}))
    .concat(itemsDefinition('Parts', { Part: 'number', Name: 'name' }, mode))
    .join('');

const GROUPS = '/settings/usergroups';

/** Reads and changes one workspace as people do at the service. */
function peopleAt(workspace: TestWorkspace) {
  const groups = () => workspace.pages(GROUPS);
  const pathOf = async (name: string) => `${GROUPS}/${(await groups()).find((one) => one.name === name)?.guid}`;
  return {
    descriptions: async () =>
      Object.fromEntries(
        (await groups())
          .filter(({ name }) => name !== 'Everyone')
          .map(({ name, description }) => [name, description ?? '']),
      ),
    members: async (name: string) =>
      (await workspace.pages(`${await pathOf(name)}/users`)).map(({ email }) => email.split('@')[0]).sort(),
    describe: async (name: string, description: string) => {
      const { status } = await workspace.call('PUT', await pathOf(name), { name, description });
      expect(status).toBe(200);
    },
    addMember: async (name: string, user: string) => {
      const { guid } = (await workspace.pages('/settings/users')).find(({ email }) => email.startsWith(`${user}@`));
      expect((await workspace.call('POST', `${await pathOf(name)}/users`, { guid })).status).toBeLessThan(300);
    },
  };
}

/** Two people with a clone each, three workspaces, and a ledger in git; every command is a process of its own. */
async function team(dialects: readonly [string, string, string]) {
  const [dev, middle, prod] = await Promise.all([
    testWorkspace([], dialects[0]),
    testWorkspace([], dialects[1]),
    testWorkspace([], dialects[2]),
  ]);
  const [anns, remote] = [await testProject({ 'sync.config.yaml': CONFIG }), await bareRepository()];
  await inGit.place(anns);
  await anns.write('.gitignore', '.dexsync/\nplan.json\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['remote', 'add', 'origin', remote],
  ])
    await git(anns.folder, ...args);
  const commit = async (text: string): Promise<void> => {
    await git(anns.folder, 'add', '-A');
    await git(anns.folder, 'commit', '-qm', text, '--allow-empty');
    await git(anns.folder, 'push', '-q', 'origin', 'main');
  };
  await commit('begins');
  const bobs = await testProject();
  await cp(anns.folder, bobs.folder, { recursive: true, filter: (path) => !path.endsWith('.dexsync') });
  const services = { ...variablesOf('DEV', dev), ...variablesOf('TEST', middle), ...variablesOf('PROD', prod) };
  const as = (project: TestProject, own: Record<string, string>) => {
    const variables = { ...services, ...machine(), ...own };
    const run = (...args: string[]) => finished(project.start(args, variables));
    const end = async (code: number, ...args: string[]) => {
      const ended = await run(...args);
      expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.err}`).toBe(code);
      return `${ended.out}${ended.err}`;
    };
    return { run, end, must: (...args: string[]) => end(0, ...args) };
  };
  const ann = as(anns, {});
  const bob = as(bobs, { CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob' });
  return {
    ...{ ann, bob, anns, commit, dev: peopleAt(dev), prod: peopleAt(prod), service: { dev, middle, prod } },
    /** Ann changes dev and releases it; Bob pulls. */
    async release(text: string, desired: Desired, ...args: string[]) {
      await anns.write('manifests/all.yaml', textOf(desired));
      await commit(text);
      await ann.must(
        'apply',
        '--env',
        'dev',
        '--yes',
        '--prune',
        '--allow',
        'deletes',
        '--allow',
        'replacements',
        ...args,
      );
      await git(bobs.folder, 'pull', '-q', 'origin', 'main');
      return ann.must('release', 'create', 'dev', '--note', text);
    },
    /** Ann saves a plan in the ledger, and Bob applies it from there. */
    async promote(environment: string, name: string, ...args: string[]) {
      const planned = await ann.must('promote', '--to', environment, '--out', `ledger:${name}`, ...args);
      await bob.must('apply', `ledger:${name}`, '--env', environment, '--yes');
      return planned;
    },
  };
}

type Team = Awaited<ReturnType<typeof team>>;

/** What was promoted is there: the same release again plans nothing. */
const isThere = async ({ ann }: Team, release: string, environment: string, ...args: string[]): Promise<void> => {
  await ann.must('promote', '--release', release, '--to', environment, '--detailed-exitcode', ...args);
};

test.each([
  ['reference', 'reference', 'reference'],
  ['reference', 'arena', 'arena'],
] as const)(
  'ten rounds of a team along a chain of %s, %s and %s lose nothing',
  async (...dialects) => {
    const one = await team(dialects);
    const { ann, bob, anns, commit, release, promote, dev, prod, service } = one;
    const both = async (name: string, ...args: string[]) => {
      await promote('test', `${name}-test`, ...args);
      return promote('prod', `${name}-prod`, ...args);
    };
    const quality = (description: string, ...members: string[]) => ({
      description,
      members: members.map((name) => `${name}@example.com`),
    });

    // 1: everything is new; the overlay says more for prod.
    await anns.write('overlays/prod/board.yaml', manifest('UserGroup', 'Board', { description: 'Board of prod' }));
    const first: Desired = {
      groups: { Quality: quality('First', 'ann'), Board: { description: 'Board' }, Temporary: { description: 'T' } },
    };
    await release('first', first);
    await both('r1');
    expect(await prod.descriptions()).toEqual({ Quality: 'First', Board: 'Board of prod', Temporary: 'T' });

    // 2: a hotfix on prod survives, and goes back to dev.
    await prod.addMember('Quality', 'ben');
    await release('second', { groups: { ...first.groups, Board: { description: 'Board 2' } } });
    expect(await both('r2')).toContain(
      'Changed here since the last promotion, and kept:\n  UserGroup/Quality: members[ben@example.com]',
    );
    expect(await prod.members('Quality')).toEqual(['ann', 'ben']);
    await ann.must('promote', '--from', 'prod', '--to', 'dev', '--only', 'UserGroup/Quality', '--out', 'plan.json');
    await ann.must('apply', 'plan.json', '--yes');
    expect(await dev.members('Quality')).toEqual(['ann', 'ben']);

    // 3: both changed one field; a person decides.
    await prod.describe('Quality', 'Hotfix');
    const third: Desired = {
      groups: {
        Quality: quality('Third', 'ann', 'ben'),
        Board: { description: 'Board 2' },
        Temporary: { description: 'T' },
      },
    };
    await release('third', third);
    await promote('test', 'r3-test');
    expect(await ann.end(4, 'promote', '--to', 'prod')).toContain("--take release 'UserGroup/Quality#description'");
    await promote('prod', 'r3-prod', '--take', 'target', 'UserGroup/Quality#description');
    expect((await prod.descriptions()).Quality).toBe('Hotfix');
    await isThere(one, 'r3', 'prod');

    // 4: a rename at the source, and the overlay is removed.
    await anns.write('overlays/prod/board.yaml', '');
    const fourth: Desired = {
      groups: {
        Quality: quality('Third', 'ann', 'ben'),
        'Review board': { description: 'Board 4' },
        Temporary: { description: 'T' },
      },
      renamed: { 'Review board': 'Board' },
    };
    await release('fourth', fourth);
    expect(await both('r4')).toContain('> UserGroup/Review board  rename');
    expect(await prod.descriptions()).toEqual({ Quality: 'Hotfix', 'Review board': 'Board 4', Temporary: 'T' });

    // 5: something is gone at the source: it stays until it is pruned.
    const { Temporary: _, ...kept } = fourth.groups;
    await release('fifth', { groups: kept });
    expect(await both('r5')).toContain('1 object of this stack is no longer in dev/r5: UserGroup/Temporary.');
    expect(Object.keys(await prod.descriptions())).toContain('Temporary');
    await both('r5-again', '--release', 'r5', '--prune');
    expect(Object.keys(await prod.descriptions()).sort()).toEqual(['Quality', 'Review board']);

    // 6: a definition has to be replaced, beside the hotfix.
    await release('sixth', { groups: kept, mode: 'CREATE' });
    await both('r6');
    expect((await prod.descriptions()).Quality).toBe('Hotfix');
    await isThere(one, 'r6', 'prod');

    // 7: an object that prod cannot have is left out, and the rest goes.
    const { body: user } = await service.dev.administer('POST', '/embedded/users', {
      email: 'dan@example.com',
      fullName: 'Dan Dev',
    });
    expect(user).toMatchObject({ email: 'dan@example.com' });
    const seventh = { ...kept, Developers: quality('Only dev', 'dan'), 'Review board': { description: 'Board 7' } };
    await release('seventh', { groups: seventh, mode: 'CREATE' });
    expect(await ann.end(3, 'promote', '--to', 'test')).toContain('dan@example.com');
    await promote('test', 'r7-test', '--exclude', 'UserGroup/Developers');
    expect(await bob.must('promote', '--to', 'prod')).toContain(
      'dev/r7 does not go to environment "prod" yet: gate "applied": Only a part of it was applied',
    );

    // 8: a failure in the middle; what is left is applied later.
    await release('eighth', {
      groups: {
        Quality: quality('Eighth', 'ann', 'ben'),
        'Review board': { description: 'Board 8' },
        Audit: { description: 'A' },
      },
      mode: 'CREATE',
    });
    await promote('test', 'r8-test');
    await ann.must('promote', '--to', 'prod', '--out', 'ledger:r8', '--take', 'release', 'UserGroup/Quality');
    await service.prod.arm([{ method: 'PUT', path: `${GROUPS}/*`, do: 'status', status: 500, nth: 1, times: 9 }]);
    expect((await bob.run('apply', 'ledger:r8', '--env', 'prod', '--yes')).code).toBe(4);
    await service.prod.arm([]);
    expect(await bob.must('status', 'prod')).toMatch(/prod +dev\/r8 \(\d of \d\)/);
    await promote('prod', 'r8-again', '--release', 'r8', '--take', 'release', 'UserGroup/Quality');
    expect(await prod.descriptions()).toEqual({ Quality: 'Eighth', 'Review board': 'Board 8', Audit: 'A' });
    await isThere(one, 'r8', 'prod');

    // 9: back, and what was left is not taken again by itself.
    await promote('prod', 'r5-back', '--release', 'r5');
    expect(await prod.descriptions()).toMatchObject({ 'Review board': 'Board 4', Quality: 'Third' });
    expect(await bob.must('promote', '--to', 'prod')).toContain('went back from dev/r8 to r5');

    // 10: a newer one goes over it.
    await release('tenth', {
      groups: {
        Quality: quality('Tenth', 'ann', 'ben'),
        'Review board': { description: 'Board 10' },
        Audit: { description: 'A' },
      },
      mode: 'CREATE',
    });
    await both('r9');
    expect(await prod.descriptions()).toEqual({ Quality: 'Tenth', 'Review board': 'Board 10', Audit: 'A' });
    await commit('the end');
    await bob.must('diff', 'dev', 'prod', 'UserGroup', 'ImportDefinition');
    await bob.must('ledger', 'check', '--env', 'prod');
    await isThere(one, 'r9', 'prod');
  },
  1_800_000,
);
