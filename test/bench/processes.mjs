import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {readonly string[]} args
 * @returns {readonly string[]}
 */
export const dexsync = (...args) => [process.execPath, join(root, 'bundle/cli.js'), ...args];

/**
 * @param {string} name
 * @param {object} [input]
 * @returns {readonly string[]}
 */
export const floor = (name, input = {}) => [
  process.execPath,
  join(root, 'test/bench/floors', `${name}.mjs`),
  JSON.stringify(input),
];

/**
 * Runs a program to its end, its output going to a file: nobody else works meanwhile. Where it fails, or its output
 * lacks `expected`, it did something else than what is to be measured.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, variables?: Record<string, string>, expected?: string }} options
 * @returns {Promise<{ milliseconds: number }>}
 */
export async function timed([program, ...args], { cwd, variables = {}, expected = '' }) {
  const path = join(cwd, 'output.txt');
  const output = await open(path, 'w');
  const { PATH, HOME } = process.env;
  const begin = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', output.fd, output.fd],
  });
  const [code] = await once(child, 'exit');
  const milliseconds = performance.now() - begin;
  await output.close();
  const text = await readFile(path, 'utf8');
  if (code === 0 && text.includes(expected)) return { milliseconds };
  throw new Error(`${args.join(' ')} ended with ${code}, without "${expected}":\n${text.slice(-2000)}`);
}

/**
 * What a program prints, where it times itself.
 *
 * @param {readonly string[]} command
 * @param {string} cwd
 */
export async function printed(command, cwd) {
  await timed(command, { cwd });
  return readFile(join(cwd, 'output.txt'), 'utf8');
}

/**
 * What a workspace prints when it listens.
 *
 * @typedef {{ url: string, email: string, password: string, workspaceId: number, workspaces: readonly { email: string, workspaceId: number }[] }} Ready
 */

/**
 * An embedded workspace of its own, which is gone when it is stopped, or with this process.
 *
 * @param {readonly string[]} flags
 * @returns {Promise<Ready & { variables: Record<string, string>, stop: () => Promise<void> }>}
 */
export async function startWorkspace(...flags) {
  const args = [join(root, 'bundle/emulator/main.js'), '--quota', '1000000', '--exit-with-stdin', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => undefined)]);
  if (line === undefined) throw new Error('The embedded workspace did not start; was dexsync built?');
  const ready = /** @type {Ready} */ (JSON.parse(String(line[0])));
  const variables = {
    DEXSYNC_ENV: 'bench',
    DEXSYNC_BENCH_URL: ready.url,
    DEXSYNC_BENCH_EMAIL: ready.email,
    DEXSYNC_BENCH_PASSWORD: ready.password,
    DEXSYNC_BENCH_WORKSPACE_ID: String(ready.workspaceId),
  };
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { ...ready, variables, stop };
}

/**
 * The milliseconds of a program in a workspace of its own.
 *
 * @param {string} cwd
 * @param {(workspace: Ready) => readonly string[]} command
 * @param {string} expected
 */
export async function inNewWorkspace(cwd, command, expected, start = startWorkspace) {
  const { stop, variables, ...ready } = await start();
  try {
    return (await timed(command(ready), { cwd, variables, expected })).milliseconds;
  } finally {
    await stop();
  }
}
