import { describe, expect, test } from 'vitest';
import { alteringProxy, translatingProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import type { Result } from '../harness/run-in-process.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

type Entry = Record<string, unknown>;

/** Every kind, and a reference to every lookup that one of them can name. */
const MANIFESTS: Readonly<Record<string, string>> = {
  reference:
    manifest('UserGroup', 'Reviewers', { description: 'all', members: ['ann@example.com'] }) +
    manifest('Policy', 'Release', { userGroups: ['Reviewers'], rules: [{ resource: 'ITEM', actions: ['READ'] }] }) +
    manifest('ExtractDefinition', 'Nightly', { enabled: true }) +
    manifest('Trigger', 'Edited', {
      ...{ description: 'a', resource: 'ITEM', action: 'EDIT', category: 'Item\\Resistor' },
      attributes: [{ attribute: 'RoHS Status' }],
      conditions: [{ lifecyclePhase: 'In Production', operator: 'IS_EQUAL_TO' }],
    }) +
    manifest('OutboundIntegration', 'ERP', { triggers: ['Edited'], administrators: ['ann@example.com'] }),
  arena: manifest('UserGroup', 'Reviewers', { description: 'all', members: ['ann@example.com'] }),
};

const COMMON =
  itemsDefinition('Parts', { Part: 'number', RoHS: '@RoHS Status' }) +
  manifest('ExportDefinition', 'Resistors', {
    description: 'a',
    criteria: [[{ category: 'Item\\Resistor', operator: 'IS_EQUAL_TO' }]],
  }) +
  manifest('NumberReservation', 'Pilot', { category: 'Item\\Resistor', quantity: 2 });

/** The lists that the plan reads, and the field by which one entry of each is known there. */
const LISTS: readonly { readonly path: RegExp; readonly is: (entry: Entry) => boolean; readonly only?: 'reference' }[] =
  [
    { path: /^\/imports\?/, is: ({ name }) => name === 'Parts' },
    { path: /^\/exports\?/, is: ({ name }) => name === 'Resistors' },
    { path: /^\/extracts\?/, is: ({ name }) => name === 'Nightly', only: 'reference' },
    { path: /^\/settings\/usergroups(\?|$)/, is: ({ name }) => name === 'Reviewers' },
    { path: /^\/settings\/usergroups\/\w+\/users/, is: () => true },
    { path: /^\/settings\/policies/, is: ({ name }) => name === 'Release', only: 'reference' },
    { path: /^\/settings\/integrations\/triggers/, is: ({ name }) => name === 'Edited', only: 'reference' },
    { path: /^\/outboundevents(\?|$)/, is: ({ name }) => name === 'ERP', only: 'reference' },
    { path: /^\/outboundevents\/\w+\/triggers/, is: () => true, only: 'reference' },
    { path: /^\/settings\/items\/numberreservations/, is: ({ name }) => name === 'Pilot' },
    { path: /^\/settings\/users\?/, is: ({ email }) => email === 'ann@example.com' },
    { path: /^\/settings\/items\/attributes/, is: ({ name }) => name === 'RoHS Status' },
    { path: /^\/settings\/items\/categories/, is: ({ path }) => path === 'Item\\Resistor' },
    { path: /^\/settings\/items\/lifecyclephases/, is: ({ name }) => name === 'In Production', only: 'reference' },
  ];

/** What a proxy or a service may make of an entry. */
const ODDITIES: Readonly<Record<string, (entry: Entry) => unknown>> = {
  'no guid': ({ guid: _, ...entry }) => entry,
  'a guid that is null': (entry) => ({ ...entry, guid: null }),
  'a guid that is a number': (entry) => ({ ...entry, guid: 7 }),
  'a guid that is an object': (entry) => ({ ...entry, guid: { guid: entry.guid } }),
  'a guid that leads elsewhere': (entry) => ({ ...entry, guid: '../../outside' }),
  'a guid with a query': (entry) => ({ ...entry, guid: `${entry.guid}?force=1` }),
  'a guid with a control character': (entry) => ({ ...entry, guid: `${entry.guid}\u0007` }),
  'a guid that is very long': (entry) => ({ ...entry, guid: 'A1'.repeat(600) }),
  'no name': ({ name: _, path: __, email: ___, fullName: ____, ...entry }) => entry,
  'a name that is a number': (entry) => ({ ...entry, name: 7, path: 7, email: 7, fullName: 7 }),
  null: () => null,
  'a text': () => 'Parts',
  'a list': () => [],
};

/** Fields of the kinds' own, and a value of another type. */
const FIELDS: readonly (readonly [list: string, field: string, value: unknown])[] = [
  ['/imports', 'options', 'none'],
  ['/imports', 'options', { mapping: {} }],
  ['/imports', 'options', { mapping: [null] }],
  ['/imports', 'resource', 7],
  ['/exports', 'criteria', 'all'],
  ['/exports', 'options', []],
  ['/settings/usergroups', 'description', { text: 'all' }],
  ['/settings/usergroups', 'enabled', 'yes'],
  ['/settings/usergroups', 'assignability', 'CHANGES'],
  ['/settings/policies', 'userGroups', { guid: 'A' }],
  ['/settings/policies', 'rules', [7]],
  ['/settings/integrations/triggers', 'attributes', [null]],
  ['/settings/integrations/triggers', 'conditions', 'none'],
  ['/extracts', 'enabled', 1],
  ['/outboundevents', 'enabled', []],
  ['/settings/items/numberreservations', 'itemNumbers', 'none'],
];

/** An applied project before a service of which one entry of one list is altered at a time. */
async function stage(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/all.yaml': COMMON + MANIFESTS[dialect] });
  let altered: { path: RegExp; is: (entry: Entry) => boolean; make: (entry: Entry) => unknown } | undefined;
  let requests = 0;
  const url = await alteringProxy(workspace.url, ({ method, path }, { status, headers, body }) => {
    requests += 1;
    if (altered === undefined || method !== 'GET' || !altered.path.test(path)) return undefined;
    const { path: _, is, make } = altered;
    const answer = JSON.parse(body.toString());
    const index = answer.results?.findIndex(is);
    if (index === undefined || index < 0) return undefined;
    const results = answer.results.map((entry: Entry, at: number) => (at === index ? make(entry) : entry));
    return { status, headers, body: Buffer.from(JSON.stringify({ ...answer, results })) };
  });
  const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
  const applied = await run('apply', '--yes');
  expect([applied.code, applied.err]).toEqual([0, '']);
  return {
    project,
    run,
    workspace,
    alter: (given: typeof altered) => {
      altered = given;
      requests = 0;
    },
    requests: () => requests,
  };
}

const COMMANDS: readonly (readonly string[])[] = [
  ['drift'],
  ['pull', '--diff'],
  ['get', 'UserGroup'],
  ['get', 'ImportDefinition', '-o', 'yaml'],
  ['get', 'Attribute'],
  ['orphans'],
];

/** What is wrong with a plan of what did not change. */
function problemsOf({ code, out, err }: Result, more: number): string[] {
  if (code !== 0 && code !== 4) return [`ends with ${code}: ${err}`];
  const { steps, summary } = JSON.parse(out);
  const sent = steps.filter(({ action }: Entry) => action !== 'blocked');
  return [
    ...sent.map(({ action, address }: Entry) => `plans to ${action} ${address}`),
    ...(err.includes('answer-odd') ? [] : [`says nothing: ${err}`]),
    ...(summary.unchanged > 0 ? [] : ['leaves nothing unchanged']),
    // What the list no longer shows by its GUID is read by it.
    ...(more > 1 ? [`sends ${more} requests more`] : []),
  ];
}

describe.each(['reference', 'arena'])('an odd entry of a list, in the dialect %s', (dialect) => {
  const lists = LISTS.filter(({ only }) => only === undefined || only === dialect);

  test('stays known: nothing is created, changed or removed for it, and the rest of the plan runs', async () => {
    const { run, alter, requests } = await stage(dialect);
    alter(undefined);
    const before = JSON.parse((await run('plan', '--prune', '--json')).out);
    expect(before.steps).toEqual([]);
    const least = requests();
    const cases = [
      ...lists.flatMap((list) => Object.entries(ODDITIES).map(([what, make]) => ({ what, list, make }))),
      ...FIELDS.flatMap(([start, field, value]) =>
        lists
          .filter(
            ({ path }) => path.source.startsWith(`^${start.replaceAll('/', '\\/')}`) && !path.source.includes('\\w+'),
          )
          .map((list) => ({
            what: `${field} ${JSON.stringify(value)}`,
            list,
            make: (entry: Entry): unknown => ({ ...entry, [field]: value }),
          })),
      ),
    ];
    const problems: string[] = [];
    for (const { what, list, make } of sample(cases, 10)) {
      alter({ ...list, make });
      const found = problemsOf(await run('plan', '--prune', '--json'), requests() - least);
      problems.push(...found.map((problem) => `${what} in ${list.path}: ${problem}`));
    }
    expect(problems).toEqual([]);
  }, 120_000);

  test('ends no command that reads', async () => {
    const { run, alter } = await stage(dialect);
    const cases = lists.flatMap((list) => Object.entries(ODDITIES).map(([what, make]) => ({ what, list, make })));
    const problems: string[] = [];
    for (const { what, list, make } of sample(cases, 1)) {
      alter({ ...list, make });
      for (const command of COMMANDS) {
        const { code, out, err } = await run(...command);
        if (code !== 0 && code !== 2 && code !== 4)
          problems.push(`${command.join(' ')}, ${what} in ${list.path}: ${code} ${out.slice(0, 500)}${err}`);
      }
    }
    expect(problems).toEqual([]);
  }, 120_000);
});

test('an import through an odd definition without a manifest is blocked, and the rest of the plan runs', async () => {
  const { project, run, alter } = await stage('arena');
  await project.write('data/parts.csv', 'Part,RoHS\nP-1,\n');
  const rows = manifest('Import', 'Rows', {
    ...{ definition: 'Parts', preview: 'none', source: { file: '../data/parts.csv' } },
  });
  await project.write('manifests/all.yaml', rows + manifest('UserGroup', 'Added', {}));
  const [path, is] = [/^\/imports\?/, ({ name }: Entry) => name === 'Parts'];
  const fields = FIELDS.filter(([start]) => start === '/imports');
  const makes = [
    ...Object.values(ODDITIES),
    ...fields.map(([, field, value]) => (entry: Entry) => ({ ...entry, [field]: value })),
  ];
  const actionsIn = async (): Promise<string[]> => {
    const { out } = await run('plan', '--json');
    return JSON.parse(out).steps.map(({ address, action }: Entry) => `${address} ${action}`);
  };
  expect(await actionsIn()).toEqual(['Import/Rows import', 'UserGroup/Added create']);
  for (const make of sample(makes, 5)) {
    alter({ path, is, make });
    expect([make.toString(), await actionsIn()]).toEqual([
      make.toString(),
      ['Import/Rows blocked', 'UserGroup/Added create'],
    ]);
  }
});

describe('GUIDs of every form that is valid in a path', () => {
  /** Wire-facts 3, "GUID form": of 2,311 published samples 65 have another form than the others. */
  const FORMS = [
    (guid: string) => guid.slice(0, 17),
    (guid: string) => `${guid}7`,
    (guid: string) => guid.toLowerCase(),
  ];

  test.each(FORMS.map((form, index) => [index, form] as const))(
    'form %i',
    async (_, form) => {
      const workspace = await testWorkspace();
      const project = await testProject({ 'manifests/all.yaml': COMMON + MANIFESTS.reference });
      const known = new Map<string, string>();
      const inForm = (text: string): string =>
        text.replaceAll(/"([A-Z0-9]{20})"/g, (whole, guid: string) => {
          if (!/\d/.test(guid)) return whole;
          known.set(form(guid), guid);
          return `"${form(guid)}"`;
        });
      const original = (text: string): string =>
        [...known].reduce((rest, [given, guid]) => rest.replaceAll(new RegExp(`\\b${given}\\b`, 'g'), guid), text);
      const url = await translatingProxy(workspace.url, { answer: inForm, request: original });
      const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
      const applied = await run('apply', '--yes');
      expect([applied.code, applied.err]).toEqual([0, '']);
      const planned = await run('plan', '--prune', '--detailed-exitcode', '--json');
      expect([planned.code, planned.err]).toEqual([0, '']);
      const codes = [];
      for (const command of [...COMMANDS, ['events', 'list', 'ERP']]) codes.push((await run(...command)).code);
      // There is a group that no manifest describes.
      expect(codes.map((code) => (code === 2 ? 0 : code))).toEqual(codes.map(() => 0));
      const texts = `${applied.out}${planned.out}${await project.read('manifests/all.yaml')}`;
      expect([...known.keys()].filter((guid) => texts.includes(guid))).toEqual([]);
    },
    60_000,
  );
});

test('lists identify a GUID in a manifest, in any form; a word of 20 letters is a field', async () => {
  const workspace = await testWorkspace();
  const { body } = await workspace.call('GET', '/settings/items/attributes');
  const { guid } = body.results.find(({ name }: Entry) => name === 'RoHS Status');
  const project = await testProject({ 'manifests/a.yaml': itemsDefinition('A', { Part: 'number', RoHS: guid }) });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const checked = await run('validate');
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('guid-in-manifest')]);
  const planned = await run('plan');
  expect([planned.code, planned.out]).toEqual([3, expect.stringContaining('is the GUID of Attribute/RoHS Status.')]);
  await project.write('manifests/a.yaml', itemsDefinition('A', { Part: 'number', RoHS: 'ABCDEFGHIJKLMNOPQRST' }));
  expect((await run('validate')).out).not.toContain('guid-in-manifest');
  expect((await run('plan')).out).toContain('ImportDefinition/A  create');
});
