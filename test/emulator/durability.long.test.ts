import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#emulator/store/open.js';
import { IS_WHOLE, scaled } from '../harness/sample.js';
import { csv, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

/** Enough that a commit of them takes as long as the longest delay below. */
const ROWS = scaled(30_000, 8000);
const DELAYS = IS_WHOLE ? [0, 150, 300, 450, 600, 750, 900] : [0, 150];

const bigFile = csv('number,name,description', ...Array.from({ length: ROWS }, (_, i) => `P-${i},Part ${i},Text ${i}`));

const complete = { status: 'COMPLETE', commit: true, totalCount: ROWS, successCount: ROWS, errorCount: 0 };

test('while a large file is processed, polls and other writes are answered, and no change of it is visible', async () => {
  const workspace = await startWorkspace('--db', join(temporaryFolder(), 'w.db'));
  onTestFinished(() => void workspace.stop());
  const session = await Session.open(workspace);
  const run = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), bigFile, { commit: 'true' });
  const seen = new Set<string>();
  for (let index = 0; !seen.has('COMPLETE'); index += 1) {
    const { status, totalCount } = await session.get(run);
    seen.add(status);
    if (status === 'RUNNING' && totalCount > 0) seen.add('progress');
    expect((await session.send('POST', '/settings/usergroups', { name: `During ${index}` })).status).toBe(201);
    const { count } = await session.get('/items?number=P-*&limit=1');
    if (count > 0) expect((await session.get(`/items?number=P-${ROWS - 1}`)).count).toBe(1);
  }
  expect([...seen]).toEqual(expect.arrayContaining(['RUNNING', 'progress', 'COMPLETE']));
  expect(await session.get(run)).toMatchObject(complete);
});

test.each(DELAYS)(
  'kill -9 after %i ms of a commit leaves all rows or none, and the next start completes the run',
  async (delay) => {
    const db = join(temporaryFolder(), 'w.db');
    const first = await startWorkspace('--db', db);
    const session = await Session.open(first);
    const run = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), bigFile, { commit: 'true' });
    await sleep(delay);
    await first.stop('SIGKILL');
    const second = await startWorkspace('--db', db);
    onTestFinished(() => void second.stop());
    const again = await Session.open(second);
    const { count } = await again.get('/items?number=P-0');
    expect((await again.get(`/items?number=P-${ROWS - 1}`)).count).toBe(count);
    expect(await again.finished(run)).toMatchObject(complete);
    const last = await again.get(`/items?number=P-*&limit=400&offset=${ROWS - 1}`);
    expect(last.results.map(({ number }: { number: string }) => number)).toEqual([`P-${ROWS - 1}`]);
  },
);

test('a run in progress at SIGTERM resumes, and a session outlives the restart', async () => {
  const db = join(temporaryFolder(), 'w.db');
  const first = await startWorkspace('--db', db, '--port', '0');
  const session = await Session.open(first);
  const run = await session.submit(await session.define('ITEM_SPECS', 'CREATE'), bigFile, { commit: 'false' });
  expect(await first.stop('SIGTERM')).toBe(0);
  const second = await startWorkspace('--db', db, '--port', new URL(first.url).port);
  onTestFinished(() => void second.stop());
  expect(await session.finished(run)).toMatchObject({ ...complete, commit: false });
  expect((await session.get('/items?number=P-*')).count).toBe(0);
});

test('the answers of a kept workspace outlast a power cut; one that is deleted at its end need not wait for the disk', async () => {
  const [FULL, NORMAL] = [2, 1];
  for (const [file, expected] of [
    [join(temporaryFolder(), 'w.db'), FULL],
    [undefined, NORMAL],
  ] as const) {
    const store = await openStore(file, () => undefined);
    onTestFinished(() => store.close());
    expect(store.settings.get('PRAGMA synchronous')).toEqual({ synchronous: expected });
  }
});
