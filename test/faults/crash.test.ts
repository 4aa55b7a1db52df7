import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sample } from '../sample.js';
import { finished, type TestProject, type TestWorkspace, testProject, testWorkspace } from '../scenarios/project.js';
import { faultyProxy, type Moment } from './proxy.js';

const QUICKSTART = [
  ...readdirSync('examples/quickstart').filter((file) => file.endsWith('.yaml')),
  'data/parts.csv',
  'data/bom.csv',
];

/** Where objects of the other kinds are listed, and what of each a lost or doubled write would change. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '/exports': ['name', 'options'],
  '/extracts': ['name', 'type'],
  '/settings/integrations/triggers': ['name', 'action'],
  '/outboundevents': ['name', 'enabled'],
  '/settings/policies': ['name', 'rules'],
  '/settings/items/numberreservations': ['name', 'itemNumbers'],
};

async function quickstart(): Promise<TestProject> {
  const project = await testProject();
  for (const file of QUICKSTART) await project.write(`manifests/${file}`, readFileSync(`examples/quickstart/${file}`));
  return project;
}

/** Everything that an apply of the quickstart leaves in a workspace, without what differs from one to the next. */
async function contents(workspace: TestWorkspace): Promise<unknown> {
  const list = async (path: string) => (await workspace.call('GET', path)).body.results as Record<string, unknown>[];
  const definitions = await list('/imports?limit=400');
  const committed = await Promise.all(
    definitions.map(async ({ guid, name }) => [
      name,
      (await list(`/imports/${guid}/runs?limit=400`)).filter(({ commit }) => commit).length,
    ]),
  );
  const groups = await list('/settings/usergroups?limit=400');
  const members = await Promise.all(
    groups.map(async ({ guid, name }) => [
      name,
      (await list(`/settings/usergroups/${guid}/users`)).map(({ email }) => email).sort(),
    ]),
  );
  const others = await Promise.all(
    Object.entries(OTHERS).map(async ([path, fields]) => [
      path,
      (await list(`${path}?limit=400`)).map((object) => fields.map((field) => object[field])),
    ]),
  );
  const items = await list('/items?limit=400');
  const lamp = items.find(({ number }) => number === 'LAMP-0001');
  const lines = lamp === undefined ? [] : await list(`/items/${lamp.guid}/bom`);
  return {
    committed: committed.sort(),
    members: members.sort(),
    others,
    items: items.map(({ number, name }) => [number, name]).sort(),
    lines: lines.map(({ item, quantity, refDes }) => [(item as { number: string }).number, quantity, refDes]).sort(),
  };
}

async function undisturbed(): Promise<{ contents: unknown; requests: number }> {
  const workspace = await testWorkspace();
  const proxy = await faultyProxy(workspace.url);
  const { code } = await (await quickstart()).run(['apply', '--yes'], { ...workspace.variables, TEST_URL: proxy.url });
  expect(code).toBe(0);
  return { contents: await contents(workspace), requests: proxy.count() };
}

/** As many requests as an apply of the quickstart makes at least. */
const REQUESTS = 34;

const moments = Array.from({ length: REQUESTS }, (_, index) => index + 1).flatMap((request): [number, Moment][] => [
  [request, 'before'],
  [request, 'after'],
]);

/** All moments of an apply, or a sample of them: DEXSYNC_FAULTS=all, or a number. */
const sampled = sample('Faults', moments, process.env.DEXSYNC_FAULTS ?? '4');

describe('nothing is lost and nothing is doubled', () => {
  let expected: ReturnType<typeof undisturbed> | undefined;
  const once = (): ReturnType<typeof undisturbed> => {
    expected ??= undisturbed();
    return expected;
  };

  test.each(sampled)('when dexsync is killed at request %i, %s the service did it', async (request, moment) => {
    const { contents: wanted } = await once();
    const workspace = await testWorkspace();
    const project = await quickstart();
    let kill: () => void = () => undefined;
    const proxy = await faultyProxy(workspace.url, { request, moment, strike: () => kill() });
    const child = project.start(['apply', '--yes'], { ...workspace.variables, TEST_URL: proxy.url });
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const again = await project.run(['apply', '--yes'], { ...workspace.variables, TEST_URL: proxy.url });
    expect([again.code, again.err]).toEqual([0, '']);
    const plan = await project.run(['plan', '--detailed-exitcode'], { ...workspace.variables, TEST_URL: proxy.url });
    expect(plan.code, plan.out).toBe(0);
    expect(await contents(workspace)).toEqual(wanted);
  });

  test.each(sampled)('when the answer to request %i is lost %s the service did it', async (request, moment) => {
    const { contents: wanted } = await once();
    const workspace = await testWorkspace();
    const project = await quickstart();
    const proxy = await faultyProxy(workspace.url, { request, moment, strike: () => undefined });
    const variables = { ...workspace.variables, TEST_URL: proxy.url };
    await project.run(['apply', '--yes'], variables);
    const again = await project.run(['apply', '--yes'], variables);
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
    expect(await contents(workspace)).toEqual(wanted);
  });
});

test('Ctrl-C finishes what is in flight, and the next apply goes on', async () => {
  const { contents: wanted } = await undisturbed();
  const workspace = await testWorkspace();
  const project = await quickstart();
  let interrupt: () => void = () => undefined;
  const watched = await faultyProxy(workspace.url);
  const child = project.start(['apply', '--yes'], { ...workspace.variables, TEST_URL: watched.url });
  interrupt = () => child.kill('SIGINT');
  const watch = setInterval(() => {
    if (watched.count() >= 12) {
      clearInterval(watch);
      interrupt();
    }
  }, 1);
  const { code, err } = await finished(child);
  clearInterval(watch);
  expect([code, err]).toEqual([130, expect.stringContaining('Stopping: what is in flight is finished first.')]);
  const again = await project.run(['apply', '--yes'], { ...workspace.variables, TEST_URL: watched.url });
  expect([again.code, again.err]).toEqual([0, '']);
  expect(await contents(workspace)).toEqual(wanted);
});
