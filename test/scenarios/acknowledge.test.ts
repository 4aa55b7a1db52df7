import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const config = (stack: string): string => `stack: ${stack}
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}" }
`;

const BUYERS = { enabled: true, rules: [{ resource: 'ITEM', actions: ['READ'] }] };
const buyers = (spec: object = BUYERS, metadata: object = {}): string => manifest('Policy', 'Buyers', spec, metadata);
const extract = manifest('ExtractDefinition', 'Warehouse', { type: 'FULL' });

/** A project whose service cannot show policies. */
async function stage(text: string) {
  const workspace = await testWorkspace([], 'arena');
  const project = await testProject({ 'sync.config.yaml': config('one'), 'manifests/all.yaml': text });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  /** The requests of a command but for its login. */
  const requests = async (...args: string[]): Promise<string[]> => {
    const before = (await workspace.usage()).length;
    await run(...args);
    const sent = (await workspace.usage()).slice(before);
    return sent.filter(({ path }) => path !== '/login').map(({ method, path }) => `${method} ${path}`);
  };
  const plan = async (...args: string[]) => JSON.parse((await run('plan', '--json', ...args)).out);
  return { workspace, project, run, requests, plan };
}

const ack = (reason = 'set in the web interface, CHG-7') => ['acknowledge', 'Policy/Buyers', '--reason', reason];

test('a manual step that the service cannot show is done once acknowledged, until its manifest changes', async () => {
  const at = await stage(buyers());
  const pending = await at.run('plan');
  expect([pending.code, pending.out]).toEqual([
    4,
    expect.stringContaining('run `dexsync acknowledge Policy/Buyers --reason TEXT`'),
  ]);
  expect(await at.run('plan', '--out', 'before.json')).toMatchObject({ code: 4 });

  expect(await at.requests(...ack())).toEqual([]);
  const files = [
    '--output',
    'md=p.md',
    '--output',
    'html=p.html',
    '--output',
    'junit=p.xml',
    '--output',
    'json=p.json',
  ];
  const done = await at.run('plan', '--detailed-exitcode', ...files);
  const said =
    /Policy\/Buyers is done manually, as acknowledged by .+ on \d{4}-\d\d-\d\d: set in the web interface, CHG-7/;
  expect([done.code, done.out]).toEqual([0, expect.stringMatching(said)]);
  expect(done.out).toContain('No changes. The workspace matches the manifests (1 acknowledged).');
  expect(await at.project.read('p.html')).toMatch(said);
  expect(await at.project.read('p.md')).toContain('is done manually, as acknowledged by');
  expect(await at.project.read('p.xml')).toMatch(/<testcase name="Policy\/Buyers"[^>]*\/>/);
  expect(JSON.parse(await at.project.read('p.json'))).toMatchObject({
    summary: { manual: 0, acknowledged: 1 },
    notes: [{ code: 'acknowledged', acknowledgement: { stack: 'one', reason: 'set in the web interface, CHG-7' } }],
  });
  expect(await at.run('apply', '--yes')).toMatchObject({ code: 0 });
  expect((await at.run('drift')).code).toBe(0);
  expect((await at.run('plan', '--explain', 'Policy/Buyers')).out).toMatch(said);

  // A plan from before is what it was.
  const saved = await at.run('apply', 'before.json', '--yes');
  expect([saved.code, saved.out]).toEqual([4, expect.stringContaining('1 manual')]);

  await at.project.write('manifests/all.yaml', buyers({ ...BUYERS, enabled: false }));
  expect((await at.run('plan')).code).toBe(4);
  expect((await at.run(...ack('switched off'))).code).toBe(0);
  expect((await at.plan()).notes[0].acknowledgement.reason).toBe('switched off');
  await at.project.write('manifests/all.yaml', buyers());
  expect((await at.run('plan')).code).toBe(4);
});

test('the history shows an acknowledgement, `forget` withdraws it, and each of both happens once', async () => {
  const at = await stage(buyers());
  const first = await at.run(...ack(), '--json');
  expect(
    first.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['plan', 'step', 'step', 'summary']);
  const twice = await at.run(...ack('again'));
  expect([twice.code, twice.err]).toEqual([
    3,
    expect.stringMatching(/^Error: Policy\/Buyers is already done manually, as acknowledged by .*: set in the web/),
  ]);
  expect((await at.run('history')).out).toMatch(/acknowledge +1 acknowledged +set in the web interface, CHG-7/);
  expect((await at.run('history', 'show', '1')).out).toContain('✓ Policy/Buyers  acknowledged');
  expect((await at.run('ledger', 'check')).code).toBe(0);

  expect((await at.run('forget', 'Policy/Buyers')).out).toContain('✓ Policy/Buyers  forgotten');
  expect((await at.run('plan')).code).toBe(4);
  expect((await at.run('forget', 'Policy/Buyers')).err).toContain('[NOT_OWNED, exit 3]');
});

test('an object that dexsync applies, that a plan can see, or that no manifest describes is refused, with the reason', async () => {
  const at = await stage(buyers() + extract + manifest('UserGroup', 'Quality', {}));
  const refused = async (address: string): Promise<string> => {
    const { code, err } = await at.run('acknowledge', address, '--reason', 'x');
    expect(code).toBe(3);
    return err;
  };
  expect(await refused('UserGroup/Quality')).toContain(
    'UserGroup/Quality is not a manual step: dexsync applies UserGroup manifests itself.',
  );
  expect(await refused('ExtractDefinition/Warehouse')).toContain(
    'ExtractDefinition/Warehouse needs no acknowledgement: the service lists ExtractDefinition objects',
  );
  expect(await refused('Policy/Buyer')).toContain('No manifest describes Policy/Buyer.\nDid you mean "Policy/Buyers"?');
  expect(await refused('User/ann')).toContain('There is no kind or job "User".');
  expect((await at.run('acknowledge', 'Policy/Buyers')).err).toContain('Required option `--reason <text>`');
  expect((await at.plan()).summary).toMatchObject({ manual: 2 });
});

test('acknowledgements belong to a stack: another one cannot give, forget or count them', async () => {
  const at = await stage(buyers());
  expect((await at.run(...ack())).code).toBe(0);
  await at.project.write('sync.config.yaml', config('two'));
  expect((await at.run('plan')).code).toBe(4);
  for (const command of [ack(), ['forget', 'Policy/Buyers']]) {
    const { code, err } = await at.run(...command);
    expect([code, err]).toEqual([3, expect.stringContaining('Policy/Buyers belongs to the stack "one"')]);
  }
  await at.project.write('sync.config.yaml', config('one'));
  expect((await at.run('plan')).code).toBe(0);
});

test('a rename is another manual step, and an object that lost its manifest is not mentioned', async () => {
  const at = await stage(buyers());
  expect((await at.run(...ack())).code).toBe(0);
  await at.project.write('manifests/all.yaml', manifest('Policy', 'Purchasing', BUYERS, { renamedFrom: 'Buyers' }));
  expect((await at.run('plan')).out).toMatch(/! Policy\/Purchasing {2}manual/);
  await at.project.write('manifests/all.yaml', extract);
  const { notes, steps } = await at.plan('--prune');
  expect([notes, steps.length]).toEqual([[], 1]);
});
