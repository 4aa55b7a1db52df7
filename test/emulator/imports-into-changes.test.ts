import { beforeAll, describe, expect, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { type Answer, Session } from '../harness/session.js';

const body = (category: string, title = 'Parts of the week') => ({
  ...{ category: { guid: category }, title, numberSequencePrefix: { value: 'ECO-' } },
  effectivityType: 'PERMANENT_ON_APPROVAL',
});

describe.each(['reference', 'arena'])('an import into a change (wire-facts 4, addToChange; 8.5), %s', (dialect) => {
  let session: Session;
  let category: string;
  beforeAll(async () => {
    const workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
    category = (await session.get('/settings/changes/categories')).results.at(-1).guid;
    return () => workspace.stop();
  });

  const openChange = async () => session.post('/changes', body(category));
  const itemsOf = async (change: string) => (await session.get(`/changes/${change}/items`)).results;
  const move = async (guid: string, ...statuses: readonly string[]) => {
    for (const status of statuses) await session.post('/changes/statuschanges', { change: { guid }, status });
  };

  test('a commit adds the items of its rows to the change that the definition names by number', async () => {
    const change = await openChange();
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { addToChange: change.number });
    expect((await session.get(definition)).options.addToChange).toBe(change.number);
    const rows = 'number,name\r\nA-1,One\r\nA-2,Two\r\n,\r\nA-3\r\n';
    const validated = await session.submit(definition, rows, { commit: 'false' });
    expect(await session.finished(validated)).toMatchObject({ options: { addToChange: { number: change.number } } });
    expect(await itemsOf(change.guid)).toEqual([]);
    await session.send('PUT', validated, { commit: true });
    const run = await session.finished(validated);
    expect(run.changes).toMatchObject([{ guid: change.guid, number: change.number, title: 'Parts of the week' }]);
    const items = await itemsOf(change.guid);
    expect(items.map(({ newItemRevision }: Answer['body']) => newItemRevision.number)).toEqual(['A-1', 'A-2']);
    // A change has all views of an item that was never released.
    expect(items[0]).toMatchObject({ affectedItemRevision: null, specsView: VIEW, bomView: VIEW, filesView: VIEW });
  });

  test('a released item is added with the view that the rows change, and once', async () => {
    const first = await openChange();
    const into = (change: { number: string }) => ({ addToChange: change.number });
    await session.importNow(
      await session.define('ITEM_SPECS', 'CREATE', into(first)),
      'number,name\r\nB-1,Top\r\nB-2,Part\r\n',
    );
    await move(first.guid, 'SUBMITTED', 'APPROVED');
    const second = await openChange();
    const lines = 'number,item.number,quantity\r\nB-1,B-2,1\r\n';
    const bom = await session.define('ITEM_BOM', 'CREATE', into(second));
    const { run } = await session.importNow(bom, lines);
    expect(run).toMatchObject({ successCount: 1, changes: [{ number: second.number }] });
    const edit = await session.define('ITEM_SPECS', 'EDIT', into(second));
    const added = async () =>
      (await itemsOf(second.guid)).map((item: Answer['body']) => [
        item.newItemRevision.number,
        item.affectedItemRevision.revisionStatus,
        ...['bomView', 'specsView', 'filesView', 'sourcingView'].filter((view) => item[view]?.includedInThisChange),
      ]);
    expect(await added()).toEqual([['B-1', 'EFFECTIVE', 'bomView']]);
    await session.importNow(edit, 'number,name\r\nB-1,Top of all\r\n');
    expect(await added()).toEqual([['B-1', 'EFFECTIVE', 'bomView', 'specsView']]);
  });

  test('a change that was submitted takes no run, and a validated run is not committed into it', async () => {
    const change = await openChange();
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { addToChange: change.guid });
    const rows = 'number,name\r\nC-1,One\r\n';
    const validated = await session.submit(definition, rows, { commit: 'false' });
    await session.finished(validated);
    await move(change.guid, 'SUBMITTED');
    const refused = await session.send('PUT', validated, { commit: true });
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 4013]);
    expect((await session.get(validated)).commit).toBe(false);
    await expect(session.submit(definition, rows)).rejects.toThrow(change.number);
    expect(await session.items('C-1')).toEqual([]);
  });

  test('a definition that describes a change gets a new one with each commit, and none before', async () => {
    const count = async () => (await session.get('/changes?limit=400')).results.length;
    const before = await count();
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { addToChange: body(category, 'New') });
    expect((await session.get(definition)).options.addToChange).toEqual(body(category, 'New'));
    const validated = await session.submit(definition, 'number,name\r\nD-1,One\r\n', { commit: 'false' });
    expect((await session.finished(validated)).changes).toEqual([]);
    expect(await count()).toBe(before);
    for (const _ of ['commit', 'and again']) await session.send('PUT', validated, { commit: true });
    const first = (await session.finished(validated)).changes;
    const second = (await session.importNow(definition, 'number,name\r\nD-2,Two\r\n')).run.changes;
    expect([first.length, second.length, await count()]).toEqual([1, 1, before + 2]);
    expect(second[0].number).not.toBe(first[0].number);
    expect(await itemsOf(second[0].guid)).toMatchObject([{ newItemRevision: { number: 'D-2' } }]);
    await session.send('DELETE', `/changes/${second[0].guid}`);
    expect((await session.get(`${definition}/runs`)).results[0].changes).toEqual([]);
  });

  test.each([
    ['ECO-none', 3012],
    [{ title: 'Without a category' }, 3001],
    [{ ...body('x'), color: 'red' }, 3004],
    [{ ...body('0'.repeat(20)) }, 3011],
  ])('a definition with %j is refused', async (addToChange, code) => {
    const answer = await session.send('POST', '/imports', {
      ...{ name: 'x', resource: 'ITEM_SPECS', mode: 'CREATE', options: { addToChange } },
    });
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  });
});

const VIEW = { includedInThisChange: true };
