import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { builtIn } from '#core/catalog.js';
import { kindsReferredTo } from '#core/engine/references.js';
import type { Kind } from '#core/model/kind.js';
import type { Profile } from '#service/profiles/profile.js';
import { PROFILES } from '#service/profiles/profiles.js';
import { itemsDefinition } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { freshRunner, inGit, type TeamLedger } from '../harness/team-ledger.js';
import { openTerminal } from '../harness/terminal.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { capabilityOf } from './kinds-table.js';

/** Which of two answers the client gets. */
type Answered = 'first' | 'last';

interface Example {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

const examples = readdirSync('examples/kinds')
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(`examples/kinds/${file}`, 'utf8')).map((one) => one.toJS() as Example),
  );

const text = ({ kind, metadata, spec }: Example): string =>
  JSON.stringify({ apiVersion: 'dexsync/v1', kind, metadata: { ...metadata, protect: false }, spec });

function neededBy({ schema, children }: Kind): Example[] {
  const names = new Set([...kindsReferredTo(schema), ...Object.values(children).map(({ ref }) => ref)]);
  return examples.filter(({ kind }) => names.has(kind));
}

const created = PROFILES.flatMap((profile) =>
  builtIn.kinds
    .filter((kind) => capabilityOf(profile, kind).create)
    .map((kind) => ({ name: kind.name, dialect: profile.name, kind, profile, can: capabilityOf(profile, kind) })),
);
const ANSWERS: readonly Answered[] = ['first', 'last'];
const cases = created.flatMap((one) => ANSWERS.map((answered) => ({ ...one, answered })));
const shared = cases.filter(({ can }) => can.names !== 'unique');
const unique = cases.filter(({ can }) => can.names === 'unique');

/** A team's project with one object to create, before a service to which something delivers that request twice. */
async function delivered({ kind, profile }: { kind: Kind; profile: Profile }, answered: Answered, ledger?: TeamLedger) {
  const example = examples.find((one) => one.kind === kind.name) as Example;
  const path = profile.collections[kind.collection]?.path ?? '';
  const workspace = await testWorkspace([], profile.name);
  const project = await testProject(
    Object.fromEntries(neededBy(kind).map((one, index) => [`manifests/needed-${index}.yaml`, text(one)])),
  );
  if (ledger !== undefined) await ledger.place(project);
  const { variables } = workspace;
  if (neededBy(kind).length > 0) expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  await workspace.arm([{ method: 'POST', path, times: 'always', do: 'twice', answer: answered }]);
  await project.write('manifests/one.yaml', text(example));
  const live = async (): Promise<{ guid: string; name: string }[]> =>
    (await workspace.administer('GET', `${path}?limit=400`)).body.results.filter(({ name }: { name: string }) =>
      name.startsWith(example.metadata.name),
    );
  return {
    ...{ workspace, project, example, path, live, variables },
    address: `${kind.name}/${example.metadata.name}`,
    run: (...args: string[]) => project.run(args, variables),
  };
}

type Delivered = Awaited<ReturnType<typeof delivered>>;

/** Requests that an apply takes for its steps and after them, by the log of the service; and what its plan said. */
async function applied({ workspace, run, path }: Delivered) {
  const { requests } = JSON.parse((await run('plan', '--json')).out);
  const before = (await workspace.usage()).length;
  const { code, out } = await run('apply', '--yes');
  const all = (await workspace.usage()).slice(before);
  const since = all.slice(all.findIndex(({ method, path: at }) => method === 'POST' && at === path));
  const looks = since.filter(({ method, path: at }) => method === 'GET' && at.split('?')[0] === path);
  return { code, out, price: requests.apply, took: since.length, looks: looks.length };
}

test.each(sample(shared, 2))(
  'a $name of the dialect $dialect that is created twice, answered with the $answered: the outcome says so, and so do plans until it is settled',
  async ({ answered, can, ...one }) => {
    const at = await delivered(one, answered);
    const { code, out, price, took, looks } = await applied(at);
    expect([code, out]).toEqual([4, expect.stringMatching(/The service created ".+" twice for one request/)]);
    // The second delivery is not ours to count.
    expect([looks, price]).toEqual([1, { min: took - 1, max: took - 1 }]);
    const [first, last] = await order(at);
    const way = can.delete ? 'delete' : can.update.includes('name') ? 'retire' : 'manual';
    const plan = JSON.parse((await at.run('plan', '--json')).out);
    expect(plan.steps).toMatchObject([{ address: at.address, action: way, reason: 'twin' }]);
    expect((await at.run('apply', '--yes')).code).toBe(4);
    expect(await order(at)).toEqual([first, last]);
    if (way === 'manual') return;
    const settled = await at.run('apply', '--yes', '--remove-copies');
    expect([settled.code, settled.err]).toEqual([0, '']);
    const left = await at.live();
    const kept = left.filter(({ name }) => name === at.example.metadata.name);
    expect([kept.map(({ guid }) => guid), left.length]).toEqual([
      [answered === 'first' ? first : last],
      way === 'delete' ? 1 : 2,
    ]);
    const again = await at.run('plan', '--detailed-exitcode');
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining('~retired')]);
  },
);

/** GUIDs in the order in which the objects were created. */
const order = async ({ workspace, path }: Delivered): Promise<string[]> =>
  (await workspace.administer('GET', `${path}?limit=400`)).body.results.map(({ guid }: { guid: string }) => guid);

test.each(sample(unique, 1))(
  'a $name of the dialect $dialect, whose names are unique, delivered twice and answered with the $answered: one exists, and no list is read for it',
  async ({ answered, ...one }) => {
    const at = await delivered(one, answered);
    const { code, price, took, looks } = await applied(at);
    expect([await at.live(), looks]).toMatchObject([{ length: 1 }, answered === 'first' ? 0 : 1]);
    if (answered === 'first') expect([code, price]).toEqual([0, { min: took - 1, max: took - 1 }]);
    expect((await at.run('apply', '--yes')).code).toBe(0);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    expect(await at.live()).toHaveLength(1);
  },
);

describe('consent removes a copy', () => {
  const definition = shared.find(({ name }) => name === 'ImportDefinition') as (typeof shared)[number];

  test('given at a terminal, where any answer but yes keeps it', async () => {
    const at = await delivered(definition, 'first');
    expect((await at.run('apply', '--yes')).code).toBe(4);
    for (const [word, count] of [
      ['no', 2],
      ['yes', 1],
    ] as const) {
      const terminal = openTerminal(at.project, ['apply'], at.variables);
      await terminal.shows(/removes 1 unused copy[\s\S]*Only "yes" is accepted:/);
      terminal.type(`${word}\r`);
      await terminal.ended;
      const names = (await at.live()).map(({ name }) => name);
      expect(names.filter((name) => name === at.example.metadata.name)).toHaveLength(count);
    }
  });

  test('given with a saved plan: refused without it, and applied with it', async () => {
    const at = await delivered(definition, 'last');
    expect((await at.run('apply', '--yes')).code).toBe(4);
    await at.run('plan', '--out', 'asked.json');
    const refused = await at.run('apply', 'asked.json', '--yes');
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('plan again with `--remove-copies`')]);
    await at.run('plan', '--remove-copies', '--out', 'given.json');
    expect(await at.run('apply', 'given.json', '--yes')).toMatchObject({ code: 0, err: '' });
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('given in another clone that shares the ledger', async () => {
    const at = await delivered(definition, 'last', inGit);
    expect((await at.run('apply', '--yes')).code).toBe(4);
    const { project, variables } = await freshRunner(at.project);
    const settled = await project.run(['apply', '--yes', '--remove-copies'], { ...at.variables, ...variables });
    expect([settled.code, settled.out]).toEqual([0, expect.stringMatching(/ {2}retire\n.* twice for one request/)]);
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('but not a copy that somebody uses or changed, nor a namesake by another author', async () => {
    const at = await delivered(definition, 'first');
    expect((await at.run('apply', '--yes')).code).toBe(4);
    const [, copy] = await order(at);
    await at.workspace.call('PUT', `${at.path}/${copy}`, { name: at.example.metadata.name, description: 'Mine' });
    const { code, out } = await at.run('apply', '--yes', '--remove-copies');
    expect([code, out]).toEqual([4, expect.stringContaining('This stack owns the first.')]);
    expect(await at.live()).toHaveLength(2);
  });
});

describe('a copy that nobody can look for', () => {
  const parts = { 'manifests/parts.yaml': itemsDefinition('Parts') };

  test('is mentioned where the service refuses the list, and the apply ends as its steps did', async () => {
    const workspace = await testWorkspace();
    await workspace.arm([{ method: 'POST', path: '/imports', do: 'pass' }], () =>
      workspace.arm([{ method: 'GET', times: 'always', do: 'forbid' }]),
    );
    const project = await testProject(parts);
    const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/It was not checked whether the service created objects twice/),
    ]);
  });

  test('is not looked for where that would use the reserve of the day', async () => {
    const workspace = await testWorkspace(['--quota', '40']);
    const project = await testProject(parts);
    await project.write(
      'sync.config.yaml',
      (await project.read('sync.config.yaml')).replace('TEST_URL}"', 'TEST_URL}", keepRequests: 38'),
    );
    const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
    expect([code, out]).toEqual([0, expect.stringMatching(/are left, and 38 are reserved/)]);
    expect((await workspace.usage()).at(-1)?.method).toBe('POST');
  });
});
