import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Result } from '../harness/run-in-process.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

export const group = (name: string, description: string): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: ${name} }\nspec: { description: ${description} }\n`;

export interface HistoryProject {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  run(...args: readonly string[]): Promise<Result>;
  /** What `history` with these arguments prints as JSON. */
  told(...args: readonly string[]): Promise<Told>;
}

// biome-ignore lint/suspicious/noExplicitAny: documents as they were printed; each test says what it expects.
export type Told = any;

/** A project before a workspace of its own, nothing applied yet. */
export async function historyProject(dialect = 'reference'): Promise<HistoryProject> {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/group.yaml': group('Quality', 'First') });
  const run: HistoryProject['run'] = (...args) => project.run(args, workspace.variables);
  return {
    workspace,
    project,
    run,
    told: async (...args) => JSON.parse((await run('history', ...args, '--json')).out),
  };
}

/** The journals of the one workspace that a project knows, the oldest first. */
export async function journalFiles({ folder }: TestProject): Promise<string[]> {
  const ledger = join(folder, '.dexsync', 'ledger');
  const [workspace = ''] = await readdir(ledger);
  return (await readdir(join(ledger, workspace))).sort().map((name) => join(ledger, workspace, name));
}

/** Rewrites the lines of a journal as a person with an editor would. */
export async function edit(file: string, change: (lines: string[]) => readonly string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  await writeFile(file, [...change(lines), ''].join('\n'));
}

/** The journal as a version wrote it that recorded neither facts nor counts nor hashes. */
export const makeOld = (file: string): Promise<void> =>
  edit(file, (lines) =>
    lines.map((line) => {
      const { apply: _, counts: __, is: ___, chain: ____, previous: _____, ...record } = JSON.parse(line);
      return JSON.stringify(record);
    }),
  );

/** A text without what differs from run to run. */
export function steady(text: string): string {
  const names: readonly (readonly [RegExp | string, string])[] = [
    [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3})?(Z| UTC)?/g, '<time>'],
    [/\b[0-9a-f]{64}\b/g, '<digest>'],
    [/\b[0-9a-f]{40}\b/g, '<commit>'],
    [/j\d{8}_\d{8}T\d{9}Z-[0-9a-f-]{36}\.jsonl/g, '<journal>'],
    [/process \d+, dexsync [\d.]+/g, 'process <pid>, dexsync <version>'],
    [/\d+ left today/g, '<left> left today'],
    [`as ${userInfo().username} on ${hostname()}`, 'as <user> on <host>'],
    [`(${userInfo().username})`, '(<user>)'],
  ];
  return names.reduce((steadied, [what, name]) => steadied.replaceAll(what, name), text);
}
