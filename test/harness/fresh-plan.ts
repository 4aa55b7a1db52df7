import { expect } from 'vitest';
import type { TestProject, Variables } from './test-project.js';

/** Runs a command that must succeed without a word on standard error, and gives what it printed. */
export async function succeed(project: TestProject, variables: Variables, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await project.run(args, variables);
  expect([args.join(' '), code, err]).toEqual([args.join(' '), 0, '']);
  return out;
}

/** Saves a plan, checks it and applies it: nobody touched the workspace, so it must not be stale. The plan is what comes back. */
export async function applyFresh(project: TestProject, variables: Variables, ...command: readonly string[]) {
  const made = await project.run([...command, '--out', 'plan.json', '--manual', 'warn'], variables);
  expect(made.err).toBe('');
  const checked = await project.run(['plan', 'check', 'plan.json'], variables);
  expect([checked.code, checked.err]).toEqual([0, '']);
  const applied = await project.run(['apply', 'plan.json', '--yes', '--manual', 'warn'], variables);
  expect([applied.code, applied.err]).toEqual([made.code, '']);
  return JSON.parse(await project.read('plan.json'));
}
