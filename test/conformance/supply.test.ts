import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Answer, type Method, Session } from '../harness/session.js';

/** A form with a file in the part `content`. */
function withFile(content: string | Uint8Array<ArrayBuffer>, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('content', new Blob([content]), 'drawing.png');
  return form;
}

describe.each(['arena', 'reference'])('supplier items, sourcing, compliance and images, dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;
  let supplier: string;
  let counter = 0;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
    supplier = (await session.post('/suppliers', { name: 'Acme' })).guid;
    const rows = 'number,name\r\nTOP,Top\r\nMID,Middle\r\nLOW,Low\r\nLOCKED,Locked\r\n';
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), rows);
    const bom = 'number,item.number,quantity\r\nTOP,MID,1\r\nMID,LOW,2\r\n';
    await session.importNow(await session.define('ITEM_BOM', 'CREATE'), bom);
  });

  afterAll(() => workspace.stop());

  const item = async (number: string): Promise<string> => (await session.items(number))[0].guid;
  const supplierItem = async (): Promise<{ readonly guid: string }> => {
    counter += 1;
    const { guid } = await session.post('/supplieritems', { number: `S-${counter}`, supplier: { guid: supplier } });
    return { guid };
  };
  const answer = (method: Method, path: string, body?: unknown): Promise<Answer> => session.send(method, path, body);
  const code = async (method: Method, path: string, body?: unknown): Promise<number> => {
    const { status, body: refusal } = await answer(method, path, body);
    return refusal.errors?.[0].code ?? status;
  };
  const requirement = async (root: string): Promise<{ readonly guid: string }> => {
    const { guid } = (await session.get(`/settings/${root}/requirements`)).results[0];
    return { guid };
  };

  test('a supplier item belongs to a supplier, and stays while an item is bought as it', async () => {
    const path = '/supplieritems';
    const body = { number: 'AC-1', supplier: { guid: supplier }, name: 'Bolt', offTheShelf: true };
    const { guid } = await session.post(path, body);
    expect((await answer('PUT', `${path}/${guid}?setnull=true`, { name: null, type: 'process' })).body).toMatchObject({
      ...{ number: 'AC-1', name: null, type: 'PROCESS', offTheShelf: true, supplier: { name: 'Acme' } },
    });
    expect((await session.get(`${path}?supplier.name=Acme&number=AC*`)).count).toBe(1);
    expect(await code('POST', path, { ...body, supplier: { guid } })).toBe(3043);
    expect(await code('PUT', `${path}/${guid}`, { type: 'GADGET' })).toBe(3006);
    const sources = `/items/${await item('LOW')}/sourcing`;
    const relation = await session.post(sources, { vendorItem: { guid }, approved: false });
    expect(await code('DELETE', `${path}/${guid}`)).toBe(3016);
    expect(await code('DELETE', `${sources}/${relation.guid}`)).toBe(204);
    expect(await code('DELETE', `${path}/${guid}`)).toBe(204);
    expect(await code('GET', `${path}/${guid}`)).toBe(3011);
  });

  test('an item is bought directly or from two, or made once; both ends show it, and imports know the direct ones', async () => {
    const [one, other] = [await supplierItem(), await supplierItem()];
    const sources = `/items/${await item('LOW')}/sourcing`;
    const direct = await session.post(sources, { mfrItem: one, vendorItem: one, approved: true, amlRank: 1 });
    const indirect = await session.post(sources, { mfrItem: one, vendorItem: other });
    expect(await code('POST', sources, { makeItem: true })).toBe(201);
    const found = (await session.get(sources)).results;
    expect(found).toMatchObject([
      { guid: direct.guid, mfrItem: one, vendorItem: one, supplierItem: one, vendorItemConversionFactor: 1 },
      { guid: indirect.guid, mfrItem: one, vendorItem: other, supplierItem: null, approved: false },
      { makeItem: true, mfrItem: null, vendorItem: null, vendorItemConversionFactor: null },
    ]);
    expect((await session.get(`/supplieritems/${other.guid}/sourcing`)).results).toMatchObject([
      { guid: indirect.guid, item: { number: 'LOW' } },
    ]);
    expect((await session.get(`/supplieritems/${one.guid}/sourcing`)).count).toBe(2);
    const rows = `number,supplierItem.guid,notes\r\nLOW,${one.guid},seen\r\n`;
    expect((await session.importNow(await session.define('ITEM_SOURCING', 'EDIT'), rows)).errors).toEqual([]);
    expect(await session.get(`${sources}/${direct.guid}`)).toMatchObject({ notes: 'seen', amlRank: 1, mfrItem: one });
    const made = { makeItem: true };
    const nothing = { guid: supplier };
    for (const [body, expected] of [
      [{}, 3001],
      [made, 3051],
      [{ ...made, mfrItem: one }, 3243],
      [{ ...made, vendorItem: one }, 3244],
      [{ ...made, vendorItemConversionFactor: 2 }, 3247],
      [{ mfrItem: nothing }, 3245],
      [{ vendorItem: nothing }, 3246],
      [{ vendorItem: one, approved: true, amlRank: 99 }, 3248],
      [{ vendorItem: one, amlRank: 2 }, 3249],
    ] as const) {
      expect(await code('POST', sources, body), JSON.stringify(body)).toBe(expected);
    }
    expect(
      (await answer('PUT', `${sources}/${direct.guid}?setnull=true`, { amlRank: null, amlSplit: 40 })).body,
    ).toMatchObject({ amlRank: null, approved: true });
  });

  test('approved sources of a locked item neither come nor change', async () => {
    const [guid, vendorItem] = [await item('LOCKED'), await supplierItem()];
    const sources = `/items/${guid}/sourcing`;
    const approved = await session.post(sources, { vendorItem, approved: true });
    await session.send('PUT', `/embedded/items/${guid}`, { isLocked: true });
    expect(await code('POST', sources, { vendorItem, approved: true })).toBe(3040);
    expect(await code('PUT', `${sources}/${approved.guid}`, { notes: 'x' })).toBe(3242);
    expect(await code('POST', sources, { vendorItem, approved: false })).toBe(201);
  });

  test('a requirement that is propagated is one of the whole BOM, and the worst status below it counts', async () => {
    const [top, low] = [`/items/${await item('TOP')}/compliance`, `/items/${await item('LOW')}/compliance`];
    const body = { requirement: await requirement('items'), status: 'COMPLIANT' };
    const entry = await session.post(top, body);
    expect(entry).toMatchObject({ status: 'UNKNOWN', propagated: false, evidenceType: 'NONE' });
    expect(entry.lastModifiedBy.fullName).toBeTruthy();
    const [below] = (await session.get(low)).results;
    expect(below).toMatchObject({ status: 'UNKNOWN', propagated: true });
    const status = async (): Promise<string> => (await session.get(`${top}/${entry.guid}`)).status;
    const [middle] = (await session.get(`/items/${await item('MID')}/compliance`)).results;
    await answer('PUT', `/items/${await item('MID')}/compliance/${middle.guid}`, { status: 'COMPLIANT' });
    await answer('PUT', `${low}/${below.guid}`, { status: 'COMPLIANT', evidenceType: 'AML_AND_FILES' });
    expect(await status()).toBe('COMPLIANT');
    const source = await supplierItem();
    const own = { requirement: await requirement('supplieritems'), status: 'NON_COMPLIANT' };
    const sourceEntries = `/supplieritems/${source.guid}/compliance`;
    const sourceEntry = await session.post(sourceEntries, own);
    await session.post(`/items/${await item('LOW')}/sourcing`, { vendorItem: source, approved: false });
    expect(await status()).toBe('COMPLIANT');
    await session.post(`/items/${await item('LOW')}/sourcing`, { vendorItem: source, approved: true });
    expect(await status()).toBe('NON_COMPLIANT');
    expect(await code('DELETE', `${low}/${below.guid}`)).toBe(3287);
    expect([await code('POST', top, body), await code('POST', sourceEntries, own)]).toEqual([3285, 3286]);
    expect(await code('POST', top, { requirement: own.requirement })).toBe(3081);
    expect(await code('PUT', `${top}/${entry.guid}`, { evidenceType: 'RUMOUR' })).toBe(3082);
    expect(await code('PUT', `${top}/${entry.guid}`, { status: 'FINE' })).toBe(3083);
    expect(await code('DELETE', `${sourceEntries}/${sourceEntry.guid}`)).toBe(200);
    expect(await status()).toBe('COMPLIANT');
    expect(await code('DELETE', `${top}/${entry.guid}`)).toBe(200);
    expect((await session.get(top)).count).toBe(0);
  });

  test.each(['items', 'supplieritems'])('files and the image of %s', async (root) => {
    const guid = root === 'items' ? await item('MID') : (await supplierItem()).guid;
    const [files, image] = [`/${root}/${guid}/files`, `/${root}/${guid}/image`];
    const form = withFile('pixels', { 'file.title': 'Picture', 'file.edition': '1', primary: 'true' });
    const uploaded = await session.post(files, form);
    expect(uploaded).toMatchObject({ primary: true, file: { title: 'Picture', size: 6, name: 'drawing.png' } });
    const content = async (path: string): Promise<string> => String(await session.bytes(`${path}/content`));
    const own = `${files}/${uploaded.guid}`;
    expect(await code('POST', `${own}/content`, withFile('new pixels'))).toBe(201);
    expect(await content(own)).toBe('new pixels');
    const address = { title: 'Page', edition: '1', storageMethodName: 'WEB', location: 'https://example.com' };
    const page = await session.post(files, { file: address, primary: false });
    expect(page).toMatchObject({ primary: false, file: { title: 'Page', location: 'https://example.com' } });
    expect((await answer('PUT', `${files}/${page.guid}`, { primary: true })).body.primary).toBe(true);
    expect(await code('POST', files, { file: { guid: uploaded.file.guid } })).toBe(3097);
    expect(await code('POST', files, { file: { guid: '' } })).toBe(3098);
    expect(await code('POST', files, { file: { title: 'Page' } })).toBe(3001);
    const [others] = [`/files/${uploaded.file.guid}/${root === 'items' ? 'items' : 'supplieritems'}`];
    expect((await session.get(others)).count).toBe(1);

    expect(await code('GET', `${image}/content`)).toBe(3531);
    expect(await session.post(image, { guid: uploaded.file.guid })).toEqual({ guid: uploaded.file.guid });
    expect(await content(image)).toBe('new pixels');
    expect(await code('POST', image, withFile('only an image'))).toBe(201);
    expect(await content(image)).toBe('only an image');
    expect(await code('POST', image, withFile(new Uint8Array(10 * 1024 * 1024 + 1)))).toBe(3530);
    expect(await code('POST', image, { guid: supplier })).toBe(3532);
    expect(await code('POST', image, {})).toBe(3033);
    expect(await content(image)).toBe('only an image');
    expect([await code('DELETE', image), await code('DELETE', image)]).toEqual([204, 3531]);

    expect(await code('DELETE', own)).toBe(204);
    expect([await code('DELETE', own), await code('GET', `${own}/content`)]).toEqual([3029, 3029]);
    expect(await code('GET', `/files/${uploaded.file.guid}`)).toBe(200);
  });

  test('an association follows the latest edition, and one with an older edition cannot', async () => {
    const files = `/items/${await item('TOP')}/files`;
    const { file } = await session.post(files, withFile('one', { 'file.edition': '1' }));
    await session.post(`/files/${file.guid}/editions`, withFile('two', { edition: '2' }));
    const [entry] = (await session.get(files)).results;
    expect([entry.file.edition, entry.latestEditionAssociation]).toEqual(['2', true]);
    expect(await code('POST', files, { file: { guid: file.guid }, latestEditionAssociation: true })).toBe(3400);
    expect(await session.post(files, { file: { guid: file.guid } })).toMatchObject({ latestEditionAssociation: false });
  });

  test('what imports write, too, waits for the run that is open', async () => {
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE');
    const rows = Array.from({ length: 5_000 }, (_, index) => `W-${index},Part\r\n`).join('');
    const path = await session.submit(definition, `number,name\r\n${rows}`, { commit: 'false' });
    await supplierItem();
    expect((await session.get(path)).status).toBe('COMPLETE');
  });

  test('what belongs to a deleted item or supplier item is deleted with it', async () => {
    await session.importNow(await session.define('ITEM_SPECS', 'CREATE'), 'number,name\r\nGONE,Gone\r\n');
    const path = `/items/${await item('GONE')}`;
    const { file } = await session.post(`${path}/files`, withFile('x', { 'file.edition': '1' }));
    await session.post(`${path}/compliance`, { requirement: await requirement('items') });
    await session.post(`${path}/image`, { guid: file.guid });
    const deletion = await session.importNow(await session.define('ITEM_SPECS', 'DELETE'), 'number\r\nGONE\r\n');
    expect(deletion.errors).toEqual([]);
    expect(await code('GET', `${path}/compliance`)).toBe(3011);
    const { guid } = await supplierItem();
    await session.post(`/supplieritems/${guid}/files`, { file: { guid: file.guid } });
    expect((await session.get(`/files/${file.guid}/supplieritems`)).results).toMatchObject([
      { supplierItem: { guid } },
    ]);
    expect(await code('DELETE', `/supplieritems/${guid}`)).toBe(204);
    expect((await session.get(`/files/${file.guid}/supplieritems`)).count).toBe(0);
    expect((await session.get(`/files/${file.guid}/items`)).count).toBe(0);
  });
});
