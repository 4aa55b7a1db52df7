// Types of the tests, lint and unused code at the same time: each is one thread for most of its time.
import { spawn } from 'node:child_process';

const CHECKS = [['tsc', '-p', 'test'], ['biome', 'check', '--error-on-warnings'], ['knip']];

/** What a check printed, and its exit code. */
function run([name, ...args]) {
  const child = spawn(`node_modules/.bin/${name}`, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done({ code, text: Buffer.concat(parts).toString() }));
  });
}

for (const { code, text } of await Promise.all(CHECKS.map(run))) {
  process.stdout.write(text);
  if (code !== 0) process.exitCode = 1;
}
