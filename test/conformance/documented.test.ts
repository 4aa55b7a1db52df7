import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { type Method, Session } from '../harness/session.js';
import { startWorkspace, temporaryFolder } from '../harness/start-workspace.js';
import { lines as all, differences, type Line, setAt, shapeAt, type Written } from './description.js';

/** The collections that are answered by the description, with all that belongs to their objects. */
const ROOTS = [
  ...['suppliers', 'supplieritems', 'qualityprocesses', 'trainingplans', 'requests', 'changes', 'tickets', 'files'],
  'items',
];

/** What needs a file or a BOM of its own: `files.test.ts`, `supply.test.ts`, `alerts.test.ts`. */
const ABSENT = /\/(content|corrections|image)/;

/** Reads that show more than is documented, as those of imports need it, and the author by name alone. */
const WHOLE = ['GET /files', 'GET /files/{guid}'];

const isWalked = (path: string): boolean => ROOTS.includes(path.split('/')[1] ?? '') && !ABSENT.test(path);

const lines = all.filter(({ path }) => isWalked(path));

/** Where an object of each name is found; other names are those of settings of the collection. */
const LISTS: Readonly<Record<string, string>> = {
  ...{ user: '/settings/users', manager: '/settings/users', assignee: '/settings/users' },
  ...{ owner: '/settings/users', users: '/settings/users', userGroups: '/settings/usergroups' },
  ...{ userGroup: '/settings/usergroups', quality: '/qualityprocesses', affected: '/items' },
  ...{ newItemRevision: '/items', newLifecyclePhase: '/settings/items/lifecyclephases' },
  ...{ item: '/items', items: '/items', file: '/files', evaluatorGroup: '/settings/requests/evaluatorgroups' },
  ...{ change: '/changes', request: '/requests', ticket: '/tickets', trainingplan: '/trainingplans' },
  ...{ supplier: '/suppliers', mfrItem: '/supplieritems', vendorItem: '/supplieritems' },
};

/** What takes items only that were released; the second one is. */
const OF_RELEASED = /substitutes$|^\/items\/\{guid\}\/items$/;

/** Values that samples do not show: a supplier has one primary address, and an item that we make ourselves has no supplier. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ approvalStatus: 'approved', primary: false, 'addresses[].primary': false, makeItem: false },
  ...{ 'owner.fullName': 'Ada Admin', quantity: 1, refDes: 'R1', rank: 1, offTheShelf: true, shared: true },
  ...{ standardCost: 7, targetCost: 7, targetPrice: 7 },
};

/**
 * Attributes have types of their own, a file is named or described, a ticket has a number or a prefix, a step concerns
 * an object or an address, and its assignees are users or groups.
 */
const LEFT_OUT = /ttributes|^affected\.(link|display|description|step)|numberFormat|userGroups|^assignee\.guid/;

const isLeftOut = (key: string, path: string): boolean =>
  LEFT_OUT.test(key) ||
  (path === '/tickets' && key === 'number') ||
  (path.endsWith('}/files') && /^file\.(?!guid)/.test(key));

/** The settings that requests only read. */
const SETTINGS = [
  ...['changes/administrators', 'changes/implementationstatuses', 'changes/numbersequenceprefixes', 'changes/routings'],
  ...['requests/administrators', 'requests/evaluatorgroups', 'requests/numbersequenceprefixes'],
  ...['requests/numbersequences', 'tickets/numbersequenceprefixes', 'tickets/numbersequences', 'tickets/templates'],
  ...['qualityprocesses/numberformats', 'qualityprocesses/templates', 'items/requirements'],
  ...['supplieritems/requirements'],
  ...['trainingplans/managers', 'trainingplans/numbersequences', 'changes/items/attributes', 'export/attributes'],
  ...['requests/items/attributes', 'requests/statuschangeattributes', 'qualityprocesses/steps/attributes'],
  ...['qualityprocesses/owners', 'recentactivities/useraccesses'],
];

/** Keys that one sample alone has, beside `count` and `results`. */
const SLIPS = ['/settings/qualityprocesses/numberformats.statusCode is missing'];

/** What imports write, or interface 2.4 and the page of items name, and answers show although no sample does. */
const IMPORTED =
  /^\/(supplieritems|items).*\.(leadTime|countryOfOrigin|lastModifiedDateTime|url|name|item|supplierItem|approvalStatus|priority|latestEditionAssociation|isLocked|revisionStatus) is not documented$/;

const settingsLines = all.filter(({ path }) => path.startsWith('/settings/'));

const lineAt = (method: Method, path: string) => lines.find((one) => one.method === method && one.path === path);

const isRoot = (path: string): boolean => path.split('/').length === 3;

/** The collections of what belongs to an entry. */
function segmentsOf(path: string): ReadonlySet<string> {
  const below = lines.filter((line) => line.path.startsWith(`${path}/`));
  return new Set(below.map((line) => line.path.slice(path.length + 1).split('/')[0] ?? ''));
}

/** The value of a plain key of a body, as samples show it. */
function plainValue(key: string, written: Written | undefined): unknown {
  if (key in VALUES) return VALUES[key];
  if (/Date(Time)?$/.test(key)) return '2027-01-31T08:00:00Z';
  const [types = 'string', values] = (typeof written === 'string' ? written : 'string').split(':');
  if (values !== undefined) return values.split(',')[0];
  if (types.includes('number')) return 7;
  return types.includes('boolean') ? true : `Text of ${key}`;
}

describe.each(['arena', 'reference'])('endpoints that the description answers, dialect %s', (dialect) => {
  let workspace: HostedWorkspace;
  let session: Session;

  beforeAll(async () => {
    workspace = await openHosted('--dialect', dialect);
    session = await Session.open(workspace);
    const files = await session.define('FILE_SUMMARY', 'CREATE');
    await session.importNow(files, 'number,title\r\nF-1,Drawing\r\n');
    const markup = { title: 'Notes', storageMethodName: 'WEB', location: 'https://example.com/notes' };
    await session.post(`/files/${await guidFor('file', '')}/markups`, { markup });
    const template = await guidFor('template', '/tickets');
    await session.post('/tickets', { title: 'Another ticket', template: { guid: template } });
    await release((await session.get('/items')).results[1].guid);
  });

  afterAll(() => workspace.stop());

  const guidFor = async (name: string, path: string): Promise<string> => {
    const settings = `/settings/${path.split('/')[1]}`;
    const own: Readonly<Record<string, string>> = {
      category: `${settings}/categories`,
      requirement: `${settings}/requirements`,
      template: `${settings}/templates`,
    };
    const isMarkup = name === 'file' && path.endsWith('/markupfiles');
    if (isMarkup) return (await session.get(`/files/${await guidFor('file', '')}/markups`)).results[0].guid;
    const steps = name === 'step' ? `/qualityprocesses/${await guidFor('quality', path)}/steps` : undefined;
    const list = own[name] ?? LISTS[name] ?? steps ?? `${settings}/${name}`;
    // The first category is structural, and takes no objects.
    const index = name === 'category' ? -1 : Number(OF_RELEASED.test(path));
    return (await session.get(list)).results.at(index).guid;
  };

  /** Makes the first revision of an item effective. */
  const release = async (guid: string): Promise<void> => {
    const line = lineAt('POST', '/items/lifecyclephasechanges') as Line;
    const { results } = await session.get('/settings/items/lifecyclephases?name=In Design');
    await play(line, line.path, { item: { guid }, toLifecyclePhase: { guid: results[0].guid } });
  };

  const bodyOf = async ({ path, body, request }: Line): Promise<object> => {
    const prefixes = await session.get(`/settings/${path.split('/')[1]}/numbersequenceprefixes`);
    const given: Record<string, unknown> = {};
    for (const key of body.filter((one) => !isLeftOut(one, path))) {
      const names = key.split('.');
      const isGuid = names.at(-1) === 'guid';
      const prefix = prefixes.results?.[0]?.value ?? 'TRN-';
      const plain = key === 'numberSequencePrefix.value' ? prefix : plainValue(key, shapeAt(request, key));
      setAt(given, names, isGuid ? await guidFor(names.at(-2)?.replace('[]', '') ?? '', path) : plain);
    }
    return given;
  };

  /** Sends a request and compares the status and keys of the answer with the description. */
  const play = async ({ method, path, status, answer: shape }: Line, at: string, body?: object) => {
    const answer = await session.send(method, at, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status);
    const found = shape === undefined ? [] : differences(shape, answer.body, path);
    const isMore = (one: string) => WHOLE.includes(`${method} ${path}`) && /is not documented$|\.author/.test(one);
    expect(found.filter((one) => !SLIPS.includes(one) && !isMore(one) && !IMPORTED.test(one))).toEqual([]);
    return answer.body;
  };

  /** Creates and lists entries of `path`, which are at `at`, and walks through the new one. */
  const walk = async (path: string, at: string): Promise<void> => {
    const [create, list] = [lineAt('POST', path), lineAt('GET', path)];
    const created = create && (await play(create, at, await bodyOf(create)));
    if (path === '/items') await release(created.guid);
    const { count, results } = list ? await play(list, at) : { count: 1, results: [] };
    if (created !== undefined) expect(count).toBeGreaterThan(0);
    const entry = created ?? results[0];
    if (entry !== undefined) await walkEntry(`${path}/{guid}`, `${at}/${entry.guid ?? entry.address.guid}`);
  };

  /** Reads and changes an entry, walks through what belongs to it, and deletes it unless others need it. */
  const walkEntry = async (path: string, at: string): Promise<void> => {
    const [get, update, remove] = [lineAt('GET', path), lineAt('PUT', path), lineAt('DELETE', path)];
    if (get) await play(get, at);
    if (update) await play(update, at, await bodyOf(update));
    for (const segment of segmentsOf(path)) await walk(`${path}/${segment}`, `${at}/${segment}`);
    if (remove && !isRoot(path)) await play(remove, at);
  };

  test.each(ROOTS)('%s and what belongs to them have the documented keys, types and statuses', (root) =>
    walk(`/${root}`, `/${root}`),
  );

  test.each(SETTINGS)('the settings %s have the documented keys and types, in the list and singly', async (segment) => {
    const path = `/settings/${segment}`;
    const [list, get] = [path, `${path}/{guid}`].map((one) => settingsLines.find((line) => line.path === one));
    const { results } = await play(list as Line, path);
    expect(results.length).toBeGreaterThan(0);
    if (get) await play(get, `${path}/${results[0].guid}`);
  });

  test.each([
    ['changes', 'lifecycleStatus', ['SUBMITTED', 'APPROVED', 'COMPLETED', 'EFFECTIVE']],
    ['requests', 'lifecycleStatus', ['SUBMITTED', 'UNSUBMITTED', 'SUBMITTED']],
    ['tickets', 'status', ['IN_PROGRESS', 'COMPLETE', 'NOT_STARTED']],
    ['trainingplans', 'status', ['CLOSED', 'OPEN']],
  ])('%s move from state to state, and the answers have the documented keys', async (root, field, states) => {
    const by = root === 'trainingplans' ? 'trainingplan' : root.slice(0, -1);
    const line = lineAt('POST', `/${root}/statuschanges`) as Line;
    const { results } = await session.get(`/${root}`);
    const { guid } = results.at(-1);
    const comment = line.body.includes('comment') ? { comment: 'As planned' } : {};
    for (const status of states) await play(line, line.path, { [by]: { guid }, status, ...comment });
    const after = await session.get(`/${root}/${guid}`);
    expect(JSON.stringify(after[field]).toUpperCase()).toContain(states.at(-1)?.replace('_', ' ').split(' ')[0]);
    const refused = await session.send('POST', line.path, { [by]: { guid }, status: 'NO_SUCH_STATE' });
    expect([refused.status, refused.body.errors[0].code]).toEqual([400, 3006]);
  });

  test('a quality process is completed once; its sign-off steps are not completed by this call (wire-facts 8.7)', async () => {
    const line = lineAt('POST', '/qualityprocesses/statuschanges') as Line;
    const { guid } = (await session.get('/qualityprocesses')).results.at(-1);
    const steps = (await session.get(`/qualityprocesses/${guid}/steps`)).results;
    const complete = (step?: { readonly guid: string }) => ({
      qualityProcess: { guid, ...(step && { step: { guid: step.guid } }) },
      ...{ complete: true, comment: 'Done' },
    });
    const code = async (body: object) => (await session.send('POST', line.path, body)).body.errors[0].code;
    await play(line, line.path, complete(steps[0]));
    expect(await session.get(`/qualityprocesses/${guid}`)).toMatchObject({ currentStep: { guid: steps[1].guid } });
    expect(
      (await session.send('PUT', `/qualityprocesses/${guid}/steps/${steps[0].guid}`, {})).body.errors[0].code,
    ).toBe(3173);
    expect(await code(complete(steps.at(-1)))).toBe(3165);
    expect(await play(line, line.path, complete())).toMatchObject({ status: 'COMPLETED' });
    expect(await code(complete())).toBe(3290);
  });

  test('lists of attributes are narrowed, and have possible values only if asked', async () => {
    const list = (path: string) => session.get(`/settings/${path}`);
    const names = async (path: string) => (await list(path)).results.map(({ apiName }: { apiName: string }) => apiName);
    expect(await names('requests/items/attributes')).toEqual(['item', 'notes']);
    expect(await names('requests/items/attributes?editableOnly=true')).toEqual(['notes']);
    expect(await names('export/attributes?searchableOnly=true&world=items')).toEqual(['description', 'name']);
    const moves = async (query: string) => (await list(`requests/statuschangeattributes${query}`)).results.at(-1);
    expect(await moves('')).not.toHaveProperty('possibleValues');
    expect(await moves('?includePossibleValues=true')).toMatchObject({ possibleValues: expect.any(Array) });
    const template = await guidFor('template', '/tickets');
    const line = settingsLines.find(({ path }) => path === '/settings/tickets/templates/{guid}/attributes') as Line;
    expect((await play(line, line.path.replace('{guid}', template))).count).toBeGreaterThan(0);
    expect((await session.send('GET', line.path.replace('{guid}', 'X'))).body.errors[0].code).toBe(3011);
  });

  test('changes of a category begin with tasks, and groups show their members by type', async () => {
    const at = (path: string, ...guids: string[]) => guids.reduce((found, guid) => found.replace('{guid}', guid), path);
    const line = (path: string) => settingsLines.find((one) => one.path === path) as Line;
    const templates = '/settings/changes/categories/{guid}/implementationtemplates';
    const category = await guidFor('category', '/changes');
    const [template] = (await play(line(templates), at(templates, category))).results;
    await play(line(`${templates}/{guid}`), at(`${templates}/{guid}`, category, template.guid));
    const group = (await session.post('/settings/usergroups', { name: 'Board' })).guid;
    const user = await guidFor('user', '');
    await session.post(`/settings/usergroups/${group}/users`, { guid: user });
    const members = '/settings/usergroups/{guid}/employees';
    expect((await play(line(members), at(members, group))).count).toBe(1);
    await play(line(`${members}/{guid}`), at(`${members}/{guid}`, group, user));
    expect((await session.get(at(members.replace('employees', 'partners'), group))).count).toBe(0);
  });

  test('a note of a task is meant without its GUID if there is no other (endpoints.md, "Slips")', async () => {
    const { results } = await session.get('/changes');
    const task = await session.post(`/changes/${results.at(-1).guid}/implementationtasks`, { name: 'Document it' });
    const notes = `/changes/${results.at(-1).guid}/implementationtasks/${task.guid}/notes`;
    const { guid } = await session.post(notes, { label: 'One' });
    const put = lineAt('PUT', '/changes/{guid}/implementationtasks/{guid}/notes') as Line;
    expect(await play(put, notes, { label: 'Other' })).toMatchObject({ guid, label: 'Other' });
    await session.post(notes, { label: 'Two' });
    expect((await session.send('DELETE', notes)).body.errors[0].code).toBe(3001);
    expect((await session.send('DELETE', `${notes}/${guid}`)).status).toBe(204);
    expect((await session.send('DELETE', notes)).status).toBe(204);
    expect((await session.get(notes)).count).toBe(0);
  });

  test('an update changes what its body has, and removes a value only with setnull (wire-facts 8)', async () => {
    const { guid } = await session.post('/suppliers', { name: 'Acme', website: 'acme.example', supplierId: 'A' });
    const put = (query: string, body: object) => session.send('PUT', `/suppliers/${guid}${query}`, body);
    expect((await put('', { description: 'Bolts' })).body).toMatchObject({ website: 'acme.example', supplierId: 'A' });
    expect((await put('', { website: null })).body.website).toBe('acme.example');
    expect((await put('?setnull=true', { website: null })).body).toMatchObject({ website: null, supplierId: 'A' });
    expect((await put('?setnull=true', { name: null })).body.name).toBe('Acme');
  });

  test('lists are searched as documented, by parts of references and ends of ranges too', async () => {
    const count = async (path: string): Promise<number> => (await session.get(path)).count;
    expect(await count('/trainingplans?manager.fullName=Ada*')).toBeGreaterThan(0);
    expect(await count('/trainingplans?manager.fullName=Nobody')).toBe(0);
    expect((await session.send('GET', '/changes?submissionDateTimeTo=2001-01-01')).body.errors[0].code).toBe(3019);
    expect(await count('/requests?submissionDateTimeFrom=2001-01-01&lifecycleStatus.type=SUBMITTED')).toBe(1);
    expect(await count('/requests?submissionDateTimeTo=2001-01-01')).toBe(0);
  });
});

test('a workspace file keeps what was created, and its settings are seeded once', async () => {
  const db = join(temporaryFolder(), 'workspace.db');
  const open = async () => {
    const workspace = await startWorkspace('--db', db);
    return { workspace, session: await Session.open(workspace) };
  };
  const before = await open();
  const [plan] = await Promise.all([
    before.session.post('/trainingplans', { name: 'Soldering' }),
    before.session.post('/trainingplans', { name: 'Gluing' }),
  ]);
  await before.workspace.stop();
  const after = await open();
  expect(await after.session.get(`/trainingplans/${plan.guid}`)).toEqual(plan);
  expect((await after.session.get('/settings/trainingplans/numbersequences')).count).toBe(1);
  const third = await after.session.post('/trainingplans', { name: 'Crimping' });
  expect(third.number).toBe('TRN-000003');
  await after.workspace.stop();
});

test('other methods and paths are refused as everywhere, and a body with each of its mistakes', async () => {
  const workspace = await openHosted();
  onTestFinished(() => workspace.stop());
  const session = await Session.open(workspace);
  const refusal = async (method: Method, path: string, body?: unknown) => {
    const answer = await session.send(method, path, body);
    return [answer.status, ...answer.body.errors.map(({ code }: { code: number }) => code)];
  };
  const patched = await session.send('PATCH', '/changes', {});
  expect([patched.status, patched.headers.get('allow')]).toEqual([405, 'GET, POST']);
  expect(await refusal('DELETE', '/changes')).toEqual([405, 405]);
  expect(await refusal('GET', '/changes/nothing/else')).toEqual([404, 404]);
  expect(await refusal('GET', '/changes/nothing')).toEqual([400, 3011]);
  expect(await refusal('POST', '/changes', [])).toEqual([400, 400]);
  const body = { title: 7, colour: 'red', category: {}, effectivityType: 'TEMPORARY', numberSequencePrefix: null };
  expect(await refusal('POST', '/changes', body)).toEqual([400, 3003, 3004, 3001, 3003]);
});
