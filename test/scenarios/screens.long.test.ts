import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { type Screen, screenOf } from '../harness/screen.js';
import { CTRL_C, openTerminal, type Terminal } from '../harness/terminal.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { type Held, holding, isWrite } from './lease-project.js';

const LONG = 'Reviewers of the northern production sites, night shift included, who approve all changes and 品質の検査';
const ROWS = Array.from({ length: 40 }, (_, index) => `X-${index},Part ${index}`);

const projectOfLongNames = (): Promise<TestProject> =>
  testProject({
    'manifests/all.yaml':
      itemsDefinition('Specs', { Part: 'number', Name: 'name' }) +
      manifest('UserGroup', LONG, { description: LONG.repeat(3), assignability: ['CHANGES'] }) +
      manifest('UserGroup', 'Quality', { members: ['ann@example.com'] }) +
      manifest('Import', LONG, { definition: 'Specs', source: { file: 'a.csv' } }),
    'manifests/a.csv': `Part,Name\n${ROWS.join('\n')}\n`,
  });

/** What stands after the last line of the plan. */
const afterPlan = ({ lines }: Screen): string[] =>
  lines.slice(lines.findIndex((line) => line.includes(' to apply it,')) + 1);

const words = (text: string): string =>
  text
    .replaceAll(/Requests:.*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The screen, once it shows something. */
async function screenWith(terminal: Terminal, columns: number, what: RegExp): Promise<Screen> {
  await terminal.shows(what);
  for (;;) {
    const screen = await screenOf(terminal.written(), columns);
    if (screen.lines.some((line) => what.test(line))) return screen;
    // A later frame has come in part.
    await sleep(20);
  }
}

const isPoll: Parameters<typeof holding>[1] = ({ method, path }) => method === 'GET' && /\/runs\/\w+$/.test(path);

async function heldProject(at = isPoll): Promise<{ workspace: TestWorkspace; project: TestProject; held: Held }> {
  const workspace = await testWorkspace();
  return { workspace, project: await projectOfLongNames(), held: await holding(workspace, at) };
}

describe.each([80, 140])('at a terminal of %d columns', (columns) => {
  test('a plan has the text of a pipe, in lines that fit', async () => {
    const workspace = await testWorkspace();
    const project = await projectOfLongNames();
    const terminal = openTerminal(project, ['plan'], workspace.variables, columns);
    expect(await terminal.ended).toBe(0);
    const { lines, wrapped, cursor } = await screenOf(terminal.written(), columns);
    const [reading, ...shown] = lines;
    expect([reading, wrapped, cursor]).toEqual(['✔ Reading workspace and files', [], 'shown']);
    expect(words(shown.join('\n'))).toBe(words((await project.run(['plan'], workspace.variables)).out));
  });

  test('an apply with an import has one line for all objects and one for the import, and leaves nothing behind', async () => {
    const { project, held } = await heldProject();
    const terminal = openTerminal(project, ['apply', '--yes'], held.variables, columns);
    const during = await screenWith(terminal, columns, /validating: 0 of 40 rows/);
    expect([during.wrapped, during.cursor]).toEqual([[], 'hidden']);
    expect(afterPlan(during)).toEqual([
      expect.stringMatching(/^. Appl(ying 3|ied \d of 3) objects$/),
      expect.stringMatching(/^. Import\/Reviewers.*… {2}validating: 0 of 40 rows \(run #1\)/),
    ]);
    held.letGo();
    expect(await terminal.ended).toBe(0);
    const end = await screenOf(terminal.written(), columns);
    expect([end.wrapped, end.cursor]).toEqual([[], 'shown']);
    expect(afterPlan(end).slice(0, 2)).toEqual([
      '✔ Applied 3 of 3 objects',
      expect.stringMatching(/^✔ Import\/Reviewers.*committed$/),
    ]);
    const text = words(end.lines.join('\n'));
    for (const one of [
      'Applied 3 of 3',
      '✓ UserGroup/Quality created',
      `✓ UserGroup/${LONG} created`,
      'Result: 4 done.',
    ])
      expect([one, text.split(one).length - 1]).toEqual([one, 1]);
  });

  test('Ctrl-C is explained under the current line, and the cursor comes back', async () => {
    const { project, held } = await heldProject(isWrite);
    const terminal = openTerminal(project, ['apply', '--yes', '--parallelism', '1'], held.variables, columns);
    await held.reached;
    terminal.type(CTRL_C);
    const during = await screenWith(terminal, columns, /again to stop immediately/);
    expect(afterPlan(during).map((line) => line.replace(/^\S /, '. '))).toEqual([
      '. Applying 3 objects',
      '  › Stopping when the current requests are done.',
      '    Press Ctrl-C again to stop immediately.',
      expect.stringMatching(/^\. Import\/Reviewers.* {2}waiting$/),
    ]);
    held.letGo();
    expect(await terminal.ended).toBe(130);
    const end = await screenOf(terminal.written(), columns);
    expect([end.wrapped, end.cursor]).toEqual([[], 'shown']);
    expect(afterPlan(end).filter((line) => /Appl(ied|ying)/.test(line))).toHaveLength(1);
    expect(words(end.lines.join('\n'))).toContain('- 3 steps skipped because the apply was stopped Result: 1 done');
  });
});
