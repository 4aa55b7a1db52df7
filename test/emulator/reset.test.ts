import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '#base/sqlite/sqlite.js';
import { openHosted } from '../harness/hosted-workspace.js';
import { Session } from '../harness/session.js';
import { runToEnd, startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'dexsync-test-'));
const fixture = join(folder, "team's start.db");

const LISTS = [
  ...['/settings/usergroups', '/items', '/imports', '/suppliers', '/changes', '/tickets', '/settings/changes/routings'],
  ...['/settings/items/attributes', '/settings/users', '/settings/tickets/templates'],
];
const dataOf = async (session: Session) => {
  const lists = LISTS.map(async (path) => [path, (await session.get(`${path}?limit=400`)).results] as const);
  return Object.fromEntries(await Promise.all(lists));
};

const open = async (...flags: readonly string[]) => {
  const workspace = await openHosted(...flags);
  onTestFinished(() => workspace.stop());
  return { workspace, session: await Session.open(workspace) };
};

const group = (name: string) => ({ name, description: null, enabled: true, assignability: ['POLICIES'] });
const reset = (session: Session) => session.send('POST', '/embedded/reset');

describe('a workspace that is served from a file', () => {
  let run: string;
  let bytes: Buffer;
  beforeAll(async () => {
    const workspace = await openHosted('--db', fixture);
    const session = await Session.open(workspace);
    await session.post('/settings/usergroups', group('Engineers'));
    await session.post('/suppliers', { name: 'Initech' });
    const definition = await session.define('ITEM_SPECS', 'CREATE');
    ({ path: run } = await session.importNow(definition, 'number,name\r\nP-1,One\r\nP-2,\r\n'));
    await workspace.stop();
    bytes = readFileSync(fixture);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test('begins with what the file has, and returns to it with each reset; the session goes on', async () => {
    const { session } = await open('--from', fixture);
    const before = await dataOf(session);
    expect(before['/settings/usergroups'].map(({ name }: { name: string }) => name)).toEqual(['Everyone', 'Engineers']);
    const errors = await session.errors(run);
    for (const round of [1, 2]) {
      await session.post('/settings/usergroups', group(`Buyers ${round}`));
      await session.send('DELETE', `/settings/usergroups/${before['/settings/usergroups'][0].guid}`);
      await session.send('DELETE', `/suppliers/${before['/suppliers'][0].guid}`);
      await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nQ-1,One\r\n');
      const category = (await session.get('/settings/changes/categories')).results.at(-1).guid;
      const number = { title: 'Later', numberSequencePrefix: { value: 'ECO-' } };
      await session.post('/changes', {
        ...{ category: { guid: category }, ...number, effectivityType: 'PERMANENT_ON_APPROVAL' },
      });
      expect(await dataOf(session)).not.toEqual(before);
      expect((await reset(session)).status).toBe(204);
      expect(await dataOf(session)).toEqual(before);
      expect(await session.errors(run)).toEqual(errors);
    }
    expect(readFileSync(fixture)).toEqual(bytes);
  });

  test('takes no row of a run that was in progress, and performs the next one', async () => {
    const { session } = await open('--from', fixture);
    const before = await dataOf(session);
    const rows = Array.from({ length: 3000 }, (_, index) => `L-${index},Part\r\n`).join('');
    await session.submit(await session.define('ITEM_SPECS', 'CREATE'), `number,name\r\n${rows}`, { commit: 'true' });
    const answers = await Promise.all([reset(session), reset(session), session.get('/items?limit=1')]);
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([204, 204]);
    expect(await dataOf(session)).toEqual(before);
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nL-1,One\r\n');
    expect((await session.items('L-1')).map(({ name }) => name)).toEqual(['One']);
  });

  test('keeps the data and the id of a database that exists, until it is reset', async () => {
    const db = join(folder, 'own.db');
    const first = await startWorkspace('--db', db);
    await (await Session.open(first)).post('/settings/usergroups', group('Own'));
    await first.stop();
    const { workspace, session } = await open('--db', db, '--from', fixture);
    const names = async (by: Session) =>
      (await by.get('/settings/usergroups')).results.map(({ name }: { name: string }) => name);
    expect(await names(session)).toEqual(['Everyone', 'Own']);
    await reset(session);
    // The administrator of the file is another user, who is not logged in.
    expect((await session.send('GET', '/settings/usergroups')).status).toBe(401);
    expect(await names(await Session.open(workspace))).toEqual(['Everyone', 'Engineers']);
    expect(workspace.workspaceId).toBe(first.workspaceId);
  });

  test('refuses a reset without a file, to others than administrators, and from a file that is gone', async () => {
    const without = await open();
    const refused = await reset(without.session);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      409,
      expect.stringMatching(/Start it with --from/),
    ]);
    const { workspace, session } = await open('--from', fixture);
    expect((await reset(await Session.open(workspace, 'ann@example.com'))).body.errors[0].code).toBe(3221);
    await session.post('/settings/usergroups', group('Kept'));
    const before = await dataOf(session);
    const database = await connect(fixture);
    database.exec('BEGIN IMMEDIATE; CREATE TABLE of_another_process (x); COMMIT');
    const inUse = await reset(session);
    expect([inUse.status, inUse.body.errors[0].message]).toEqual([
      409,
      expect.stringMatching(/in use, or its process/),
    ]);
    database.exec('DROP TABLE of_another_process; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    expect(await dataOf(session)).toEqual(before);
  });

  test.each([
    ['is missing', undefined, /^There is no workspace file /],
    ['is empty', '', /^There is no workspace file /],
    ['is no database', 'number,name\n', /file is not a database/],
  ])('is refused if it %s, and leaves no database behind', async (_, content, message) => {
    const from = join(temporaryFolder(), 'from.db');
    if (content !== undefined) writeFileSync(from, content);
    const db = join(temporaryFolder(), 'to.db');
    const { code, stderr } = await runToEnd('--db', db, '--from', from);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(stderr).toContain(from);
    expect((await runToEnd('--db', db, '--from', from)).stderr).toMatch(message);
  });
});
