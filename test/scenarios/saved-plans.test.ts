import { createHmac } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digest } from '#core/engine/normal-form.js';
import type { Json } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import type { Result } from '../harness/run-in-process.js';
import { strikeAt } from '../harness/striking.js';
import { openTerminal } from '../harness/terminal.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);
const definition = itemsDefinition('Specs');
const parts = manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } });

interface Stage {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  /** Runs the program against the workspace. */
  run(args: readonly string[], variables?: Record<string, string>): Promise<Result>;
  guidOf(name: string): Promise<string>;
}

async function stage(manifests: string, files: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': manifests, ...files });
  return {
    workspace,
    project,
    run: (args, variables) => project.run(args, { ...workspace.variables, ...variables }),
    async guidOf(name) {
      const { body } = await workspace.call('GET', `/settings/usergroups?name=${encodeURIComponent(name)}`);
      return body.results[0].guid;
    },
  };
}

const ok = async (result: Promise<Result>): Promise<Result> => {
  const done = await result;
  expect([done.code, done.err]).toEqual([0, '']);
  return done;
};

/** A group that is there, and a plan file that changes its description. */
async function saved(spec: object = {}, wanted: object = { description: 'new' }): Promise<Stage> {
  const made = await stage(group('Quality', { description: 'old', ...spec }));
  await ok(made.run(['apply', '--yes']));
  await made.project.write('manifests/all.yaml', group('Quality', { ...spec, ...wanted }));
  await ok(made.run(['plan', '--out', 'plan.json']));
  return made;
}

const writes = async (workspace: TestWorkspace): Promise<number> =>
  (await workspace.usage()).filter(({ method, path }) => method !== 'GET' && !path.endsWith('/login')).length;

/** The name of the workspace's own for messages to be compared. */
const W = 'environment "remote"';

test('a plan is saved, shown, checked and applied, without reading a manifest', async () => {
  const { workspace, project, run } = await stage(group('Quality', { description: 'a', members: ['ann@example.com'] }));
  const planned = await ok(run(['plan', '--out', 'plan.json']));
  expect(planned.out).toMatch(/Saved to plan\.json\. Apply it with: dexsync apply plan\.json\n$/);
  expect((await stat(join(project.folder, 'plan.json'))).mode & 0o777).toBe(0o600);
  const { digest: given, hmac, ...plan } = JSON.parse(await project.read('plan.json'));
  expect([given, hmac]).toEqual([`sha256:${digest(plan)}`, undefined]);

  await rm(join(project.folder, 'manifests'), { recursive: true });
  const shown = await ok(run(['show', 'plan.json']));
  expect(shown.out).toContain('+ UserGroup/Quality  create');
  const checked = await ok(run(['plan', 'check', 'plan.json']));
  expect(checked.out).toBe(
    `plan.json can be applied to environment remote (workspace "Embedded Workspace"): the only object that it touches has not changed.\n`,
  );
  expect(await writes(workspace)).toBe(0);
  const applied = await ok(run(['apply', 'plan.json', '--yes']));
  expect(applied.out).toContain('✓ UserGroup/Quality  created');
  const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality');
  expect(body.results).toMatchObject([{ description: 'a' }]);
});

test('show needs no workspace and no configuration', async () => {
  const { project, run } = await saved();
  await rm(join(project.folder, 'sync.config.yaml'));
  const { out } = await ok(project.run(['show', 'plan.json']));
  const stable = out
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'WHEN')
    .replaceAll(/sha256:\w{12}/g, 'sha256:DIGEST')
    .replace(/(?<=digest )\w{12}/, 'DIGEST')
    .replace(/\([^()]*\/\d+\)/, '(HOST/ID)')
    .replace(/planned {4}by .*/, 'planned    by WHO')
    .replace(/Requests: \d+/, 'Requests: N');
  expect(stable).toMatchInlineSnapshot(`
    "plan.json
      created    WHEN UTC, by stack "test"
      planned    by WHO
      for        environment remote (HOST/ID)
      from       manifests with digest DIGEST
      digest     sha256:DIGEST, unchanged since it was saved
      changes    sha256:DIGEST, the same for plans that change the same
      signature  none

    Plan for environment remote (workspace "Embedded Workspace")

      ~ UserGroup/Quality  update
          description differs from the manifest.
          ~ description: "old" -> "new"

    Plan: 1 to update.
    Requests: N used by this plan, 2 to apply it.
    "
  `);
  const json = JSON.parse((await ok(project.run(['show', 'plan.json', '--json']))).out);
  expect(json).toMatchObject({ file: 'plan.json', signature: 'none', plan: { summary: { update: 1 } } });
  expect(json.digest).toBe(`sha256:${digest(json.plan)}`);
  expect((await run(['show', 'none.json'])).err).toMatchInlineSnapshot(`
    "Error: The plan none.json cannot be read: it does not exist.
    \`dexsync plan --out FILE\` saves a plan.
    [FILE_UNREADABLE, exit 3]
    "
  `);
});

test('objects outside the plan may change', async () => {
  const { workspace, run, guidOf } = await saved();
  await workspace.call('POST', '/settings/usergroups', { name: 'Other' });
  await workspace.call('PUT', `/settings/usergroups/${await guidOf('Other')}`, { name: 'Others', description: 'x' });
  await ok(run(['plan', 'check', 'plan.json']));
  const applied = await ok(run(['apply', 'plan.json', '--yes']));
  expect(applied.out).toContain('✓ UserGroup/Quality  updated');
});

describe('an object that this stack did not create', () => {
  async function foreign(...options: readonly string[]): Promise<Stage> {
    const on = await stage(group('Quality', { description: 'new' }) + group('Same', {}));
    await on.workspace.call('POST', '/settings/usergroups', { name: 'Quality', description: 'old' });
    await on.workspace.call('POST', '/settings/usergroups', { name: 'Same' });
    await ok(on.run(['plan', '--out', 'plan.json', ...options]));
    return on;
  }

  test('is adopted by a saved plan only by agreement: --yes is refused before a request', async () => {
    const on = await foreign();
    const { steps, notes } = JSON.parse(await on.project.read('plan.json'));
    expect(steps).toMatchObject([{ consent: 'asked' }, { consent: 'asked' }]);
    const addresses = ['UserGroup/Quality', 'UserGroup/Same'];
    expect(notes).toMatchObject([{ code: 'consent-needed', addresses }]);
    const before = (await on.workspace.usage()).length;
    const refused = await on.run(['apply', 'plan.json', '--yes']);
    expect([refused.code, refused.err]).toEqual([
      3,
      'Error: The plan adopts or changes UserGroup/Quality and 1 more, which this stack did not create, and nobody has confirmed that.\n' +
        'Apply it at a terminal without `--yes`, or plan again with `--adopt`.\n[CONFIRMATION_NEEDED, exit 3]\n',
    ]);
    expect((await on.workspace.usage()).length).toBe(before);
    expect((await on.run(['apply', '--yes'])).code).toBe(4);
    expect(await writes(on.workspace)).toBe(0);
  });

  test('is the subject of a question at a terminal', async () => {
    const on = await foreign();
    const terminal = openTerminal(on.project, ['apply', 'plan.json'], on.workspace.variables);
    await terminal.shows(
      /This stack will adopt or change 2 objects that it did not create\.\s+Apply to remote \(http:\/\/127[^)]*, workspace/,
    );
    terminal.type('yes\n');
    expect(await terminal.ended).toBe(0);
    await ok(on.run(['plan', '--detailed-exitcode']));
  });

  test('may be adopted where the plan records the agreement', async () => {
    const on = await foreign('--adopt');
    const { steps, notes } = JSON.parse(await on.project.read('plan.json'));
    expect([steps, notes]).toMatchObject([[{ consent: 'given' }, { consent: 'given' }], []]);
    await ok(on.run(['apply', 'plan.json', '--yes']));
    await ok(on.run(['plan', '--detailed-exitcode']));
  });
});

describe('a plan is stale after a change, and names it', () => {
  const at = ({ guidOf }: Stage, name: string): Promise<string> =>
    guidOf(name).then((guid) => `/settings/usergroups/${guid}`);

  test('as one message with its field; nothing is sent', async () => {
    const on = await saved();
    await on.workspace.call('PUT', await at(on, 'Quality'), { name: 'Quality', description: 'mine' });
    const before = await writes(on.workspace);
    const applied = await on.run(['apply', 'plan.json', '--yes']);
    expect([applied.code, applied.err]).toEqual([
      5,
      `Error: The plan is stale: UserGroup/Quality changed in ${W} after this plan was created (description).\n` +
        'Run `dexsync plan --out plan.json` again and review it.\n[PLAN_STALE, exit 5]\n',
    ]);
    expect(await writes(on.workspace)).toBe(before);
  });

  test('for a field that the plan leaves alone, a deletion, a new name, and a namesake of the same content', async () => {
    const names = ['Edited', 'Deleted', 'Renamed', 'Anew', 'Same'];
    const groups = (description: string): string => names.map((name) => group(name, { description })).join('');
    const on = await stage(groups('old'));
    await ok(on.run(['apply', '--yes']));
    await on.project.write('manifests/all.yaml', groups('new'));
    await ok(on.run(['plan', '--out', 'plan.json']));
    const call = on.workspace.call;
    await call('PUT', await at(on, 'Edited'), { name: 'Edited', description: 'old', enabled: false });
    await call('DELETE', await at(on, 'Deleted'));
    await call('PUT', await at(on, 'Renamed'), { name: 'R', description: 'old' });
    const { name, description, enabled, assignability } = (await call('GET', await at(on, 'Anew'))).body;
    await call('DELETE', await at(on, 'Anew'));
    await call('POST', '/settings/usergroups', { name, description, enabled, assignability });
    const { code, out } = await on.run(['plan', 'check', 'plan.json']);
    expect([code, out.replaceAll(W, 'W')]).toMatchInlineSnapshot(`
      [
        5,
        "plan.json is stale.
        ✗ UserGroup/Anew was deleted and recreated in W after this plan was created
        ✗ UserGroup/Deleted was deleted from W after this plan was created
        ✗ UserGroup/Edited changed in W after this plan was created (enabled)
        ✗ UserGroup/Renamed was renamed to "R" in W after this plan was created
      Run \`dexsync plan --out\` again and review the new plan.
      ",
      ]
    `);
  });

  test('for an added member, a new group, and a removed member, all together', async () => {
    const on = await stage(group('Quality', { members: ['ann@example.com'] }));
    await ok(on.run(['apply', '--yes']));
    const wanted = group('Quality', { description: 'b', members: ['ann@example.com'] }) + group('Second', {});
    await on.project.write('manifests/all.yaml', wanted);
    await ok(on.run(['plan', '--out', 'plan.json']));
    const { body } = await on.workspace.call('GET', '/settings/users?email=cleo@example.com');
    const [user] = body.results.filter(({ email }: { email: string }) => email === 'cleo@example.com');
    await on.workspace.call('POST', `${await at(on, 'Quality')}/users`, { guid: user.guid });
    await on.workspace.call('POST', '/settings/usergroups', { name: 'Second' });
    const { code, out } = await on.run(['plan', 'check', 'plan.json', '--json']);
    expect([code, JSON.parse(out)]).toMatchObject([
      5,
      {
        applies: false,
        touched: 2,
        stale: [
          { address: 'UserGroup/Quality', is: 'changed', fields: ['members[cleo@example.com]'] },
          { address: 'UserGroup/Second', is: 'created', fields: [] },
        ],
      },
    ]);
    const applied = await on.run(['apply', 'plan.json', '--yes', '--json']);
    const events = linesOf(applied.out);
    expect(events.filter(({ type }) => type === 'diagnostic').map(({ diagnostic }) => diagnostic.message)).toEqual([
      `UserGroup/Quality changed in ${W} after this plan was created (members[cleo@example.com]).`,
      `UserGroup/Second was created in ${W} after this plan was created.`,
    ]);
    expect(events.find(({ type }) => type === 'error')).toMatchObject({
      code: 'PLAN_STALE',
      message: `The plan is stale: 2 things changed in ${W} after this plan was created.`,
    });
    expect(applied.code).toBe(5);
  });

  test('for a deleted object that it refers to', async () => {
    const trigger = manifest('OutboundIntegration', 'Queue', { triggers: ['T'] });
    const on = await stage(trigger);
    const made = await on.workspace.call('POST', '/settings/integrations/triggers', {
      name: 'T',
      resource: 'ITEM',
      action: 'CREATE',
    });
    expect(made.status).toBeLessThan(300);
    await ok(on.run(['plan', '--out', 'plan.json']));
    await on.workspace.call('DELETE', `/settings/integrations/triggers/${made.body.guid}`);
    const { code, err } = await on.run(['apply', 'plan.json', '--yes']);
    expect([code, err]).toEqual([
      5,
      expect.stringContaining(
        `The plan is stale: OutboundIntegration/Queue refers to Trigger/T, which is no longer in ${W}.\n`,
      ),
    ]);
  });
});

test('a plan with a rename, and with references to the renamed group, is applied from its file', async () => {
  const policy = (userGroup: string): string =>
    manifest('Policy', 'P', { description: userGroup, userGroups: [userGroup], rules: [] });
  const on = await stage(group('Quality', {}) + policy('Quality'));
  const first = await on.run(['apply', '--yes']);
  expect(first.code, first.err + first.out).toBe(0);
  await on.project.write(
    'manifests/all.yaml',
    group('Approvers', {}, { renamedFrom: 'Quality' }) + policy('Approvers'),
  );
  await ok(on.run(['plan', '--out', 'plan.json']));
  const applied = await ok(on.run(['apply', 'plan.json', '--yes']));
  expect(applied.out).toContain('UserGroup/Approvers  renamed');
  expect((await on.run(['plan', '--detailed-exitcode'])).code).toBe(0);
});

describe('a plan is applied once', () => {
  test('as a whole', async () => {
    const { run } = await saved();
    await ok(run(['apply', 'plan.json', '--yes']));
    const again = await run(['apply', 'plan.json', '--yes']);
    expect(again.code).toBe(5);
    expect(again.err.replace(/\d{4}-\d\d-\d\d at \d\d:\d\d/, 'WHEN')).toMatchInlineSnapshot(`
      "Error: plan.json was applied to environment "remote" on WHEN UTC by admin@example.com.
      Run \`dexsync plan --out plan.json\` again and review it. A new plan contains the remaining steps.
      [PLAN_APPLIED, exit 5]
      "
    `);
    expect((await run(['plan', 'check', 'plan.json'])).code).toBe(5);
  });

  test('or in part: the same file does not continue, a new plan does', async () => {
    const names = ['A', 'B', 'C', 'D'];
    const { workspace, project } = await stage(names.map((name) => group(name, {})).join(''));
    let kill: () => void = () => undefined;
    const request = 'POST /settings/usergroups #2';
    const through = workspace.variables;
    await ok(project.run(['plan', '--out', 'plan.json'], through));
    await strikeAt(workspace, { request, fault: 'killed after', act: async () => kill() });
    const child = project.start(['apply', 'plan.json', '--yes', '--parallelism', '1'], through);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const again = await project.run(['apply', 'plan.json', '--yes'], through);
    expect(again.code).toBe(5);
    expect(again.err.replace(/\d{4}-\d\d-\d\d at \d\d:\d\d/, 'WHEN')).toMatchInlineSnapshot(`
      "Error: plan.json was partly applied to environment "remote" on WHEN UTC by admin@example.com: that apply did not finish.
      Run \`dexsync plan --out plan.json\` again and review it. A new plan contains the remaining steps.
      [PLAN_APPLIED, exit 5]
      "
    `);
    await ok(project.run(['plan', '--out', 'plan.json'], through));
    await ok(project.run(['apply', 'plan.json', '--yes'], through));
    const { body } = await workspace.call('GET', '/settings/usergroups?limit=400');
    const there = body.results.map(({ name }: { name: string }) => name);
    expect(names.map((name) => there.filter((one: string) => one === name).length)).toEqual([1, 1, 1, 1]);
  });
});

describe('a plan is protected against edits', () => {
  const edited = async ({ project }: Stage, change: (plan: Plan) => object, rest: object = {}): Promise<void> => {
    const { digest: _, hmac, ...plan } = JSON.parse(await project.read('plan.json'));
    const made = change(plan);
    const anew = {
      ...made,
      digest: `sha256:${digest(made as Json)}`,
      ...(hmac === undefined ? {} : { hmac }),
      ...rest,
    };
    await project.write('plan.json', JSON.stringify(anew));
  };

  test('so an edited file is refused by show, check and apply', async () => {
    const { workspace, project, run } = await saved();
    await project.write('plan.json', (await project.read('plan.json')).replaceAll('"new"', '"other"'));
    const before = await writes(workspace);
    for (const args of [
      ['show', 'plan.json'],
      ['plan', 'check', 'plan.json'],
      ['apply', 'plan.json', '--yes'],
    ]) {
      const { code, out, err } = await run(args);
      expect([code, out]).toEqual([5, '']);
      expect(err).toMatchInlineSnapshot(`
        "Error: plan.json was changed after it was saved: its digest does not match its content.
        Save the plan again with \`dexsync plan --out\`. To change a plan, change the manifests.
        [PLAN_ALTERED, exit 5]
        "
      `);
    }
    expect(await writes(workspace)).toBe(before);
  });

  test('with a key only a signed plan is applied', async () => {
    const on = await saved();
    const key = { DEXSYNC_PLAN_KEY: 'k1' };
    const unsigned = await on.run(['apply', 'plan.json', '--yes'], key);
    expect([unsigned.code, unsigned.err]).toEqual([5, expect.stringContaining('[PLAN_UNTRUSTED, exit 5]')]);
    expect(unsigned.err).toMatchInlineSnapshot(`
      "Error: plan.json is not signed, but DEXSYNC_PLAN_KEY is set, so only signed plans are applied.
      Save the plan with the same DEXSYNC_PLAN_KEY set, so that it is signed.
      [PLAN_UNTRUSTED, exit 5]
      "
    `);
    await ok(on.run(['plan', '--out', 'plan.json'], key));
    const { hmac, digest: told } = JSON.parse(await on.project.read('plan.json'));
    expect(hmac).toBe(`sha256:${createHmac('sha256', 'k1').update(`dexsync-plan/1 ${told}`).digest('hex')}`);
    expect((await ok(on.run(['show', 'plan.json'], key))).out).toContain('valid (DEXSYNC_PLAN_KEY)');
    const other = await on.run(['plan', 'check', 'plan.json'], { DEXSYNC_PLAN_KEY: 'k2' });
    expect([other.code, other.err]).toEqual([5, expect.stringContaining('[PLAN_UNTRUSTED, exit 5]')]);
    expect(other.err).toMatchInlineSnapshot(`
      "Error: The signature of plan.json was not made with this DEXSYNC_PLAN_KEY.
      Apply only plans of your own pipeline; save the plan again with the same key.
      [PLAN_UNTRUSTED, exit 5]
      "
    `);
    const unchecked = await on.run(['plan', 'check', 'plan.json']);
    expect(unchecked.code).toBe(0);
    expect(unchecked.err).toMatchInlineSnapshot(`
      "warning  plan-unchecked
        plan.json is signed, but its signature was not checked: DEXSYNC_PLAN_KEY is not set.

      "
    `);
    await edited(on, (plan) => ({ ...plan, environment: 'remote', stack: 'other' }));
    expect((await on.run(['apply', 'plan.json', '--yes'], key)).code).toBe(5);
    await ok(on.run(['plan', '--out', 'plan.json'], key));
    await ok(on.run(['apply', 'plan.json', '--yes'], key));
  });

  test('a plan of another workspace never applies', async () => {
    const { project } = await saved();
    const other = await testWorkspace();
    const { code, err } = await project.run(['apply', 'plan.json', '--yes'], other.variables);
    expect(code).toBe(5);
    expect(err.replaceAll(/127\.0\.0\.1:\d+\/\d+/g, 'HOST/ID')).toMatchInlineSnapshot(`
      "Error: plan.json is a plan for environment "remote" (workspace "Embedded Workspace", HOST/ID), which now leads to HOST/ID.
      \`dexsync plan --env remote --out FILE\` makes a plan for where it leads now.
      [PLAN_OTHER_WORKSPACE, exit 5]
      "
    `);
    expect(await writes(other)).toBe(0);
  });
});

describe('imports', () => {
  const rows = 'Part,Name\nDX-0001,Screw\nDX-0002,Nut\n';
  const importing = async (): Promise<Stage> => {
    const on = await stage(definition + parts, { 'manifests/parts.csv': rows });
    await ok(on.run(['plan', '--out', 'plan.json']));
    return on;
  };

  test('are sent from the file that the plan names', async () => {
    const on = await importing();
    await rm(join(on.project.folder, 'manifests/all.yaml'));
    const applied = await ok(on.run(['apply', 'plan.json', '--yes']));
    expect(applied.out).toContain('2 committed');
  });

  test('the same rows in another form are the same import', async () => {
    const on = await importing();
    await on.project.write('manifests/parts.csv', rows.replaceAll('\n', '\r\n').replace('Screw', '"Screw"'));
    await ok(on.run(['plan', 'check', 'plan.json']));
  });

  test.each([
    [
      'other rows',
      rows.replace('Screw', 'Bolt'),
      'reads manifests/parts.csv, whose rows changed after this plan was created',
    ],
    ['no file', undefined, 'can no longer be read: '],
  ])('%s are refused', async (_, content, says) => {
    const on = await importing();
    if (content === undefined) await rm(join(on.project.folder, 'manifests/parts.csv'));
    else await on.project.write('manifests/parts.csv', content);
    const { code, err } = await on.run(['apply', 'plan.json', '--yes']);
    expect([code, err]).toEqual([5, expect.stringContaining(`The plan is stale: Import/Parts ${says}`)]);
    expect(await writes(on.workspace)).toBe(0);
  });

  test('of another apply are not repeated', async () => {
    const on = await importing();
    await ok(on.run(['apply', '--yes']));
    const { code, out } = await on.run(['plan', 'check', 'plan.json']);
    expect(code).toBe(5);
    expect(out).toContain(`ImportDefinition/Specs was created in ${W} after this plan was created`);
    expect(out).toContain('Import/Parts was done by another apply after this plan was created');
  });

  test('resume a run that was left open from the file, which does not contain its GUID', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/all.yaml': definition, 'manifests/parts.csv': rows });
    let kill: () => void = () => undefined;
    const request = 'GET /imports/*/runs/* #1';
    const through = workspace.variables;
    await ok(project.run(['apply', '--yes'], through));
    await project.write('manifests/all.yaml', definition + parts);
    await strikeAt(workspace, { request, fault: 'killed after', act: async () => kill() });
    const child = project.start(['apply', '--yes'], through);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const { out } = await ok(project.run(['plan', '--out', 'plan.json'], through));
    expect(out).toContain('was left unfinished by an earlier command');
    expect(await project.read('plan.json')).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);
    const applied = await ok(project.run(['apply', 'plan.json', '--yes'], through));
    expect(applied.out).toContain('2 committed');
    const { body } = await workspace.call('GET', '/imports');
    const { guid } = body.results.find(({ name }: { name: string }) => name === 'Specs');
    const { body: runs } = await workspace.call('GET', `/imports/${guid}/runs`);
    expect(runs.results).toHaveLength(1);
  });

  test('need their definition unchanged, even if the plan does not change it', async () => {
    const on = await stage(definition);
    await ok(on.run(['apply', '--yes']));
    await on.project.write('manifests/all.yaml', definition + parts);
    await on.project.write('manifests/parts.csv', rows);
    await ok(on.run(['plan', '--out', 'plan.json']));
    const { body } = await on.workspace.call('GET', '/imports');
    const { guid } = body.results.find(({ name }: { name: string }) => name === 'Specs');
    await on.workspace.call('PUT', `/imports/${guid}`, { name: 'Specs', description: 'Other words.' });
    await ok(on.run(['plan', 'check', 'plan.json']));
    await on.workspace.call('PUT', `/imports/${guid}`, { name: 'Elsewhere' });
    const { code, out } = await on.run(['plan', 'check', 'plan.json']);
    expect([code, out]).toEqual([
      5,
      expect.stringContaining(`Import/Parts uses ImportDefinition/Specs, which is no longer in ${W}`),
    ]);
  });
});

test('the whole quickstart is saved without a GUID, checked and applied from its file', async () => {
  const workspace = await testWorkspace();
  const project = await testProject();
  const names = [
    'definitions.yaml',
    'events.yaml',
    'exports.yaml',
    'groups.yaml',
    'imports.yaml',
    'numbers.yaml',
    'policies.yaml',
  ];
  for (const file of [...names, 'data/parts.csv', 'data/bom.csv'])
    await project.write(`manifests/${file}`, await readFile(`examples/quickstart/${file}`));
  await ok(
    project.run(['plan', '--out', 'out/plan.json'], workspace.variables).then(async (first) => {
      // Folders are not made.
      expect([first.code, first.err]).toEqual([
        1,
        expect.stringContaining('The folder of the plan file out/plan.json cannot be used'),
      ]);
      return project.run(['plan', '--out', 'plan.json'], workspace.variables);
    }),
  );
  expect(await project.read('plan.json')).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);
  for (const name of names) await rm(join(project.folder, 'manifests', name));
  await ok(project.run(['plan', 'check', 'plan.json'], workspace.variables));
  await ok(project.run(['apply', 'plan.json', '--yes'], workspace.variables));
  for (const name of names) await project.write(`manifests/${name}`, await readFile(`examples/quickstart/${name}`));
  const plan = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('No changes')]);
});

describe('the command line', () => {
  test('options for planning have no meaning for an existing plan', async () => {
    const { run } = await saved();
    for (const flags of [
      ['--prune'],
      ['-f', 'manifests'],
      ['--var', 'a=b'],
      ['--adopt=never'],
      ['--replace', 'UserGroup/Quality'],
    ]) {
      for (const [command, why] of [
        [['apply', 'plan.json', '--yes'], 'changes how a plan is created'],
        [['plan', 'check', 'plan.json'], '`dexsync plan check` has no option'],
      ] as const) {
        const { code, err } = await run([...command, ...flags]);
        expect([flags, code, err]).toEqual([flags, 3, expect.stringContaining(why)]);
      }
    }
    expect((await run(['apply', 'plan.json', '--yes', '--prune'])).err).toMatchInlineSnapshot(`
      "Error: \`--prune\` changes how a plan is created, but plan.json is a saved plan.
      Remove \`--prune\`, or use it with \`dexsync plan --out\`.
      [USAGE, exit 3]
      "
    `);
  });

  test('a saved plan is confirmed like any other', async () => {
    const { run } = await saved();
    const { code, err } = await run(['apply', 'plan.json']);
    expect([code, err]).toEqual([3, expect.stringContaining('[CONFIRMATION_NEEDED, exit 3]')]);
  });

  test('plan --out replaces a plan and nothing else', async () => {
    const { project, run } = await saved();
    await ok(run(['plan', '--out', 'plan.json']));
    const { code, err } = await run(['plan', '--out', 'manifests/all.yaml']);
    expect([code, err]).toEqual([3, expect.stringContaining('[USAGE, exit 3]')]);
    expect(err).toMatchInlineSnapshot(`
      "Error: manifests/all.yaml already exists and is not a plan, so it is not replaced.
      Give another file with \`--out\`.
      [USAGE, exit 3]
      "
    `);
    expect(await project.read('manifests/all.yaml')).toContain('UserGroup');
    const json = await run(['plan', '--json', '--detailed-exitcode', '--out', 'my plan.json']);
    expect([json.code, json.err]).toEqual([2, "Saved to my plan.json. Apply it with: dexsync apply 'my plan.json'\n"]);
    expect(JSON.parse(json.out).format).toBe('dexsync-plan/1');
  });

  test('an apply goes to the environment of the plan unless --env says otherwise', async () => {
    const { workspace, project } = await saved();
    const { DEXSYNC_ENV: _, ...variables } = workspace.variables;
    const elsewhere = await project.run(['apply', 'plan.json', '--yes', '--env', 'local'], variables);
    expect([elsewhere.code, elsewhere.err]).toEqual([5, expect.stringContaining('[PLAN_OTHER_WORKSPACE, exit 5]')]);
    await ok(project.run(['apply', 'plan.json', '--yes'], variables));
  });
});
