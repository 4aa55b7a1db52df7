import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { environment } from '../harness/test-project.js';

const run = promisify(execFile);

test('the quickstart runs to its end, shows the promised output, and leaves a workspace with nothing to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const name of ['examples', 'sync.config.yaml']) await cp(name, join(folder, name), { recursive: true });
  for (const name of ['bundle', 'node_modules', 'package.json']) await symlink(resolve(name), join(folder, name));
  const started = { cwd: folder, env: environment() };
  const { stdout } = await run(process.execPath, ['examples/quickstart/tour.mjs'], started);
  for (const line of [
    'Plan: 10 to create, 2 to import.',
    'Result: 12 done. Rows: 13 committed, 0 failed.',
    '"Maybe" is not an option of the attribute "RoHS Status". (2002)',
    'No changes. The workspace matches the manifests (12 unchanged).',
  ]) {
    expect(stdout).toContain(line);
  }
  const plan = await run(process.execPath, ['bundle/cli.js', 'plan', '--env', 'local'], started);
  expect(plan.stdout).toContain('No changes');
});
