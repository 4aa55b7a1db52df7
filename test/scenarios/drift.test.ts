import { describe, expect, test } from 'vitest';
import { REPORT_FORMATS } from '#app/library/internal.js';
import { alteringProxy } from '../harness/altering-proxy.js';
import { manifest } from '../harness/manifest.js';
import type { Result } from '../harness/run-in-process.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const CONFIG = `stack: one\nmanifests: [manifests]\nenvironments:\n  remote: { url: "\${env.TEST_URL}" }\n`;

const EDITABLE = ['name', 'description', 'enabled', 'assignability', 'type', 'userGroups', 'rules'];
const GROUPS = '/settings/usergroups';

interface Field {
  readonly path: string;
  readonly applied?: unknown;
  readonly now?: unknown;
  readonly named: boolean;
}

interface Found {
  readonly objects: readonly { address: string; fields: readonly Field[] }[];
  readonly unrecorded: readonly string[];
  readonly unread: number;
  readonly requests: number;
}

interface Setting {
  readonly dialect?: 'reference' | 'arena';
  readonly alter?: Parameters<typeof alteringProxy>[1];
}

async function scene(text: string, { dialect = 'reference', alter }: Setting = {}) {
  const workspace = await testWorkspace([], dialect);
  const url = alter === undefined ? workspace.url : await alteringProxy(workspace.url, alter);
  const config = CONFIG.replace('url:', `profile: ${dialect}, url:`);
  const project = await testProject({ 'sync.config.yaml': config, 'manifests/all.yaml': text });
  const run = (...args: string[]): Promise<Result> => project.run(args, { ...workspace.variables, TEST_URL: url });
  const done = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await run(...args);
    expect(code, out + err).toBe(0);
    return out;
  };
  const named = async (
    path: string,
    name: string,
  ): Promise<{ readonly guid: string; readonly [field: string]: unknown }> => {
    const { body } = await workspace.call('GET', `${path}?limit=400`);
    return body.results.find((one: { name: string }) => one.name === name);
  };
  return {
    workspace,
    project,
    run,
    done,
    write: (manifests: string) => project.write('manifests/all.yaml', manifests),
    /** A manual change, as the service's own pages make it: one field, the others as they are. */
    async byHand(path: string, name: string, fields: object): Promise<void> {
      const { guid, ...now } = await named(path, name);
      const own = Object.fromEntries(EDITABLE.filter((field) => field in now).map((field) => [field, now[field]]));
      const { status } = await workspace.call('PUT', `${path}/${guid}`, { ...own, ...fields });
      expect(status).toBeLessThan(300);
    },
    live: named,
    async drift(...flags: string[]): Promise<{ code: number | null; found: Found; paths: string[] }> {
      const { code, out, err } = await run('drift', '--json', ...flags);
      expect([0, 2], err).toContain(code);
      const found = JSON.parse(out) as Found;
      const paths = found.objects.flatMap(({ address, fields }) =>
        fields.map(({ path, named: isNamed }) => `${address} ${path}${isNamed ? '' : ' (unnamed)'}`),
      );
      return { code, found, paths };
    },
  };
}

describe('an unrequested change is drift, also of a field that no manifest names', () => {
  test('stays visible through applies that do not touch the field, until somebody adopts it', async () => {
    const at = await scene(manifest('UserGroup', 'Quality', { description: 'a' }));
    await at.done('apply', '--yes');
    expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { unrecorded: [] } });

    await at.byHand(GROUPS, 'Quality', { enabled: false });
    const first = await at.drift();
    expect(first).toMatchObject({
      code: 2,
      found: { objects: [{ fields: [{ path: 'enabled', applied: true, now: false, named: false }] }] },
    });
    const { out } = await at.run('drift');
    expect(out).toContain('enabled: true -> false  (not in the manifest)');
    for (const format of REPORT_FORMATS) {
      const { out: report } = await at.run('drift', '--output', `${format}=-`);
      const says = format === 'json' ? '"named": false' : 'enabled (not in the manifest)';
      expect([format, report]).toEqual([format, expect.stringContaining(says)]);
    }

    // Nothing to apply: the plan is about what manifests name.
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    await at.done('apply', '--yes');
    expect((await at.drift()).paths).toEqual(['UserGroup/Quality enabled (unnamed)']);

    // An update that carries all fields writes what is there, and does not move the base.
    await at.write(manifest('UserGroup', 'Quality', { description: 'b' }));
    await at.done('apply', '--yes');
    expect(await at.live(GROUPS, 'Quality')).toMatchObject({ description: 'b', enabled: false });
    expect((await at.drift()).paths).toEqual(['UserGroup/Quality enabled (unnamed)']);

    await at.byHand(GROUPS, 'Quality', { enabled: true });
    expect((await at.drift()).paths).toEqual([]);
  });

  test('each readable field that can be changed manually drifts, and no other', async () => {
    const at = await scene(
      manifest('UserGroup', 'G', {}) +
        manifest('Policy', 'P', { rules: [{ resource: 'ITEM', actions: ['READ'] }] }) +
        manifest('Trigger', 'T', { resource: 'ITEM', action: 'EDIT' }) +
        manifest('OutboundIntegration', 'O', { triggers: ['T'] }) +
        manifest('ExtractDefinition', 'X', { enabled: true }) +
        manifest('ImportDefinition', 'D', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }) +
        manifest('ExportDefinition', 'E', {}),
    );
    await at.done('apply', '--yes');
    expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { unrecorded: [] } });

    await at.byHand(GROUPS, 'G', { description: 'x', enabled: false, assignability: ['CHANGES'] });
    const { guid } = await at.live(GROUPS, 'G');
    const rules = [{ resource: 'ITEM', actions: ['READ', 'EDIT'] }];
    await at.byHand('/settings/policies', 'P', { rules, description: 'y', enabled: false, userGroups: [{ guid }] });
    await at.byHand('/settings/integrations/triggers', 'T', {
      ...{ resource: 'ITEM', action: 'EDIT', description: 'z', attributes: [{ apiName: 'name' }] },
    });
    await at.byHand('/outboundevents', 'O', { enabled: false });
    expect((await at.drift()).paths.sort()).toEqual([
      'OutboundIntegration/O enabled (unnamed)',
      'Policy/P description (unnamed)',
      'Policy/P enabled (unnamed)',
      'Policy/P rules[ITEM].actions[EDIT]',
      'Policy/P userGroups[G] (unnamed)',
      'Trigger/T attributes[name] (unnamed)',
      'Trigger/T description (unnamed)',
      'UserGroup/G assignability[CHANGES] (unnamed)',
      'UserGroup/G description (unnamed)',
      'UserGroup/G enabled (unnamed)',
    ]);
  });

  test('a value from a manifest does not drift when the manifest drops it; changes by others since do', async () => {
    const at = await scene(
      manifest('UserGroup', 'G', { description: 'a', enabled: false }) + manifest('UserGroup', 'H'),
    );
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'G', { description: 'b' }));
    expect((await at.drift()).paths).toEqual([]);
    await at.done('apply', '--yes');
    expect((await at.drift()).paths).toEqual([]);
    await at.byHand(GROUPS, 'G', { enabled: true });
    // H no longer has a manifest, and its list is read anyway.
    await at.byHand(GROUPS, 'H', { description: 'by hand' });
    expect((await at.drift()).paths).toEqual(['UserGroup/G enabled (unnamed)', 'UserGroup/H description (unnamed)']);
  });

  test('a rebuilt ledger has the values of the manifests, as after an apply', async () => {
    const at = await scene(manifest('UserGroup', 'G', { enabled: false }));
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'G', { enabled: true }) + manifest('UserGroup', 'H'));
    await at.byHand(GROUPS, 'G', { enabled: true });
    expect((await at.workspace.call('POST', GROUPS, { name: 'H' })).status).toBe(201);
    await at.done('ledger', 'rebuild', '--yes');
    await at.write(manifest('UserGroup', 'H'));
    expect((await at.drift()).paths).toEqual([]);
  });

  test('a rename by an apply does not change the drift of objects that refer to it', async () => {
    const policy = (spec: object): string => manifest('Policy', 'P', spec);
    const at = await scene(manifest('UserGroup', 'Old') + policy({ userGroups: ['Old'] }));
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'Old') + policy({}));
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }) + policy({}));
    expect((await at.drift()).paths).toEqual([]);
    await at.done('apply', '--yes');
    expect((await at.drift()).paths).toEqual([]);
  });

  test.each([
    ['in no manifest', ''],
    ['that no manifest names', manifest('Policy', 'P', {})],
    ['by its new name', manifest('Policy', 'P', { userGroups: ['New'] })],
  ])('a reference %s follows an object that people rename, and that an apply renames once more', async (_, policy) => {
    const at = await scene(manifest('UserGroup', 'Old') + manifest('Policy', 'P', { userGroups: ['Old'] }));
    await at.done('apply', '--yes');
    await at.byHand(GROUPS, 'Old', { name: 'By hand' });
    await at.write(manifest('UserGroup', 'Other') + policy.replace('New', 'By hand'));
    expect((await at.drift()).paths).toEqual(['UserGroup/Old name (unnamed)']);
    await at.write(manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }) + policy);
    expect((await at.drift()).paths).toEqual(['UserGroup/New name']);
    await at.done('apply', '--yes');
    expect((await at.drift()).paths).toEqual([]);
  });

  test('stays visible through an apply that changes only other objects', async () => {
    const at = await scene(manifest('UserGroup', 'Quality'));
    await at.done('apply', '--yes');
    await at.byHand(GROUPS, 'Quality', { enabled: false });
    await at.write(manifest('UserGroup', 'Quality') + manifest('UserGroup', 'Other'));
    await at.done('apply', '--yes');
    expect((await at.drift()).paths).toEqual(['UserGroup/Quality enabled (unnamed)']);
  });

  describe('a rename that a later commit takes back leaves no drift of what refers to it', () => {
    const groupNamed = (name: string, renamedFrom?: string): string => manifest('UserGroup', name, {}, { renamedFrom });
    const policyOf = (group: string, description: string): string =>
      manifest('Policy', 'P', { description, userGroups: [group] });

    test.each([
      ['if the service refused it, and the policy is as it was', 'before'],
      ['if the service refused it, and the policy waited for it', 'now'],
    ])('%s', async (_, description) => {
      const at = await scene(groupNamed('Old') + policyOf('Old', 'before'));
      await at.done('apply', '--yes');
      await at.write(groupNamed('New', 'Old') + policyOf('New', description) + manifest('UserGroup', 'Other'));
      await at.workspace.arm([{ method: 'PUT', path: `${GROUPS}/*`, do: 'status', status: 400 }]);
      expect((await at.run('apply', '--yes')).code).toBe(4);
      await at.workspace.arm([]);
      await at.write(groupNamed('Old') + manifest('Policy', 'P') + manifest('UserGroup', 'Other'));
      expect((await at.drift()).paths).toEqual([]);
    });

    test('if a pull recorded the policy before the rename', async () => {
      const at = await scene(groupNamed('Old') + policyOf('Old', 'before'));
      await at.done('apply', '--yes');
      await at.write(groupNamed('New', 'Old') + policyOf('New', 'before'));
      const { guid } = await at.live(GROUPS, 'Old');
      await at.byHand('/settings/policies', 'P', { description: 'by hand', userGroups: [{ guid }] });
      await at.done('pull');
      await at.write(groupNamed('Old') + manifest('Policy', 'P'));
      expect((await at.drift()).paths).toEqual([]);
    });
  });

  test('a new reference of an object in no manifest is drift, even if no other object of its type is read', async () => {
    const at = await scene(manifest('Policy', 'P', { userGroups: [] }));
    await at.done('apply', '--yes');
    const { guid } = (await at.workspace.call('POST', GROUPS, { name: 'Theirs' })).body;
    await at.byHand('/settings/policies', 'P', { userGroups: [{ guid }] });
    await at.write('');
    expect((await at.drift()).paths).toEqual(['Policy/P userGroups[Theirs] (unnamed)']);
  });

  test('a write without an answer stays ours, even if a list does not show it to the next apply', async () => {
    const at = await scene(manifest('UserGroup', 'Q', { description: 'a' }));
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'Q', { description: 'b' }));
    await at.workspace.arm([
      { method: 'PUT', path: `${GROUPS}/*`, do: 'reset', when: 'after' },
      { method: 'GET', path: GROUPS, times: 'always', do: 'stale', lag: 1 },
    ]);
    expect((await at.run('apply', '--yes')).code).toBe(4);
    const { code, out } = await at.run('apply', '--yes');
    expect([code, out]).toEqual([4, expect.stringContaining('was changed after this plan was created')]);
    await at.workspace.arm([]);
    await at.done('apply', '--yes');
    // A clone with another manifest has the same ledger.
    await at.write(manifest('UserGroup', 'Q', { description: 'c' }));
    expect((await at.drift()).paths).toEqual([]);
  });

  test('an object that somebody recreated leaves nothing behind once it is renamed', async () => {
    const at = await scene(manifest('UserGroup', 'Old'));
    await at.done('apply', '--yes');
    await at.workspace.call('DELETE', `${GROUPS}/${(await at.live(GROUPS, 'Old')).guid}`);
    expect((await at.workspace.call('POST', GROUPS, { name: 'Old' })).status).toBe(201);
    await at.write(manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }));
    const { out } = await at.run('apply', '--yes', '--adopt');
    expect(out).toContain('run the command again with `--gone UserGroup/Old`');
    await at.done('apply', '--yes', '--adopt', '--gone', 'UserGroup/Old');
    expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { objects: [] } });
  });

  test('an object that somebody deleted is drift, too, while what it needs is blocked', async () => {
    const beta = manifest('OutboundIntegration', 'Beta', { triggers: ['Old'] });
    const trigger = (name: string, metadata = {}) =>
      manifest('Trigger', name, { resource: 'CHANGE', action: 'CREATE' }, metadata);
    const { done, run, write, workspace } = await scene(trigger('Old') + beta);
    await done('apply', '--yes');
    await workspace.call('POST', '/settings/integrations/triggers', { name: 'New', resource: 'ITEM', action: 'EDIT' });
    await write(trigger('New', { renamedFrom: 'Old' }) + beta.replace('["Old"]', '["New"]'));
    const [integration] = await workspace.pages('/outboundevents');
    await workspace.administer('DELETE', `/outboundevents/${integration.guid}`);
    expect((await run('plan')).out).toContain('2 blocked');
    const { code, out } = await run('drift', '--json');
    expect([code, JSON.parse(out).objects]).toMatchObject([
      2,
      [{ address: 'OutboundIntegration/Beta', what: 'deleted' }],
    ]);
  });

  test('an object with the former name of a completed rename is treated like any other', async () => {
    const at = await scene(manifest('UserGroup', 'New') + manifest('UserGroup', 'Old'));
    await at.done('apply', '--yes');
    await at.write(manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }));
    await at.byHand(GROUPS, 'Old', { name: 'By hand' });
    expect((await at.drift()).paths).toEqual(['UserGroup/Old name (unnamed)']);
  });
});

describe('an unknown value does not drift', () => {
  test('an answer without the sent values says nothing about the rest; the next apply records what it sees', async () => {
    const at = await scene(manifest('UserGroup', 'G', { description: 'a' }), {
      alter({ method, path }, { body }) {
        if (method !== 'POST' || path !== GROUPS) return undefined;
        const { guid, name } = JSON.parse(String(body));
        return { body: Buffer.from(JSON.stringify({ guid, name })) };
      },
    });
    await at.done('apply', '--yes');
    await at.byHand(GROUPS, 'G', { enabled: false });
    expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { unrecorded: ['UserGroup/G'] } });
    expect((await at.run('drift')).out).toContain('the next apply that changes anything records them');
    // An apply that does nothing to the object is enough, with no request more.
    await at.write(
      manifest('UserGroup', 'G', { description: 'a' }) + manifest('Trigger', 'T', { resource: 'ITEM', action: 'EDIT' }),
    );
    await at.done('apply', '--yes');
    expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { unrecorded: [] } });
    await at.byHand(GROUPS, 'G', { enabled: true });
    expect((await at.drift()).paths).toEqual(['UserGroup/G enabled (unnamed)']);
  });

  test.each(['reference', 'arena'] as const)(
    'a value that the service of the %s dialect fills in is known from its answer',
    async (dialect) => {
      const mapping = [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part Number' },
        { resource: 'ITEM_SPECS', attribute: 'RoHS Status', sourceName: 'RoHS', inResponse: false },
      ];
      const at = await scene(
        manifest('ImportDefinition', 'Mapped', { resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: { mapping } }) +
          manifest('ImportDefinition', 'Plain', { resource: 'ITEM_BOM', mode: 'REPLACE' }) +
          manifest('ExportDefinition', 'E', { options: { bomLevels: 'FULL' } }),
        { dialect },
      );
      await at.done('apply', '--yes');
      expect(await at.drift()).toMatchObject({ code: 0, paths: [], found: { unrecorded: [], unread: 0 } });
    },
  );
});

describe('members, triggers and the like cost a request for each list', () => {
  test('are compared where a manifest names them, and otherwise only with --children, which says its cost', async () => {
    const at = await scene(manifest('UserGroup', 'Named', { members: [] }) + manifest('UserGroup', 'Unnamed'));
    await at.done('apply', '--yes');
    const { body } = await at.workspace.call('GET', '/settings/users');
    const [{ guid, email }] = body.results;
    for (const name of ['Named', 'Unnamed']) {
      const group = await at.live(GROUPS, name);
      await at.workspace.call('POST', `${GROUPS}/${group.guid}/users`, { guid });
    }
    const plain = await at.drift();
    expect(plain).toMatchObject({ paths: [`UserGroup/Named members[${email}]`], found: { unread: 1 } });
    expect((await at.run('drift')).out).toContain('`--children` reads it (1 request more)');
    const whole = await at.drift('--children');
    expect(whole).toMatchObject({
      paths: [`UserGroup/Named members[${email}]`, `UserGroup/Unnamed members[${email}] (unnamed)`],
      found: { unread: 0, requests: plain.found.requests + 1 },
    });
    expect((await at.run('drift', '--children')).err).toContain('2 requests');
  });
});

describe('a base moves when a field is pulled', () => {
  test('so a pulled value does not count as a change from outside', async () => {
    const at = await scene(manifest('UserGroup', 'G', { description: 'a' }));
    await at.done('apply', '--yes');
    await at.byHand(GROUPS, 'G', { description: 'b', enabled: false });
    await at.done('pull', '--kind', 'UserGroup', '--name', 'G');
    expect((await at.drift()).paths).toEqual(['UserGroup/G enabled (unnamed)']);
    await at.write(manifest('UserGroup', 'G', { description: 'c' }));
    expect((await at.run('plan')).out).not.toContain('changed outside');
    expect((await at.run('plan')).out).toContain('"b" -> "c"');
  });

  test('--drifted adds fields that the manifest does not name, and only those that changed', async () => {
    const at = await scene(manifest('UserGroup', 'G', { description: 'a' }));
    await at.done('apply', '--yes');
    await at.byHand(GROUPS, 'G', { enabled: false });
    await at.done('pull', '--drifted', '--kind', 'UserGroup', '--name', 'G');
    const text = await at.project.read('manifests/all.yaml');
    expect(text).toContain('enabled: false');
    expect(text).not.toContain('assignability');
    expect(await at.drift()).toMatchObject({ code: 0, paths: [] });
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('`pull --adopt` records everything that it read', async () => {
    const at = await scene(manifest('UserGroup', 'Other'));
    await at.workspace.call('POST', GROUPS, { name: 'G', description: 'by hand' });
    await at.done('pull', '--adopt', '--kind', 'UserGroup', '--name', 'G');
    await at.byHand(GROUPS, 'G', { enabled: false, assignability: ['CHANGES'] });
    expect((await at.drift()).paths).toEqual([
      'UserGroup/G enabled (unnamed)',
      'UserGroup/G assignability[CHANGES] (unnamed)',
    ]);
  });
});

describe('manage: full', () => {
  test.each([
    ['of a manifest', CONFIG, { manage: 'full' }],
    ['of the stack', `manage: full\n${CONFIG}`, {}],
  ])('%s also requests the fields that it does not name, with their last values', async (_, config, metadata) => {
    const at = await scene(manifest('UserGroup', 'G', { description: 'a' }, metadata));
    await at.project.write('sync.config.yaml', config);
    await at.done('apply', '--yes');
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
    await at.byHand(GROUPS, 'G', { enabled: false, assignability: ['CHANGES'] });
    expect((await at.drift()).paths).toEqual([
      'UserGroup/G enabled (unnamed)',
      'UserGroup/G assignability[CHANGES] (unnamed)',
    ]);
    await at.done('apply', '--yes');
    expect(await at.live(GROUPS, 'G')).toMatchObject({ enabled: true, assignability: [] });
    expect(await at.drift()).toMatchObject({ code: 0, paths: [] });
    expect((await at.run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});
