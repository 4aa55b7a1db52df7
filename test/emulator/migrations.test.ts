import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#base/sqlite/sqlite.js';
import { openHosted } from '../harness/hosted-workspace.js';
import { type Answer, Session } from '../harness/session.js';
import { runToEnd, startWorkspace, temporaryFolder } from '../harness/start-workspace.js';

/** The statements of a workspace of format 3 in which every family has entries. */
const FORMAT_3 = readFileSync(new URL('./fixtures/format-3.sql', import.meta.url), 'utf8');

async function oldFile(): Promise<string> {
  const file = join(temporaryFolder(), 'old.db');
  const database = await connect(file);
  database.exec(FORMAT_3);
  database.close();
  return file;
}

async function opened(file: string): Promise<Session> {
  const workspace = await openHosted('--db', file);
  onTestFinished(() => workspace.stop());
  return Session.open(workspace);
}

const names = ({ results }: Answer['body']): string[] => results.map((one: { name: string }) => one.name);

test('a file of format 3 is opened with all its content, any number of times', async () => {
  const file = await oldFile();
  expect(await (await startWorkspace('--db', file)).stop()).toBe(0);
  const session = await opened(file);
  const groups = await session.get('/settings/usergroups');
  expect(names(groups)).toEqual(['Everyone', 'Renamed', 'Null']);
  expect((await session.get(`/settings/usergroups/${groups.results[0].guid}/users`)).count).toBe(5);
  const policies = await session.get('/settings/policies');
  expect(names(policies)).toEqual(['Other', 'Null', 'Last']);
  expect(policies.results[2]).toMatchObject({
    userGroups: [{ name: 'Renamed' }, { name: 'Null' }],
    rules: [{ resource: 'ITEM', actions: ['READ'] }],
  });
  const reservations = await session.get('/settings/items/numberreservations');
  expect(names(reservations)).toEqual(['R2', 'R3', 'R1', 'R9']);
  expect(reservations.results[0]).toMatchObject({
    itemNumbers: ['100-00001', '100-00002', '100-00003'],
    category: { name: 'Assembly' },
  });
  expect(names(await session.get('/settings/items/numberformats'))).toEqual([
    'Sequence',
    'Prefix and Sequence',
    'F',
    'NoSeq',
  ]);
  expect(names(await session.get('/settings/suppliers/approvalstatuses'))).toHaveLength(3);
});

test('its triggers, integrations with their members, and events are kept', async () => {
  const session = await opened(await oldFile());
  expect(names(await session.get('/settings/integrations/triggers'))).toEqual(['Any edit', 'Any new']);
  const { results } = await session.get('/outboundevents');
  expect(results).toMatchObject([{ name: 'ERP2', enabled: true }]);
  const path = `/outboundevents/${results[0].guid}`;
  expect(names(await session.get(`${path}/triggers`))).toEqual(['Any edit', 'Any new']);
  expect((await session.get(`${path}/administrators`)).count).toBe(3);
  const events = await session.get(`${path}/events`);
  const items = await session.get(`${path}/events/${events.results[0].guid}/items`);
  expect([events.count, items.count > 0]).toEqual([3, true]);
});

test('its items, BOMs, files, suppliers and definitions are kept', async () => {
  const session = await opened(await oldFile());
  const [item] = await session.items('C-1');
  expect(item).toMatchObject({ name: 'Cable renamed', category: { name: 'Cable' }, standardCost: 1.5 });
  expect(await session.bom('B-1')).toMatchObject([{ refDes: 'R1-R2', quantity: 2 }, { refDes: 'C1' }]);
  expect((await session.get(`/items/${item.guid}/files`)).results).toMatchObject([
    { file: { number: 'D-1', title: 'Drawing' } },
    { file: { number: 'W-1' } },
  ]);
  expect((await session.get(`/items/${item.guid}/sourcing`)).results).toMatchObject([
    { supplierItem: { number: 'AC-1', supplier: { name: 'Acme' } }, approvalStatus: { name: 'Approved' } },
    { supplierItem: { number: 'AC-2', supplier: { name: 'Bolts & Co' } } },
  ]);
  expect((await session.get('/files')).count).toBe(3);
  expect([(await session.get('/suppliers')).count, (await session.get('/supplieritems')).count]).toEqual([2, 2]);
  const definitions = await session.get('/imports?limit=400');
  expect(definitions.count).toBe(9);
  expect((await session.get(`/imports/${definitions.results[0].guid}/runs`)).results).toMatchObject([
    { status: 'COMPLETE', successCount: 4 },
  ]);
  expect([(await session.get('/exports')).count, names(await session.get('/extracts'))]).toEqual([2, ['e1', 'E2']]);
});

/** What the tables of a file can hold: their columns, and what is unique or indexed. */
async function shapeOf(file: string): Promise<Record<string, unknown>> {
  const database = await connect(file);
  onTestFinished(() => database.close());
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const columns = database.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY name');
  const indexes = database.prepare(`SELECT l."unique", l.partial, group_concat(i.name) AS of
    FROM pragma_index_list(?) l, pragma_index_xinfo(l.name) i WHERE i.key = 1 GROUP BY l.name ORDER BY of`);
  return Object.fromEntries(
    tables.map(({ name }) => [name, { columns: columns.all(String(name)), indexes: indexes.all(String(name)) }]),
  );
}

test('it then has the tables of a new file', async () => {
  const [old, fresh] = [await oldFile(), join(temporaryFolder(), 'new.db')];
  for (const file of [old, fresh]) await (await openHosted('--db', file)).stop();
  expect(await shapeOf(old)).toEqual(await shapeOf(fresh));
});

test('a file of a newer format is refused by its name', async () => {
  const file = await oldFile();
  const database = await connect(file);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const { code, stderr } = await runToEnd('--db', file);
  expect([code, stderr]).toEqual([1, `${file} has format 99; this version reads format 5. Give another file.\n`]);
});
