import { describe, expect, test } from 'vitest';
import { openForge, type Runner } from '../../harness/forge.js';
import { newDatabase, noPostgres, sharedPostgres } from '../../harness/postgres.js';
import { IS_WHOLE } from '../../harness/sample.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { group } from '../lease-project.js';

const server = noPostgres === undefined ? sharedPostgres() : undefined;
const POSTGRES = 'ledger: "${env.TEST_LEDGER}"';
const LEDGERS = ['ledger: { git: {} }', ...(IS_WHOLE && server !== undefined ? [POSTGRES] : [])];

const configWith = (ledger: string): string =>
  `stack: test\nmanifests: [manifests]\nenvironments:\n  remote: { url: "\${env.TEST_URL}" }\n${ledger}\n`;

/** One object that both changes touch, in lines that git merges. */
const both = (description: string, assignability: string): string =>
  ['apiVersion: dexsync/v1', 'kind: UserGroup', 'metadata: { name: Both }', 'spec:', `  description: ${description}`]
    .concat(['  # one', '  # two', '  # three', '  # four', `  assignability: ${assignability}`, ''])
    .join('\n');

/** Two changes that were planned before either was merged, and the machines of the pipelines of both merges. */
async function twoMerges(ledger: string) {
  const workspace = await testWorkspace();
  const database =
    ledger === POSTGRES && server !== undefined ? { TEST_LEDGER: await newDatabase(await server()) } : {};
  const forge = await openForge({ ...workspace.variables, ...database });
  await forge.push('main', {
    'sync.config.yaml': configWith(ledger),
    '.gitignore': '.dexsync/\n',
    'manifests/both.yaml': both('x', '[]'),
  });
  const base = await forge.clone('main');
  expect((await base.run('apply', '--yes')).code).toBe(0);
  const plan = async (branch: string, files: Readonly<Record<string, string>>): Promise<void> => {
    await forge.push(branch, files);
    const runner = await forge.clone(branch, { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: branch });
    expect(await runner.run('plan', '--out', `ledger:${branch}`)).toMatchObject({ code: 0 });
  };
  await plan('one', { 'manifests/both.yaml': both('y', '[]'), 'manifests/a.yaml': group('A') });
  await plan('two', { 'manifests/both.yaml': both('x', '[CHANGES]'), 'manifests/b.yaml': group('B') });
  const merged = async (branch: string): Promise<Runner> => {
    await forge.merge(branch);
    return forge.clone('main', { GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'ci' });
  };
  const jobs = { one: await merged('one'), two: await merged('two') };
  const live = async () => {
    const { body } = await workspace.call('GET', '/settings/usergroups?limit=100');
    const found = new Map(body.results.map((one: { name: string }) => [one.name, one]));
    const { description, assignability } = found.get('Both') as { description: string; assignability: string[] };
    return { description, assignability, groups: ['A', 'B'].filter((name) => found.has(name)) };
  };
  return { jobs, live };
}

const LIVE = { description: 'y', assignability: ['CHANGES'], groups: ['A', 'B'] };

const asReviewed = (runner: Runner, plan: string) => runner.run('apply', '--as-reviewed', plan, '--yes');

describe.each(LEDGERS)('two merges close together, with %s', { timeout: 240_000 }, (ledger) => {
  test.each<['one' | 'two', 'one' | 'two']>([['two', 'one'], ...(IS_WHOLE ? [['one', 'two'] as ['one', 'two']] : [])])(
    'the job of %s runs before that of %s: both plans are applied in order, and each job can run again',
    async (...order) => {
      const { jobs, live } = await twoMerges(ledger);
      for (const name of order) {
        const { code, out, err } = await asReviewed(jobs[name], `ledger:${name}`);
        expect([code, err], out).toEqual([0, '']);
        const isBefore = name === order[0] && name === 'two';
        expect(out.includes('ledger:one is applied first')).toBe(isBefore);
        expect(out.includes('ledger:one was already applied')).toBe(name === 'one' && order[0] === 'two');
      }
      expect(await live()).toEqual(LIVE);
      for (const name of order) {
        const { code, out } = await asReviewed(jobs[name], `ledger:${name}`);
        expect([code, out]).toEqual([0, expect.stringContaining(`ledger:${name} was already applied on `)]);
      }
      expect(await live()).toEqual(LIVE);
      const { applies } = JSON.parse((await jobs.one.run('history', '--json')).out);
      // Each has the name and the maker of its own plan, and nothing was applied twice.
      expect(applies.map(({ apply }: { apply: { savedPlan?: { name: string } } }) => apply.savedPlan?.name)).toEqual([
        ...['two', 'one'],
        undefined,
      ]);
      expect(
        applies.map(
          ({ apply }: { apply: { planned?: { provenance: { ci: { by: string } } } } }) =>
            apply.planned?.provenance.ci.by,
        ),
      ).toEqual(['two', 'one', undefined]);
    },
  );
});
