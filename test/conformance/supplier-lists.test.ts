import { describe, expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const HQ = { label: 'HQ', address1: '1 Mill Lane', city: 'Leeds', country: 'UK', primary: true };
const DOCK = { label: 'Dock', city: 'Hull', primary: false };
const SALES = { number: '+44 113 1', label: 'Sales' };
const RETURNS = { number: '+44 113 1', extension: '17', comment: 'Mornings' };

type Entry = Readonly<Record<string, unknown>>;

/** A supplier as the workspace has it, and as a manifest describes it. */
async function scene(dialect: string, spec: object = { addresses: [HQ, DOCK], phoneNumbers: [SALES, RETURNS] }) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject();
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const write = (changed: object) => project.write('manifests/acme.yaml', manifest('Supplier', 'Acme', changed));
  const apply = async (changed: object): Promise<void> => {
    await write(changed);
    const { code, out, err } = await run('apply', '--yes');
    expect([code, err], out).toEqual([0, '']);
  };
  await apply(spec);
  const [{ guid }] = await workspace.pages('/suppliers');
  const path = (list: string): string => `/suppliers/${guid}/${list}`;
  const entries = async (list: 'addresses' | 'phonenumbers'): Promise<Entry[]> =>
    (await workspace.call('GET', path(list))).body.results;
  const addressesNow = async () =>
    (await entries('addresses')).map(({ address, primary }) => {
      const { label, city } = address as Entry;
      return [label, city, primary];
    });
  const requests = async (act: () => Promise<unknown>): Promise<string[]> => {
    const before = (await workspace.usage()).length;
    await act();
    const all = (await workspace.usage()).slice(before);
    return all.map(({ method, path: at }) => `${method} ${at.replaceAll(/\b[A-Z0-9]{20}\b/g, '*')}`);
  };
  const expectNothingToDo = async (): Promise<void> => {
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
    const sent = await requests(() => run('apply', '--yes'));
    expect(sent.filter((request) => !/^GET |\/log(in|out)$/.test(request))).toEqual([]);
  };
  return { ...{ workspace, project, run, write, apply, path, entries, addressesNow, requests, expectNothingToDo } };
}

/** The requests that write. */
const writesOf = (requests: readonly string[]): string[] =>
  requests.filter((request) => !/^GET |\/log(in|out)$/.test(request)).map((one) => one.replace('/suppliers/*/', ''));

describe.each(['reference', 'arena'])('addresses and phone numbers of a supplier, dialect %s', (dialect) => {
  test('each entry that differs is one request, and then the plan is empty', async () => {
    const { apply, requests, entries, addressesNow, expectNothingToDo } = await scene(dialect);
    expect(await addressesNow()).toEqual([
      ['HQ', 'Leeds', true],
      ['Dock', 'Hull', false],
    ]);
    expect(await entries('phonenumbers')).toMatchObject([
      { number: '+44 113 1', label: 'Sales', extension: null, comment: null },
      { number: '+44 113 1', label: null, extension: '17', comment: 'Mornings' },
    ]);
    await expectNothingToDo();

    const changed = {
      addresses: [
        { ...HQ, city: null, address1: '2 Mill Lane' },
        { label: 'Lab', primary: false },
      ],
      phoneNumbers: [{ ...RETURNS, comment: null, label: 'Returns' }],
    };
    expect(writesOf(await requests(() => apply(changed)))).toEqual([
      'DELETE addresses/*',
      'PUT addresses/*',
      'POST addresses',
      'DELETE phonenumbers/*',
      'PUT phonenumbers/*?setnull=true',
    ]);
    expect(await entries('addresses')).toMatchObject([
      { address: { label: 'HQ', address1: '2 Mill Lane', city: null, 'Country/Region': 'UK' }, primary: true },
      { address: { label: 'Lab' }, primary: false },
    ]);
    expect(await entries('phonenumbers')).toMatchObject([{ extension: '17', label: 'Returns', comment: null }]);
    await expectNothingToDo();

    await apply({ addresses: null, phoneNumbers: [] });
    expect([await entries('addresses'), await entries('phonenumbers')]).toEqual([[], []]);
    await expectNothingToDo();
  });

  test('the primary address moves to one that exists and to a new one, whichever comes first', async () => {
    const { apply, addressesNow, expectNothingToDo } = await scene(dialect, { addresses: [DOCK, HQ] });
    await apply({
      addresses: [
        { ...DOCK, primary: true },
        { ...HQ, primary: false },
      ],
    });
    expect(await addressesNow()).toEqual([
      ['Dock', 'Hull', true],
      ['HQ', 'Leeds', false],
    ]);
    const lab = { label: 'Lab', city: 'York', primary: true };
    await apply({ addresses: [lab, { ...DOCK, primary: false }, { ...HQ, primary: false }] });
    await apply({ addresses: [lab, DOCK] });
    expect(await addressesNow()).toEqual([
      ['Dock', 'Hull', false],
      ['Lab', 'York', true],
    ]);
    await expectNothingToDo();
  });

  test('a list that the manifest does not name is neither read nor changed', async () => {
    const { apply, requests, addressesNow, expectNothingToDo } = await scene(dialect);
    const sent = await requests(() => apply({ description: 'Bolts', phoneNumbers: [SALES] }));
    expect(sent.filter((request) => request.includes('addresses'))).toEqual([]);
    expect(await addressesNow()).toHaveLength(2);
    await expectNothingToDo();
  });

  test('what an entry of the manifest does not name keeps its value', async () => {
    const { workspace, apply, entries, path, expectNothingToDo } = await scene(dialect);
    const [phone] = await entries('phonenumbers');
    await workspace.call('PUT', `${path('phonenumbers')}/${phone?.guid}`, { comment: 'By hand' });
    await apply({ phoneNumbers: [{ ...SALES, label: 'Shop' }, RETURNS] });
    expect((await entries('phonenumbers'))[0]).toMatchObject({ label: 'Shop', comment: 'By hand' });
    await expectNothingToDo();
  });

  test('a plan prices a request for each list that it reads, and one for each entry that it writes', async () => {
    const { write, run, requests } = await scene(dialect);
    await write({ addresses: [{ ...HQ, city: 'York' }, DOCK], phoneNumbers: [SALES] });
    let plan: { readonly requests: { readonly used: number; readonly apply: object } } | undefined;
    const sent = await requests(async () => {
      plan = JSON.parse((await run('plan', '--json')).out);
    });
    expect(sent.filter((request) => /addresses|phonenumbers/.test(request))).toHaveLength(2);
    expect(plan?.requests).toMatchObject({
      used: sent.filter((request) => !request.includes('login')).length,
      apply: { min: 2, max: 2 },
    });
  });

  test('an entry that somebody changed, added or removed is drift, also in a list that no manifest names', async () => {
    const { workspace, run, apply, entries, path, expectNothingToDo } = await scene(dialect);
    const [hq, dock] = await entries('addresses');
    const addressOf = (one: Entry | undefined): Entry => one?.address as Entry;
    const guidOf = (one: Entry | undefined): unknown => addressOf(one).guid;
    const address = { ...addressOf(hq), city: 'York', guid: undefined };
    await workspace.call('PUT', `${path('addresses')}/${guidOf(hq)}`, { address, primary: true });
    await workspace.call('DELETE', `${path('addresses')}/${guidOf(dock)}`);
    await workspace.call('POST', path('phonenumbers'), { number: '999' });
    const { code, out } = await run('drift');
    expect(code).toBe(2);
    for (const place of ['addresses[HQ].city: Leeds -> York', 'addresses[Dock]', 'phoneNumbers[999]'])
      expect(out).toContain(place);
    await apply({ addresses: [HQ, DOCK], phoneNumbers: [SALES, RETURNS] });
    await expectNothingToDo();

    await apply({ description: 'Bolts' });
    await workspace.call('POST', path('phonenumbers'), { number: '999' });
    expect((await run('drift')).out).toContain('not looked at; `--children` reads them');
    expect((await run('drift', '--children')).out).toContain('phoneNumbers[999]');
  });

  test('pull writes the lists as they are, and the plan of what it wrote is empty', async () => {
    const { workspace, run, path, project, expectNothingToDo } = await scene(dialect);
    await workspace.call('POST', path('phonenumbers'), { number: '999', comment: 'Night' });
    expect(await run('pull', '--kind', 'Supplier')).toMatchObject({ code: 0, err: '' });
    expect(await project.read('manifests/acme.yaml')).toContain('999');
    await expectNothingToDo();
    const other = await testProject();
    const pulled = await other.run(['pull', '--kind', 'Supplier', '--adopt'], workspace.variables);
    expect([pulled.code, pulled.err]).toEqual([0, '']);
    const plan = await other.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('1 unchanged')]);
  });

  test('of entries that share an identity, a manifest keeps the first; pull leaves such a list out', async () => {
    const { workspace, run, path, entries, expectNothingToDo } = await scene(dialect);
    const double = { address: { label: 'hq', city: 'Bath' }, primary: false };
    await workspace.call('POST', path('addresses'), double);
    const other = await testProject();
    const pulled = await other.run(['pull', '--kind', 'Supplier'], workspace.variables);
    expect([pulled.code, pulled.err]).toEqual([0, expect.stringContaining('Left out: addresses')]);
    const plan = await other.run(['plan', '--adopt', 'never', '--detailed-exitcode'], workspace.variables);
    expect([plan.code, plan.err]).toEqual([0, '']);

    expect((await run('plan')).out).toContain('- addresses[hq #2]');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
    expect((await entries('addresses')).map(({ address }) => (address as Entry).city)).toEqual(['Leeds', 'Hull']);
    await expectNothingToDo();
  });
});

test('a pull says how many lists it reads, before it does, if they are many', async () => {
  const workspace = await testWorkspace();
  for (let number = 1; number <= 51; number += 1) await workspace.call('POST', '/suppliers', { name: `S-${number}` });
  const project = await testProject();
  const { code, err } = await project.run(['pull', '--kind', 'Supplier'], workspace.variables);
  expect([code, err]).toEqual([0, 'reading 102 lists of members, triggers, addresses and the like: 102 requests\n']);
  expect((await project.run(['pull', '--kind', 'Supplier', '--name', 'S-7'], workspace.variables)).err).toBe('');
});

test.each([
  ['reference', 'arena'],
  ['arena', 'reference'],
] as const)('the lists are compared and promoted: %s to %s', async (...dialects) => {
  const spec = { addresses: [HQ, DOCK], phoneNumbers: [SALES, { ...RETURNS, number: '491134960100' }] };
  const { run, project, prod } = await pairProject({ dialects });
  await project.write('manifests/acme.yaml', manifest('Supplier', 'Acme', spec));
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const before = { addresses: [{ ...DOCK, city: 'York', primary: true }], phoneNumbers: [{ number: '999' }] };
  await project.write('manifests/acme.yaml', manifest('Supplier', 'Acme', before));
  expect((await run('apply', '--env', 'prod', '--yes')).code).toBe(0);

  const compared = await run('diff', '--from', 'dev', '--to', 'prod', 'Supplier');
  expect(compared).toMatchObject({ code: 2, out: expect.stringContaining('addresses[Dock].city: "York" -> "Hull"') });
  expect((await run('promote', '--from', 'dev', '--to', 'prod', '--out', 'plan.json')).code).toBe(0);
  expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0, err: '' });
  const [{ guid }] = await prod.pages('/suppliers');
  expect((await prod.call('GET', `/suppliers/${guid}/phonenumbers`)).body.count).toBe(2);
  expect((await run('diff', '--from', 'dev', '--to', 'prod', 'Supplier')).code).toBe(0);
  expect((await run('promote', '--from', 'dev', '--to', 'prod', '--detailed-exitcode')).code).toBe(0);
});

test.each([
  [{ addresses: [HQ, { ...DOCK, primary: true }] }, 'has two primary addresses: "HQ" and "Dock"'],
  [{ addresses: [{ label: 'Dock' }, HQ] }, 'has the primary address "HQ", and does not say whether "Dock" is it too'],
  [{ addresses: [HQ, { label: 'hq' }] }, 'has two entries for hq'],
  [{ phoneNumbers: [{ label: 'Sales' }] }, 'needs the field "phoneNumbers[0].number"'],
])('lists that the service would not keep are refused before anything is sent', async (spec, message) => {
  const project = await testProject({ 'manifests/a.yaml': manifest('Supplier', 'Acme', spec) });
  const { code, out, err } = await project.run(['validate']);
  expect([code, out + err]).toEqual([3, expect.stringContaining(message)]);
});
