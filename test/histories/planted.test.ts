import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PATCHES = join(import.meta.dirname, 'planted');

test('each mistake that histories must find can be planted into these sources', () => {
  const patches = readdirSync(PATCHES).map((name) => join(PATCHES, name));
  expect(() =>
    patches.map((patch) => execFileSync('git', ['apply', '--check', patch], { stdio: 'pipe' })),
  ).not.toThrow();
});
