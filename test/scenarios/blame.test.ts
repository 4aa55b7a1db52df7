import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { git } from '../harness/git.js';
import { manifest } from '../harness/manifest.js';

const group = (name: string, spec: object, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);

test('blame names the apply, commit and line that set each field, through a rename and from the release of another environment', async () => {
  const pair = await pairProject();
  const { run, project, dev } = pair;
  await git(project.folder, 'init', '-q');
  await project.write('.gitignore', '.dexsync\n');
  const apply = async (text: string): Promise<string> => {
    await project.write('manifests/a.yaml', text);
    await git(project.folder, 'add', '-A');
    await git(project.folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '-qm', 'change');
    const commit = (await git(project.folder, 'rev-parse', 'HEAD')).trim();
    const applied = await run('apply', '--env', 'dev', '--yes', '--reason', 'ticket 7');
    expect(applied.code, applied.err).toBe(0);
    return commit;
  };
  const blame = async (...args: string[]) => {
    const { code, out, err } = await run('blame', ...args, '--json');
    expect(code, err).toBe(0);
    return JSON.parse(out).fields as Record<string, unknown>[];
  };
  const first = await apply(group('Quality', { description: 'First', members: ['ann@example.com'] }));
  const second = await apply(
    `# Of the team\n${group('Board', { description: 'First', members: ['ann@example.com', 'ben@example.com'] }, { renamedFrom: 'Quality' })}`,
  );
  const third = await apply(
    `# Of the team\n${group('Board', { description: 'Third', members: ['ann@example.com', 'ben@example.com'] })}`,
  );
  const before = (await dev.usage()).length;
  const fields = await blame('UserGroup/Board', '--env', 'dev');
  expect(fields.map(({ field, apply: number, from }) => [field, number, from])).toEqual([
    ['description', 3, 'manifests/a.yaml:2'],
    ['name', 2, 'manifests/a.yaml:2'],
    ['members[ben@example.com]', 2, 'manifests/a.yaml:2'],
    ['members[ann@example.com]', 1, 'manifests/a.yaml:1'],
  ]);
  expect(fields.map(({ by }) => (by as { git: { commit: string } }).git.commit)).toEqual([
    third,
    second,
    second,
    first,
  ]);
  expect(await blame('UserGroup/Board#members', '--env', 'dev')).toHaveLength(2);
  expect((await dev.usage()).length).toBe(before);
  const shown = await run('blame', 'UserGroup/Board#description', '--env', 'dev');
  expect(shown.out).toMatch(/^FIELD +VALUE +WHEN \(UTC\) +WHO +APPLY +FROM\n/);
  expect(shown.out).toContain(`commit ${third.slice(0, 12)}, manifests/a.yaml:2`);

  expect((await run('release', 'create', '--from', 'dev')).code).toBe(0);
  expect((await run('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json')).code).toBe(0);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await blame('UserGroup/Board#description', '--env', 'prod'))[0]).toMatchObject({
    release: 'dev/r1',
    source: { commit: third },
    value: 'Third',
  });
  const unknown = await run('blame', 'UserGroup/Board#assignability', '--env', 'prod');
  expect([unknown.code, unknown.err]).toEqual([
    3,
    expect.stringContaining('No apply to environment "prod" that is recorded set UserGroup/Board#assignability.'),
  ]);
});
