import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const groups = (count: number): string =>
  Array.from({ length: count }, (_, index) => manifest('UserGroup', `G${index}`)).join('');
const CONFIG =
  'stack: s\nmanifests: [manifests]\nenvironments:\n  remote: { url: "${env.TEST_URL}", keepRequests: KEEP }\n';

async function stage(quota: number, keep: number | undefined, manifests: string) {
  const workspace = await testWorkspace(['--quota', String(quota)]);
  const config = keep === undefined ? CONFIG.replace(', keepRequests: KEEP', '') : CONFIG.replace('KEEP', String(keep));
  const project = await testProject({ 'manifests/all.yaml': manifests, 'sync.config.yaml': config });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const refused = async () => (await workspace.usage()).filter(({ status }) => status === 429).length;
  return { workspace, project, run, refused };
}

describe('the reserve of the day', () => {
  test('stops an apply between steps with the time to continue, and nothing is answered 429', async () => {
    const { run, refused, workspace } = await stage(60, 30, groups(60));
    const { code, out } = await run('apply', '--yes');
    expect(code).toBe(4);
    expect(out).toMatch(
      /error {2}quota\n {2}Daily quota used up until \d\d:\d\d UTC \(in (\d+ h )?\d+ min\)\. Stopped between two steps: \d+ requests are left, 30 are reserved \(`keepRequests`\)\.\n {2}Run the command again after the reset: steps that are done are not repeated\. `--wait-for-quota` waits for it\.\n/,
    );
    expect(out.match(/Stopped between/g)).toHaveLength(1);
    const [, done, skipped, left] = /Result: (\d+) done, (\d+) skipped\.\n.*, (\d+) left today/.exec(out) ?? [];
    expect([Number(done) + Number(skipped), Number(left)]).toEqual([60, expect.any(Number)]);
    expect(Number(left)).toBeGreaterThanOrEqual(30);
    expect(Number(done)).toBeGreaterThan(20);
    expect(await refused()).toBe(0);
    const { body } = await workspace.call('GET', '/settings/usergroups');
    expect(body.count).toBe(Number(done) + 1);
  });

  test('is 5 % of the quota, and 20 at least, unless the environment says otherwise', async () => {
    const few = await stage(100, undefined, groups(100));
    const first = await few.run('apply', '--yes', '--json');
    expect(linesOf(first.out).find(({ diagnostic }) => diagnostic?.code === 'quota').diagnostic.message).toContain(
      '20 are reserved',
    );
    const none = await stage(40, 0, groups(60));
    const second = await none.run('apply', '--yes');
    expect([second.code, second.out]).toEqual([4, expect.stringContaining('0 requests are left, 0 are reserved')]);
    expect(second.out).not.toContain('429');
  });

  test('lets the next apply continue where it stopped', async () => {
    const { run, project } = await stage(80, 40, groups(60));
    expect((await run('apply', '--yes')).code).toBe(4);
    await project.write('sync.config.yaml', CONFIG.replace('KEEP', '0'));
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([0, expect.stringMatching(/ to create, \d+ unchanged\./)]);
  });

  test('keeps an import from starting, and import FILE ends alike', async () => {
    const { run, project, refused } = await stage(60, 50, itemsDefinition('D'));
    await project.write('a.csv', 'Part,Name\nA-1,one\n');
    expect((await run('apply', '--yes')).code).toBe(0);
    await run('plan');
    for (let index = 0; index < 4; index += 1) await run('plan');
    const { code, out } = await run('import', 'a.csv', '--definition', 'D');
    expect([code, out]).toEqual([4, expect.stringContaining('50 are reserved')]);
    expect(await refused()).toBe(0);
  });
});

test('imports of one wave that exceed the reserve end, and are not committed', async () => {
  const job = (name: string): string =>
    manifest('Import', name, { definition: 'D', source: { file: `../${name}.csv` } });
  const jobs = Array.from({ length: 6 }, (_, index) => `J${index}`);
  const { run, project, refused } = await stage(60, 44, itemsDefinition('D') + jobs.map(job).join(''));
  for (const name of jobs) await project.write(`${name}.csv`, `Part,Name\n${name}-1,one\n`);
  const { code, out } = await run('apply', '--yes', '--parallelism', '1');
  expect([code, out]).toEqual([4, expect.stringContaining('44 are reserved')]);
  expect(await refused()).toBe(0);
});

test('--wait-for-quota continues once there are new requests', async () => {
  const { workspace, project } = await stage(60, 30, groups(40));
  const soon = new Date(Date.now() + 4_000);
  let renewed = false;
  const url = await alteringProxy(workspace.url, ({ method }, { headers, status, body }) => {
    renewed ||= Date.now() > soon.getTime() + 4_000;
    const shown = { 'x-requests-remaining': renewed ? '5000' : (headers['x-requests-remaining'] ?? '') };
    return method === ''
      ? undefined
      : { status, body, headers: { ...headers, ...shown, 'x-next-request-limit-reset': soon.toUTCString() } };
  });
  const { code, out } = await project.run(['apply', '--yes', '--wait-for-quota'], {
    ...workspace.variables,
    TEST_URL: url,
  });
  expect([code, out]).toEqual([0, expect.stringContaining('waiting 1 min for the daily quota to reset')]);
  expect(out).toContain('Result: 40 done.');
});
