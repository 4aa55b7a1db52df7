import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'vitest';
import { IS_WHOLE } from '../harness/sample.js';
import { PAGES, readPage } from './page.js';
import { playPage } from './run-page.js';

const pages = PAGES.map(readPage).filter(({ blocks }) => blocks.some(({ language }) => language === 'console'));

/**
 * `npm run guides` compares them, `npm run pages` writes the outputs that they are compared with. Each command starts a program
 * and a workspace: together they take as long as a third of all other tests.
 */
describe.skipIf(!IS_WHOLE).concurrent('the commands of a page write the output that it shows', () => {
  test.for(pages)('$path', { timeout: 300_000 }, async (page, { expect, onTestFinished }) => {
    const home = await mkdtemp(join(tmpdir(), 'page-'));
    onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
    // As in a clone in which nothing was run yet.
    const clone = join(home, 'dexsync');
    const filter = (source: string): boolean => !source.includes('.dexsync');
    for (const name of ['examples', 'schema', 'sync.config.yaml'])
      await cp(name, join(clone, name), { recursive: true, filter });
    await mkdir(join(clone, 'node_modules'));
    await symlink(resolve('.'), join(clone, 'node_modules/dexsync'), 'junction');
    const { text, problems } = await playPage(page, join(clone, dirname(page.path)), home);
    expect(problems).toEqual([]);
    await expect(text).toMatchFileSnapshot(resolve(page.path));
  });
});
