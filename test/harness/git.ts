import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from './at-end.js';

const run = promisify(execFile);

/** Runs git as somebody whom it does not know otherwise. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  return (await run('git', ['-C', folder, ...identity, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** An empty repository that others push to, as a forge hosts one; removed when nobody needs it. */
export async function bareRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-remote-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await run('git', ['init', '--quiet', '--bare', '-b', 'main', folder]);
  return folder;
}
