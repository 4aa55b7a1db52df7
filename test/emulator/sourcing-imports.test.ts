import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, csv, Session } from '../harness/session.js';

describe.each(['reference', 'arena'])('sourcing of items, dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;
  let counter = 0;
  let item: string;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
  });

  afterAll(() => workspace.stop());

  beforeEach(async () => {
    counter += 1;
    item = `PART-${counter}`;
    await imported('ITEM_SPECS', 'CREATE', 'number,name', `${item},Part`);
  });

  async function imported(resource: string, mode: string, ...rows: string[]): Promise<string[]> {
    return (await session.importNow(await session.define(resource, mode), csv(...rows))).errors;
  }

  const begin = (lines: readonly string[]) => lines.map((line) => line.split(',').slice(0, 4).join(','));
  const guid = async () => (await session.items(item))[0].guid;
  const sources = async (): Promise<Answer['body'][]> => (await session.get(`/items/${await guid()}/sourcing`)).results;

  const HEADER = 'number,supplier.name,supplierItem.number,supplierItem.name,approvalStatus.name,priority,notes';

  test('CREATE links an item to supplier items, and creates missing ones (interface 9, 2025.3)', async () => {
    const rows = [
      `${item},Acme,AC-${counter},Bolt,Approved,1,first`,
      `${item},Bolts & Co,AC-${counter},,,2,`,
      `${item},Acme,AC-${counter},,,,`,
      `${item},Acme,,,,,`,
      `absent,Acme,AC-1,,,,`,
    ];
    const errors = await imported('ITEM_SOURCING', 'CREATE', HEADER, ...rows);
    expect(begin(errors)).toEqual([`4,${item},Error,3025`, `5,${item},Error,3001`, '6,absent,Error,3012']);
    const [first, second] = await sources();
    expect(first).toMatchObject({
      item: { number: item },
      supplierItem: { number: `AC-${counter}`, name: 'Bolt', supplier: { name: 'Acme' } },
      approvalStatus: { name: 'Approved' },
      priority: 1,
      notes: 'first',
    });
    expect(second.supplierItem.supplier.name).toBe('Bolts & Co');
    expect(await session.get(`/items/${await guid()}/sourcing/${first.guid}`)).toEqual(first);
    const supplierItem = await session.get(`/supplieritems/${first.supplierItem.guid}`);
    expect(supplierItem).toMatchObject({ number: `AC-${counter}`, name: 'Bolt', supplier: { name: 'Acme' } });
    const path = `/supplieritems/${supplierItem.guid}/sourcing`;
    const { mfrItem, vendorItem } = first;
    const related = { guid: first.guid, item: { number: item }, notes: 'first', approved: true, mfrItem, vendorItem };
    expect((await session.get(path)).results).toMatchObject([related]);
    expect(await session.get(`${path}/${first.guid}`)).toMatchObject(related);
    const suppliers = (await session.get('/suppliers?name=Acme')).results;
    expect(suppliers).toHaveLength(1);
    const own = { ...suppliers[0], addresses: [], phoneNumbers: [], additionalAttributes: [] };
    expect(await session.get(`/suppliers/${suppliers[0].guid}`)).toEqual(own);
    const found = (await session.get(`/supplieritems?supplier.name=Acme&number=AC-${counter}`)).results;
    expect([{ ...found[0], additionalAttributes: [] }]).toEqual([supplierItem]);
  });

  test('EDIT, OVERWRITE and DELETE by item and supplier item', async () => {
    const row = (more: string) => `${item},Acme,E-${counter},${more}`;
    expect(begin(await imported('ITEM_SOURCING', 'EDIT', HEADER, row(',,3,')))).toEqual([`2,${item},Error,3012`]);
    expect(await imported('ITEM_SOURCING', 'OVERWRITE', HEADER, row(',Approved,3,note'))).toEqual([]);
    expect(await imported('ITEM_SOURCING', 'EDIT', HEADER, row('Nut,Conditional,,[Remove Value]'))).toEqual([]);
    expect(await sources()).toMatchObject([
      { supplierItem: { name: 'Nut' }, approvalStatus: { name: 'Conditional' }, priority: 3, notes: null },
    ]);
    const [{ supplierItem }] = (await sources()) as [Answer['body']];
    expect(
      await imported('ITEM_SOURCING', 'DELETE', 'number,supplierItem.guid', `${item},${supplierItem.guid}`),
    ).toEqual([]);
    expect(await sources()).toEqual([]);
    expect((await session.send('GET', `/supplieritems/${supplierItem.guid}`)).status).toBe(200);
  });

  test('only unlocked item versions accept sourcing (interface 7)', async () => {
    const path = `/embedded/items/${await guid()}`;
    expect((await session.send('PUT', path, { isLocked: true })).body).toMatchObject({ number: item, isLocked: true });
    expect((await session.items(item))[0].isLocked).toBe(true);
    const rows = [HEADER, `${item},Acme,L-${counter},,,,`];
    const errors = await imported('ITEM_SOURCING', 'CREATE', ...rows);
    expect(begin(errors)).toEqual([`2,${item},Error,3224`]);
    expect(errors[0]).toContain('locked');
    expect(await imported('ITEM_SPECS', 'EDIT', 'number,name', `${item},Renamed`)).toEqual([]);
    expect((await session.items(item))[0].isLocked).toBe(true);
    await session.send('PUT', path, { isLocked: false });
    expect(await imported('ITEM_SOURCING', 'CREATE', ...rows)).toEqual([]);
  });

  test('the country of origin is read-only: a row that writes it fails and names it (interface 7)', async () => {
    const header = 'number,supplier.name,supplierItem.number,supplierItem.countryOfOrigin';
    const rows = [`${item},Acme,C-${counter},Japan`, `${item},Acme,D-${counter},`];
    const errors = await imported('ITEM_SOURCING', 'CREATE', header, ...rows);
    expect(begin(errors)).toEqual([`2,${item},Error,3032`]);
    expect(errors[0]).toContain('countryOfOrigin');
    expect(await sources()).toHaveLength(1);
    const { results } = await session.get('/settings/supplieritems/attributes?limit=400');
    const country = results.find(({ apiName }: { apiName: string }) => apiName === 'countryOfOrigin');
    expect(country).toMatchObject({ creatable: false, editable: false });
  });

  test('the mode REPLACE does not exist for sourcing; unknown GUIDs are refused', async () => {
    const body = { name: 'x', resource: 'ITEM_SOURCING', mode: 'REPLACE', options: {} };
    const { status, body: answer } = await session.send('POST', '/imports', body);
    expect([status, answer.errors[0].code]).toEqual([400, 3006]);
    for (const path of ['/suppliers/nothing', '/supplieritems/nothing', `/items/${await guid()}/sourcing/nothing`]) {
      expect((await session.send('GET', path)).body.errors[0].code).toBe(3011);
    }
  });
});
