import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const readme = await readFile('README.md', 'utf8');

/** The commands of the first code block, without their comments. */
const [setUp = '', tests = ''] = (/```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
  .split('\n')
  .map((line) => line.replace(/\s+#.*$/, ''));

test('the README begins with two commands, and the second is what CI runs', async () => {
  expect([setUp, tests]).toEqual(['npm ci && npm run quickstart', 'npm ci && npm test']);
  expect(await readFile('.ci/run', 'utf8')).toContain('npm ci\nnpm test\n');
});

test('the first one, as written, in a new folder: all is set up and the quickstart runs to its end', {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-readme-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of new Set(files.split('\0').filter((name) => name !== ''))) {
    await cp(file, join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  const { PATH, HOME } = process.env;
  const out = execFileSync('sh', ['-c', setUp], {
    cwd: folder,
    env: { PATH, HOME },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(out).toContain('Plan: 10 to create, 2 to import.');
  expect(out).toContain('Result: 12 done. Rows: 13 committed, 0 failed.');
  expect(out).toContain('"Maybe" is not an option of the attribute "RoHS Status". (2002)');
  expect(out).toContain('No changes: the workspace is as the manifests say (12 unchanged).');
  const again = execFileSync('sh', ['-c', 'npx dexsync plan --env local'], {
    cwd: folder,
    env: { PATH, HOME },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(again).toContain('No changes');
});

test('every command is in the README', () => {
  const help = execFileSync(process.execPath, ['dist/cli.js', '--help'], { encoding: 'utf8' });
  const commands = [...help.matchAll(/^ {2}([a-z]+)(?= .*\w)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help' && name !== 'dexsync');
  const known = commands.filter((name) => new RegExp(`\`[^\`]*\\b${name}\\b`).test(readme));
  expect(known).toEqual(commands);
  expect(commands).toContain('apply');
});
