import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { type Fault, runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const BEFORE = {
  addresses: [
    { label: 'HQ', city: 'Leeds', primary: true },
    { label: 'Dock', primary: false },
  ],
  phoneNumbers: [{ number: '1', label: 'Sales' }],
};
const AFTER = {
  addresses: [
    { label: 'HQ', city: 'York', primary: false },
    { label: 'Lab', primary: true },
  ],
  phoneNumbers: [{ number: '1', label: 'Shop' }, { number: '2' }],
};

type Entry = Readonly<Record<string, unknown>>;

/** A supplier before a change of its lists, and what its lists are afterwards. */
async function scene() {
  const workspace = await testWorkspace();
  const project = await testProject();
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const write = (spec: object) => project.write('manifests/a.yaml', manifest('Supplier', 'Acme', spec));
  await write(BEFORE);
  expect((await run('apply', '--yes')).code).toBe(0);
  const [{ guid }] = await workspace.pages('/suppliers');
  const list = async (name: string): Promise<Entry[]> =>
    (await workspace.call('GET', `/suppliers/${guid}/${name}`)).body.results;
  const lists = async () => [
    (await list('addresses')).map(({ address, primary }) => [
      (address as Entry).label,
      (address as Entry).city,
      primary,
    ]),
    (await list('phonenumbers')).map(({ number, label }) => [number, label]),
  ];
  await write(AFTER);
  return { workspace, project, run, lists };
}

const DONE = [
  [
    ['HQ', 'York', false],
    ['Lab', null, true],
  ],
  [
    ['1', 'Shop'],
    ['2', null],
  ],
];

const REQUESTS = ['DELETE addresses/*', 'PUT addresses/*', 'POST addresses', 'PUT phonenumbers/*', 'POST phonenumbers'];
const LOST: readonly Fault[] = ['killed after', 'cut before', 'cut after', 'answered 500 after', 'answered 401 after'];
const cases = REQUESTS.flatMap((request) => LOST.map((fault) => [request, fault] as const));

test.each(sample(cases, 6))('no entry is lost or doubled, and a rerun plans nothing: %s %s', async (request, fault) => {
  const { workspace, project, run, lists } = await scene();
  const striking = { request: `${request.replace(' ', ' /suppliers/*/')} #1`, fault };
  expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);
  const names = (await lists()).map((list) => list.map(([name]) => name));
  expect(names).toEqual(names.map((list) => [...new Set(list)]));
  expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
  expect(await lists()).toEqual(DONE);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect(await run('drift')).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
});

test('an entry that was delivered twice is removed by the next plan', async () => {
  const { workspace, project, run, lists } = await scene();
  const striking = {
    request: 'POST /suppliers/*/phonenumbers #1',
    fault: 'answered the first time of twice that',
  } as const;
  expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);
  expect((await run('plan')).out).toContain('- phoneNumbers[2 #2]');
  expect(await run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
  expect(await lists()).toEqual(DONE);
});
