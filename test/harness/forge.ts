import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { atEnd } from './at-end.js';
import { bareRepository, git } from './git.js';
import { type Result, runInProcess } from './run-in-process.js';
import { machine } from './team-ledger.js';
import { CLI, environment, type Variables } from './test-project.js';

/** A machine of a pipeline: a shallow clone that nothing was ever done in, and a state of its own. */
export interface Runner {
  readonly folder: string;
  /** Starts the built program. */
  start(...args: string[]): ChildProcess;
  /** Runs a command line in this process. */
  run(...args: string[]): Promise<Result>;
}

/** A project on a forge, as a person works on it and pipelines clone it. */
export interface Forge {
  /** Commits files to a branch, which is created from `main` where it is missing. */
  push(branch: string, files: Readonly<Record<string, string>>): Promise<void>;
  merge(branch: string): Promise<void>;
  clone(branch: string, variables?: Variables): Promise<Runner>;
  readonly remote: string;
}

/** A forge whose pipelines have these variables. */
export async function openForge(common: Variables): Promise<Forge> {
  const remote = await bareRepository();
  const desk = await newFolder('desk-');
  await git(desk, 'clone', '--quiet', remote, '.');
  await git(desk, 'checkout', '--quiet', '-b', 'main');
  const switchTo = async (branch: string): Promise<void> => {
    const now = (await git(desk, 'symbolic-ref', '--short', 'HEAD')).trim();
    const isThere = (await git(desk, 'branch', '--list', branch)) !== '';
    if (now !== branch) await git(desk, 'checkout', '--quiet', ...(isThere ? [branch] : ['-b', branch, 'main']));
  };
  return {
    remote,
    async push(branch, files) {
      await switchTo(branch);
      for (const [file, content] of Object.entries(files)) {
        await mkdir(dirname(join(desk, file)), { recursive: true });
        await writeFile(join(desk, file), content);
      }
      await git(desk, 'add', '--all');
      await git(desk, 'commit', '--quiet', '-m', `Files of ${branch}`);
      await git(desk, 'push', '--quiet', 'origin', branch);
    },
    async merge(branch) {
      await switchTo('main');
      await git(desk, 'merge', '--quiet', '--no-ff', '-m', `Merge ${branch}`, branch);
      await git(desk, 'push', '--quiet', 'origin', 'main');
    },
    async clone(branch, variables = {}) {
      const folder = await newFolder('runner-');
      await git(folder, 'clone', '--quiet', '--depth', '1', '--branch', branch, `file://${remote}`, '.');
      const env = environment({ ...common, CI: 'true', ...machine(), ...variables });
      const start: Runner['start'] = (...args) =>
        spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      return { folder, start, run: (...args) => runInProcess({ args, folder, variables: env }) };
    },
  };
}

async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
