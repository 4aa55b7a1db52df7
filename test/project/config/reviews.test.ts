import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findList } from '#data/bulk/find-list.js';
import { loadConfig } from '#project/config/load-config.js';

const HEAD = 'stack: s\nmanifests: [m]\nenvironments:\n  local: { workspace: embedded }\n';

async function findingsOf(reviews: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'sync.config.yaml'), `${HEAD}reviews: ${reviews}\n`);
  const { diagnostics } = await loadConfig({ cwd: folder, findList }, undefined);
  return diagnostics.map(({ message, origin }) => `${origin?.line}:${origin?.column} ${message}`);
}

test.each([
  ['{ environments: ["lo*"], roles: { q: { members: [ann@example.com], required: 1 } } }', []],
  ['{ environments: [locla] }', ['5:27 `reviews` asks for approvals in "locla", which no environment matches.']],
  [
    '{ required: 2, roles: { q: { members: [ann@example.com, Ann@example.com], required: 3 } } }',
    ['5:37 Role "q" has 2 of the 3 members who must approve.', '5:22 2 people must approve, and all roles have 1.'],
  ],
  ['{ validFor: soon }', [expect.stringContaining('validFor')]],
])('reviews that protect nothing, or that nobody could satisfy, are found: %s', async (reviews, findings) => {
  expect(await findingsOf(reviews)).toEqual(findings);
});
