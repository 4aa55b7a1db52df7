import { describe, expect, test } from 'vitest';
import { openForge, type Runner } from '../../harness/forge.js';
import { git } from '../../harness/git.js';
import { newDatabase, noPostgres, sharedPostgres } from '../../harness/postgres.js';
import { IS_WHOLE } from '../../harness/sample.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { groups } from '../lease-project.js';

/** A ledger that machines share: what the configuration says, and the variables of the machines. */
interface Shared {
  readonly name: string;
  readonly config: string;
  variables(): Promise<Readonly<Record<string, string>>>;
}

const inGit: Shared = { name: 'git', config: 'ledger: { git: {} }', variables: async () => ({}) };

const server = noPostgres === undefined ? sharedPostgres() : undefined;
const inPostgres: Shared = {
  name: 'PostgreSQL',
  config: 'ledger: "${env.TEST_LEDGER}"',
  variables: async () => ({ TEST_LEDGER: server === undefined ? '' : await newDatabase(await server()) }),
};

const configWith = (ledger: string): string =>
  `stack: test\nmanifests: [manifests]\nenvironments:\n  remote: { url: "\${env.TEST_URL}" }\n${ledger}\n`;

const ok = async (runner: Runner, ...args: string[]): Promise<string> => {
  const { code, out, err } = await runner.run(...args);
  expect([code, err], out).toEqual([0, '']);
  return out;
};

const PLAN = 'ledger:release-12';

describe.each([inGit, ...(server === undefined ? [] : [inPostgres])])('reviews with a ledger in $name', (shared) => {
  // Each command is a program: `npm test` takes the slower of both places.
  const testHere = test.runIf(IS_WHOLE || shared === inGit);

  testHere('a plan is saved here, reviewed there, and applied elsewhere as soon as it is approved', async () => {
    const workspace = await testWorkspace();
    const forge = await openForge({ ...workspace.variables, ...(await shared.variables()) });
    await forge.push('main', {
      'sync.config.yaml': configWith(shared.config),
      '.gitignore': '.dexsync/\n',
      'manifests/groups.yaml': groups(1),
    });
    const [ann, bob, ci] = await Promise.all(
      ['ann', 'bob', 'ci'].map((name) => forge.clone('main', { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: name })),
    );
    if (ann === undefined || bob === undefined || ci === undefined) throw new Error('no clones');

    await ok(ann, 'plan', '--out', PLAN, '--reason', 'release 12');
    const requests = (await workspace.usage()).length;
    const rejected = await ok(bob, 'plan', 'review', PLAN, '--reject', '--reason', 'not today');
    expect(rejected).toContain(`Rejected by admin@example.com (bob): ${PLAN} (1 step, digest sha256:`);
    const refused = await ci.run('apply', PLAN, '--yes');
    expect([refused.code, refused.err.replace(/ on \S+ at \S+ UTC/, ' on DATE')]).toEqual([
      5,
      `Error: admin@example.com (bob) rejected ${PLAN} on DATE: "not today".\n` +
        `Change the manifests and save a new plan, or have the same person run \`dexsync plan review ${PLAN} --approve\`.\n` +
        '[PLAN_REJECTED, exit 5]\n',
    ]);
    await ok(bob, 'plan', 'review', PLAN, '--approve');
    expect((await workspace.usage()).length).toBe(requests);

    expect(await ok(ci, 'apply', PLAN, '--yes', '--approvals', '1')).toContain('✓ UserGroup/G0  created');
    const shown = await ok(ann, 'history', 'show', '1');
    expect(shown.replaceAll(/\d{4}-\S+ \S+ UTC/g, 'TIME')).toContain(
      `  Plan       ${PLAN}, saved by admin@example.com (ann), TIME: release 12\n` +
        '  Reviews    rejected by admin@example.com (bob), TIME: not today\n' +
        '             approved by admin@example.com (bob), TIME\n',
    );
    if (shared !== inGit) return;
    const log = await git(forge.remote, 'log', '--reverse', '--format=%s', 'dexsync-ledger');
    expect(log.split('\n').filter((line) => line.includes(': plan '))).toEqual(
      ['saved by A (ann)', 'rejected by A (bob)', 'approved by A (bob)', 'applied by A (ci)'].map((what) =>
        expect.stringMatching(
          `^remote: plan release-12 of stack test ${what.replace('A', 'admin@example.com').replaceAll(/[()]/g, '\\$&')} on `,
        ),
      ),
    );
  });
});
