import { spawn } from 'node:child_process';

/**
 * Runs programs of node_modules/.bin at the same time and sets the exit code. What each prints stands together, in the order
 * in which they end; of the last one it is printed as it comes.
 */
export async function runAtOnce(commands) {
  const live = commands.length - 1;
  const ends = await Promise.all(commands.map((command, at) => run(command, at === live)));
  const failed = ends.filter(({ code }) => code !== 0);
  if (failed.length === 0) return;
  if (commands.length > 1)
    process.stderr.write(`\nFailed: ${failed.map(({ command }) => command.join(' ')).join('; ')}\n`);
  process.exitCode = 1;
}

function run(command, isLive) {
  const [name, ...args] = command;
  const child = spawn(`node_modules/.bin/${name}`, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  });
  const parts = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => (isLive ? process.stdout.write(part) : parts.push(part)));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(parts));
      done({ command, code });
    });
  });
}
