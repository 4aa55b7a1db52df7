import type { TestWorkspace } from '../harness/test-workspace.js';

/** How much people made in a workspace before anybody described it. */
export interface LivedIn {
  readonly definitions: number;
  readonly groups: number;
}

/**
 * A workspace that people kept manually: import definitions, two of them of one name, groups with members, triggers, an
 * integration with administrators, policies and a reservation.
 */
export async function livedIn({ call, administer }: TestWorkspace, { definitions, groups }: LivedIn): Promise<void> {
  const users = (await call('GET', '/settings/users')).body.results;
  const attributes = (await call('GET', '/settings/items/attributes')).body.results;
  const rohs = attributes.find(({ name }: { name: string }) => name === 'RoHS Status').guid;
  const post = async (path: string, body: object): Promise<{ guid: string }> => {
    const { status, body: made } = await administer('POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(made)}`);
    return made;
  };
  for (let count = 1; count <= definitions; count += 1) {
    const name = count <= 2 ? 'ERP items' : `Definition ${count}`;
    const options = {
      mapping: [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' },
        ...(count % 2 === 0 ? [{ resource: 'ITEM_SPECS', apiName: rohs, sourceName: 'RoHS' }] : []),
      ],
    };
    await post('/imports', { name, resource: 'ITEM_SPECS', mode: count % 2 === 0 ? 'EDIT' : 'OVERWRITE', options });
  }
  const made: string[] = [];
  for (let count = 1; count <= groups; count += 1) {
    const { guid } = await post('/settings/usergroups', { name: `Group ${count}`, description: `Group no. ${count}` });
    made.push(guid);
    for (const user of users.slice(0, count % 4)) await post(`/settings/usergroups/${guid}/users`, { guid: user.guid });
  }
  const trigger = await post('/settings/integrations/triggers', {
    name: 'New items',
    resource: 'ITEM',
    action: 'CREATE',
  });
  const integration = await post('/outboundevents', { name: 'ERP' });
  await post(`/outboundevents/${integration.guid}/triggers`, { guid: trigger.guid });
  await post(`/outboundevents/${integration.guid}/administrators`, { guid: users[0].guid });
  const rules = [{ resource: 'ITEM', actions: ['READ'] }];
  await post('/settings/policies', { name: 'Readers', userGroups: made.slice(0, 2).map((guid) => ({ guid })), rules });
  const categories = (await call('GET', '/settings/items/categories')).body.results;
  const { guid } = categories.find(({ name }: { name: string }) => name === 'Resistor');
  await post('/settings/items/numberreservations', { name: 'Spring', category: { guid }, quantity: 3 });
}
