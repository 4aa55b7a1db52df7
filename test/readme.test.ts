import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runInProcess } from './harness/run-in-process.js';

const readme = readFileSync('README.md', 'utf8');

/** The commands of the first code block, without their comments. */
const commands = (/```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((line) => line.replace(/\s+#.*$/, ''));

test('the README begins with two commands, and CI runs both exactly as written', () => {
  expect(commands).toEqual(['npm ci && npm run quickstart', 'npm ci && npm test']);
  const ci = readFileSync('.ci/run', 'utf8');
  expect(commands.filter((command) => !ci.includes(`\n${command}\n`))).toEqual([]);
});

test('every command is in the README', async () => {
  const { out: help } = await runInProcess({ args: ['--help'], folder: tmpdir(), variables: {} });
  const commands = [...help.matchAll(/^ {2}([a-z]+)(?= .*\w)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help' && name !== 'dexsync');
  const known = commands.filter((name) => new RegExp(`\`[^\`]*\\b${name}\\b`).test(readme));
  expect(known).toEqual(commands);
  expect(commands).toContain('apply');
});

test('the package to install is the one that `npm pack` writes', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const named = [...readme.matchAll(/dexsync-[\d.]+\.tgz/g)].map(([name]) => name);
  expect(new Set(named)).toEqual(new Set([`dexsync-${version}.tgz`]));
});

test('the map and the decisions name only files and folders that exist', () => {
  const map = readFileSync('src/README.md', 'utf8') + readFileSync('src/decisions.md', 'utf8');
  const named = [...map.matchAll(/`([\w./-]+\/[\w./-]*|[\w-]+\.ts)`/g)].map(([, path = '']) => path);
  const places = (path: string): string[] =>
    ['', 'src/', 'src/emulator/', 'src/data/bulk/', 'src/core/engine/'].map((at) => at + path);
  const missing = named.filter((path) => !path.includes('NAME') && !places(path).some((place) => existsSync(place)));
  expect(missing).toEqual([]);
  expect(named.length).toBeGreaterThan(80);
});
