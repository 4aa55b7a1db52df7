import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ECHOES, type Echo, echoingService } from '../harness/echoing-service.js';
import { bareRepository, git } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { IS_WHOLE } from '../harness/sample.js';
import { spellings } from '../harness/spellings.js';
import { machine } from '../harness/team-ledger.js';
import { testProject } from '../harness/test-project.js';
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
  pull: { args: ['pull', '--force'], reports: 'none' },
  promote: { args: ['promote', 'remote', 'local'] },
};

const CASES = Object.keys(OPERATIONS).flatMap((operation) =>
  Object.keys(ECHOES).flatMap((as) =>
    Array.from({ length: 40 }, (_, index) => ({ operation, as: as as Echo, at: index + 1 })),
  ),
);
/** Each operation and each way to repeat are among them. */
const FEW = Object.keys(OPERATIONS).flatMap((operation, index) => [
  { operation, as: Object.keys(ECHOES)[index % 5] as Echo, at: index + 1 },
  ...(index % 2 === 0 ? [{ operation, as: 'JSON errors' as const, at: 2 * index + 4 }] : []),
]);

describe('what a service repeats of passwords and sessions is in no byte that is written', () => {
  test.each(IS_WHOLE ? CASES : FEW)('$operation, request $at answered with $as', async ({ operation, as, at }) => {
    const { args, manifests = KEPT, reports } = OPERATIONS[operation] as (typeof OPERATIONS)[string];
    const { project, run, service, bytes } = await stage();
    await project.write('manifests/all.yaml', manifests);
    service.repeat(as, at);
    const json = at % 2 === 0 && operation !== 'pull' ? ['--json'] : [];
    const written = await run(...args, '--trace', ...json, ...(reports === 'none' ? [] : REPORTS));
    const shown = await run('history');
    const leaks = [...service.secrets].flatMap(spellings).filter((secret) => secret.length > 3);
    const all = `${written.out}${written.err}${shown.out}${shown.err}${await bytes()}`;
    expect(leaks.length).toBeGreaterThan(4);
    expect(leaks.filter((secret) => all.includes(secret))).toEqual([]);
    if (as === 'JSON errors' && service.requests() >= at) expect(written.out + written.err).toContain('[redacted]');
  });
});

/** An applied project with a ledger in git, before a service that repeats what it is sent when it is told to. */
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
  const run = (...args: string[]) =>
    project.run(args, { ...workspace.variables, TEST_URL: service.url, XDG_STATE_HOME });
  const { code, err } = await run('apply', '--yes');
  expect([code, err]).toEqual([0, '']);
  const bytes = async (): Promise<string> =>
    (
      await Promise.all([
        bytesUnder(project.folder),
        bytesUnder(XDG_STATE_HOME),
        git(remote, 'cat-file', '--batch-all-objects', '--batch'),
      ])
    ).join('\n');
  return { project, run, service, bytes };
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
