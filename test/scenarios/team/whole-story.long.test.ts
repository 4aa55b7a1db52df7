import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variablesOf } from '../../harness/environment-pair.js';
import { type Forge, openForge, type Runner } from '../../harness/forge.js';
import { git } from '../../harness/git.js';
import { sample } from '../../harness/sample.js';
import { type TestWorkspace, testWorkspace } from '../../harness/test-workspace.js';

const CONFIG = `stack: plm
manifests: [manifests]
ledger: { git: { branch: dexsync-ledger } }
environments:
  dev: { url: "\${env.DEV_URL}" }
  prod: { url: "\${env.PROD_URL}", overlay: overlays/prod }
`;

/** What prod has otherwise than the objects of dev. */
const OVERLAY = `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Approvers }
spec: { members: [ben@example.com] }
`;

const NIGHTLY = `Part,Name,RoHS
N-1,One,Compliant
N-2,Two,Bad
N-3,Three,Worse
N-4,Four,Exempt
N-5,Five,Worst
`;

/**
 * What people made in dev before anybody described it: a group, and a definition that maps a custom attribute, by what the
 * dialect calls it (wire-facts, section 0).
 */
async function livedIn({ call, administer }: TestWorkspace, dialect: string): Promise<void> {
  const attributes = (await call('GET', '/settings/items/attributes')).body.results;
  const rohs = attributes.find(({ name }: { name: string }) => name === 'RoHS Status');
  const [user] = (await call('GET', '/settings/users')).body.results;
  const made = async (path: string, body: object): Promise<{ guid: string }> => {
    const answer = await administer('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const group = await made('/settings/usergroups', { name: 'Approvers', description: 'Say yes' });
  await made(`/settings/usergroups/${group.guid}/users`, { guid: user.guid });
  const mapping = [
    { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part No' },
    { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
    { resource: 'ITEM_SPECS', apiName: dialect === 'arena' ? rohs.name : rohs.guid, sourceName: 'RoHS' },
  ];
  await made('/imports', { name: 'ERP items', resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: { mapping } });
}

/** Two workspaces of one dialect, and a forge whose pipelines reach both. */
async function company(dialect: string): Promise<{ dev: TestWorkspace; prod: TestWorkspace; forge: Forge }> {
  const [dev, prod] = [await testWorkspace([], dialect), await testWorkspace([], dialect)];
  const forge = await openForge({ ...variablesOf('DEV', dev), ...variablesOf('PROD', prod) });
  const files = { 'sync.config.yaml': CONFIG, '.gitignore': '.dexsync/\n*plan.json\n', 'manifests/.gitkeep': '' };
  await forge.push('main', { ...files, 'overlays/prod/groups.yaml': OVERLAY });
  return { dev, prod, forge };
}

const ending = async (code: number, runner: Runner, ...args: string[]): Promise<string> => {
  const { code: ended, out, err } = await runner.run(...args);
  expect(ended, `${args.join(' ')}\n${out}${err}`).toBe(code);
  return out + err;
};

const writes = async ({ usage }: TestWorkspace): Promise<number> =>
  (await usage()).filter(({ method }) => method !== 'GET').length;

test.each(sample(['reference', 'arena'], 1))(
  'a manually kept workspace becomes two environments as code, in the dialect %s',
  {
    timeout: 240_000,
  },
  async (dialect) => {
    const { dev, prod, forge } = await company(dialect);
    await livedIn(dev, dialect);

    // What there is becomes a repository.
    const desk = await forge.clone('main');
    expect(await ending(0, desk, 'pull', '--env', 'dev', '--adopt')).toContain('manifests/import-definitions.yaml');
    expect(await ending(0, desk, 'plan', '--env', 'dev', '--detailed-exitcode')).toContain('No changes.');
    await git(desk.folder, 'add', '--all');
    await git(desk.folder, 'commit', '--quiet', '-m', 'What dev has');
    await git(desk.folder, 'push', '--quiet', 'origin', 'main');

    // A mapping and a group change on a branch, and the plan is reviewed there.
    await git(desk.folder, 'checkout', '--quiet', '-b', 'change');
    await replaceIn(desk, 'Part No', 'Part');
    await replaceIn(desk, 'Say yes', 'Say yes or no');
    await git(desk.folder, 'commit', '--quiet', '--all', '-m', 'The new export of the ERP');
    await git(desk.folder, 'push', '--quiet', 'origin', 'change');
    const reviewer = await forge.clone('change');
    const pages = ['--output', 'md=plan.md', '--output', 'html=plan.html'];
    await ending(0, reviewer, 'plan', '--env', 'dev', '--out', 'plan.json', ...pages);
    for (const file of ['plan.md', 'plan.html']) {
      const text = await readFile(join(reviewer.folder, file), 'utf8');
      expect(text).toContain('ERP items');
      expect(text).toContain('Approvers');
    }
    const before = await writes(dev);
    await desk.run('plan', '--env', 'dev');
    expect(await writes(dev)).toBe(before);

    // It is merged, and exactly that plan is applied.
    await git(desk.folder, 'fetch', '--quiet', '--unshallow', 'origin').catch(() => undefined);
    await git(desk.folder, 'checkout', '--quiet', 'main');
    await git(desk.folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge change', 'change');
    await git(desk.folder, 'push', '--quiet', 'origin', 'main');
    const pipeline = await forge.clone('main');
    await copyFile(join(reviewer.folder, 'plan.json'), join(pipeline.folder, 'plan.json'));
    await ending(0, pipeline, 'apply', 'plan.json', '--env', 'dev', '--yes');
    expect(await ending(0, pipeline, 'plan', '--env', 'dev', '--detailed-exitcode')).toContain('No changes.');

    // What dev has goes to prod, with what the overlay says of it; a group that every workspace has is adopted there.
    const promoted = await ending(
      0,
      pipeline,
      'promote',
      '--from',
      'dev',
      '--to',
      'prod',
      '--adopt',
      '--out',
      'prod-plan.json',
    );
    expect(promoted).toContain('members[ben@example.com]');
    expect(promoted).not.toContain('ann@example.com');
    await ending(0, pipeline, 'apply', 'prod-plan.json', '--env', 'prod', '--yes');
    expect(await ending(0, pipeline, 'plan', '--env', 'prod', '--detailed-exitcode')).toContain('No changes.');
    const differing = await ending(
      2,
      pipeline,
      'diff',
      '--from',
      'dev',
      '--to',
      'prod',
      'UserGroup/Approvers',
      'ImportDefinition/ERP items',
    );
    expect(differing).toContain('- members[ben@example.com]');
    expect(differing).not.toContain('~ ImportDefinition/ERP items');

    // The nightly import fails for three rows, which are corrected and sent again.
    const nightly = join(pipeline.folder, 'nightly.csv');
    await writeFile(nightly, NIGHTLY);
    const importing = ['import', 'nightly.csv', '--definition', 'ERP items', '--commit', 'always', '--env', 'prod'];
    const failed = await ending(8, pipeline, ...importing);
    expect(failed).toContain('2 committed, 3 failed');
    const file = /\S+failed\.csv/.exec(failed)?.[0] ?? '';
    const rows = await readFile(join(pipeline.folder, file), 'utf8');
    await writeFile(join(pipeline.folder, file), rows.replaceAll(/\b(Bad|Worse|Worst)\b/g, 'Exempt'));
    const [, run = ''] = /dexsync import retry (\S+)/.exec(failed) ?? [];
    expect(await ending(0, pipeline, 'import', 'retry', run, '--env', 'prod', '--yes')).toContain(
      '3 committed, 0 failed',
    );
    const numbers = (await prod.pages('/items')).map(({ number }) => number);
    expect(numbers.filter((number: string) => number.startsWith('N-')).sort()).toEqual([
      'N-1',
      'N-2',
      'N-3',
      'N-4',
      'N-5',
    ]);

    // Somebody changes prod manually: the drift says who and when, and an apply puts it back.
    const [group] = (await prod.pages('/settings/usergroups')).filter(({ name }) => name === 'Approvers');
    const changed = await prod.call('PUT', `/settings/usergroups/${group.guid}`, {
      name: 'Approvers',
      description: 'Me',
    });
    expect(changed.status).toBeLessThan(300);
    const drifted = await ending(2, pipeline, 'drift', '--env', 'prod');
    expect(drifted).toContain('UserGroup/Approvers');
    expect(drifted).toMatch(/cleo/i);
    expect(drifted).toContain(new Date().toISOString().slice(0, 10));
    await ending(0, pipeline, 'apply', '--env', 'prod', '--yes');
    await ending(0, pipeline, 'drift', '--env', 'prod');

    // Both clones see it in the history, and neither plan can be applied again from another clone.
    const other = await forge.clone('main');
    for (const plan of ['plan.json', 'prod-plan.json'])
      await copyFile(join(plan === 'plan.json' ? reviewer.folder : pipeline.folder, plan), join(other.folder, plan));
    const devWrites = await writes(dev);
    const prodWrites = await writes(prod);
    expect(await ending(5, other, 'apply', 'plan.json', '--env', 'dev', '--yes')).toContain('was applied');
    expect(await ending(5, other, 'apply', 'prod-plan.json', '--env', 'prod', '--yes')).toContain(
      'Run `dexsync promote --from dev --to prod --out prod-plan.json` again',
    );
    expect([await writes(dev), await writes(prod)]).toEqual([devWrites, prodWrites]);
    const history = async (env: string): Promise<string[]> =>
      JSON.parse(await ending(0, other, 'history', '--env', env, '--json')).applies.map(
        ({ apply }: { apply: { arguments: string[] } }) => apply.arguments.slice(0, 2).join(' '),
      );
    expect(await history('dev')).toEqual(['apply plan.json', 'pull --env']);
    expect(await history('prod')).toEqual([
      'apply --env',
      'import retry',
      'import nightly.csv',
      'apply prod-plan.json',
    ]);
  },
);

/** Changes a text in the one manifest that has it. */
async function replaceIn({ folder }: Runner, from: string, to: string): Promise<void> {
  const found = (await git(folder, 'grep', '-l', '--fixed-strings', from, '--', 'manifests')).trim().split('\n');
  expect(found).toHaveLength(1);
  const file = join(folder, found[0] ?? '');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to));
}
