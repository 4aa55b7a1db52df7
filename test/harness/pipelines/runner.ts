import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from '../at-end.js';
import { git } from '../git.js';

/** What a job came to. */
export interface Ran {
  code: number;
  text: string;
  /** The variables of its steps. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether the job that checks runs, too, or only those that follow it: a test whose promise is another has it once. */
export type Checks = 'run' | 'left out';

/** A machine that has nothing but a shallow clone, and an `npm ci` that installs this program. */
export interface Runner {
  readonly folder: string;
  readonly home: string;
  readonly path: string;
}

export async function freshClone(url: string, ref: string): Promise<Runner> {
  const root = await mkdtemp(join(tmpdir(), 'runner-'));
  atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  for (const path of [folder, home]) await mkdir(path);
  await git(folder, 'init', '--quiet');
  await git(folder, 'remote', 'add', 'origin', url);
  await git(folder, 'fetch', '--quiet', '--depth=1', 'origin', ref);
  await git(folder, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
  const path = await programs({
    npm: 'test "$1" = ci && mkdir -p node_modules/.bin && cp "$(command -v dexsync)" node_modules/.bin/',
    // gitlab-ci-local copies the project for containers, of which there are none here.
    rsync: 'true',
    dexsync: `exec "${process.execPath}" "${resolve('bundle/cli.js')}" "$@"`,
  });
  return { folder, home, path };
}

/** A PATH on which these programs, scripts of a shell, come first. */
export async function programs(scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return `${folder}:${process.env.PATH}`;
}

/** Variables of the machine: none of the person who runs the tests. */
const machineVariables = ({ path, home }: Runner): Record<string, string> => ({
  ...{ PATH: path, HOME: home, XDG_STATE_HOME: join(home, 'state') },
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
});

export async function runLine(line: string, runner: Runner, variables: Readonly<Record<string, string>>): Promise<Ran> {
  const options = { cwd: runner.folder, env: { ...machineVariables(runner), ...variables } };
  return promisify(execFile)('bash', ['-c', line], options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
}
