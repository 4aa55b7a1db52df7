import { expect, onTestFinished, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { Session } from '../harness/session.js';

test('the alerts of a change name dates that passed, and unreleased children that it lacks (wire-facts 8.5)', async () => {
  const workspace = await openHosted('--dialect', 'arena');
  onTestFinished(() => workspace.stop());
  const session = await Session.open(workspace);
  await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nTOP,Top\r\nPART,Part\r\n');
  const lines = 'number,item.number,quantity\r\nTOP,PART,1\r\n';
  await session.importNow(await session.define('ITEM_BOM', 'CREATE'), lines);
  const category = (await session.get('/settings/changes/categories')).results.at(-1).guid;
  const { guid } = await session.post('/changes', {
    ...{ category: { guid: category }, title: 'Top', numberSequencePrefix: { value: 'ECO-' } },
    ...{ effectivityType: 'PERMANENT_ON_APPROVAL', approvalDeadlineDateTime: '2020-01-31T08:00:00Z' },
  });
  const add = async (number: string) => {
    const [item] = await session.items(number);
    await session.post(`/changes/${guid}/items`, { newItemRevision: { guid: item.guid } });
  };
  const alerts = async () => {
    const { count, results } = await session.get(`/changes/${guid}/alerts`);
    expect(count).toBe(results.length);
    return results.map(({ code }: { code: number }) => code);
  };
  expect(await alerts()).toEqual([5001]);
  await add('TOP');
  expect(await alerts()).toEqual([5001, 5183]);
  await add('PART');
  expect(await alerts()).toEqual([5001]);
});
