import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

/** What planning may leave behind: that somebody logged in and asked. */
const TOUCHED = ['sessions', 'usage'];

/** A digest of all rows of each table, read from the file itself. */
function tablesOf(path: string): Record<string, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    const names = tables.map(({ name }) => String(name)).filter((name) => !TOUCHED.some((part) => name.includes(part)));
    return Object.fromEntries(
      names.map((name) => {
        const rows = database.prepare(`SELECT * FROM "${name}"`).all();
        return [name, createHash('sha256').update(JSON.stringify(rows)).digest('hex')];
      }),
    );
  } finally {
    database.close();
  }
}

test('planning, in all its forms, changes only the tables of sessions and requests', async () => {
  const groups = manifest('UserGroup', 'A', { members: ['ann@example.com'] }) + manifest('UserGroup', 'B', {});
  const project = await testProject({ 'manifests/all.yaml': groups });
  const database = join(project.folder, 'workspace.db');
  const { variables } = await testWorkspace(['--db', database]);
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  await project.write('manifests/all.yaml', manifest('UserGroup', 'A', { description: 'changed', members: [] }));
  // The first request for settings that the description answers creates their tables.
  expect((await project.run(['orphans'], variables)).code).toBe(0);
  const before = tablesOf(database);
  expect(Object.keys(before).length).toBeGreaterThan(10);
  for (const args of [
    ['plan', '--prune'],
    ['plan', '--out', 'plan.json'],
    ['plan', 'check', 'plan.json'],
    ['plan', '--explain', 'UserGroup/A'],
    ['plan', '--replace', 'UserGroup/A', '--json'],
    ['drift'],
    ['orphans'],
    ['forget', 'UserGroup/B'],
    ['adopt', 'UserGroup/B'],
  ]) {
    expect([args, (await project.run(args, variables)).code]).toEqual([args, 0]);
  }
  expect(tablesOf(database)).toEqual(before);
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  expect(tablesOf(database)).not.toEqual(before);
});

test('comparing two environments, or planning one from the other, writes to neither', async () => {
  const groups = manifest('UserGroup', 'A', { members: ['ann@example.com'] });
  const { run, dev, prod } = await pairProject({ files: { 'manifests/all.yaml': groups } });
  expect((await run('apply', '--yes', '--env', 'dev')).code).toBe(0);
  const sent = async () => [...(await dev.usage()), ...(await prod.usage())].filter(({ method }) => method !== 'GET');
  const before = (await sent()).length;
  expect((await run('diff', '--from', 'dev', '--to', 'prod')).code).toBe(2);
  for (const args of [[], ['--from-applied'], ['--only', 'UserGroup', '--json'], ['--out', 'plan.json']]) {
    expect([args, (await run('promote', '--from', 'dev', '--to', 'prod', ...args)).code]).toEqual([args, 0]);
  }
  expect((await sent()).length).toBe(before);
});
