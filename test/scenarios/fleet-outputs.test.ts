import { expect, test } from 'vitest';
import { elementsIn, readXml } from '../app/views/reports/read-xml.js';
import { type FleetProject, fleetProject } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { finished } from '../harness/test-project.js';

const FORMATS = ['md', 'html', 'junit', 'sarif', 'github', 'gitlab', 'json'];
const ALL = FORMATS.flatMap((format) => ['--output', `${format}=r.${format}`]);
const SAVE = ['fleet', 'plan', 'sites', '--out', 'rollout.json'];

/** The test cases of a file: what became of each. */
async function casesIn({ project }: FleetProject): Promise<Record<string, string>> {
  const cases = elementsIn(readXml(await project.read('r.junit'))).filter(({ name }) => name === 'testcase');
  return Object.fromEntries(
    cases.map(({ attributes, children: [result] }) => [
      attributes.name,
      result === undefined || typeof result === 'string' ? 'passed' : `${result.name}: ${result.attributes.message}`,
    ]),
  );
}

test('a plan and its rollout are files of every format, whether the command ends well or not', async () => {
  const fleet = await fleetProject(4, 'waves: [1, 2]');
  const { run, project, sites, writeSites, ask, variables } = fleet;
  await run(...SAVE);
  await run('fleet', 'apply', 'rollout.json', '--yes', ...ALL);
  expect(await project.read('r.md')).toMatch(
    /^<!-- dexsync fleet apply rollout\.json -->\n## dexsync fleet apply <code>rollout\.json<\/code>: 4 done\n/,
  );
  expect(await casesIn(fleet)).toEqual({ s1: 'passed', s2: 'passed', s3: 'passed', s4: 'passed' });
  expect([await project.read('r.github'), await project.read('r.gitlab')]).toEqual(['', '[]\n']);

  // A user that the service does not know, something that is there already, and a name full of markup.
  await ask('Second *text* | <b>');
  await writeSites(sites.map((site) => (site.code === 's4' ? { ...site, email: 'nobody@example.com' } : site)));
  const planned = await run(...SAVE, '--json', ...ALL);
  expect(planned.code).toBe(4);
  expect(await project.read('r.json')).toBe(planned.out);
  const markdown = await project.read('r.md');
  expect(markdown).toMatch(/^<!-- dexsync fleet plan sites -->\n## .*: 3 to change, 1 not planned\n/);
  expect(markdown).toContain('### Environments that need attention\n\n- **error** s4: not planned: ');
  expect(markdown).toContain('- Wave 1: 1 to change: s1\n- Wave 2: 2 to change: s2, s3\n');
  expect(markdown).toContain('### Changes in 3 environments\n\n- s1, s2, s3\n');
  expect(markdown).toContain('+ description: "Second *text* | <b>"');
  expect(await casesIn(fleet)).toMatchObject({ s1: 'passed', s4: expect.stringMatching(/^failure: not planned: /) });

  // Somebody changes what the rollout would change in its second wave.
  await writeSites(sites);
  await project.write('other/groups.yaml', manifest('UserGroup', 'Quality', { description: 'By hand' }));
  await project.run(['apply', '--env', 's2', '-f', 'other', '--yes'], variables);
  const applied = await run('fleet', 'apply', 'rollout.json', '--yes', '--output', 'md=-', ...ALL.slice(2));
  expect([applied.code, applied.err]).toEqual([1, expect.stringContaining('✗ s2: failed: The plan is stale')]);
  expect(applied.out).toMatch(/^<!-- dexsync fleet apply rollout\.json -->\n## .*: 2 done, 1 failed, 1 not planned\n/);
  expect(await casesIn(fleet)).toMatchObject({
    s1: 'passed',
    s2: expect.stringMatching(/^failure: failed: The plan is stale/),
  });
  const html = await project.read('r.html');
  expect(html).toMatch(/<p class="outcome bad">2 done, 1 failed, 1 not planned<\/p>/);
  expect(html).toContain('<td>s2</td><td class="error">failed</td><td>The plan is stale');
  expect(await project.read('r.github')).toMatch(
    /^::error title=PLAN_STALE::s2: failed: .*\n::warning .*::s4: not planned: .*\n$/m,
  );
  expect(JSON.parse(await project.read('r.sarif')).runs[0].results).toMatchObject([
    { ruleId: 'rollout-over-budget' },
    { ruleId: 'PLAN_STALE', level: 'error' },
    { level: 'warning' },
  ]);
  expect(
    (await project.read('r.json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .at(-1),
  ).toMatchObject({
    type: 'fleet',
    event: { is: 'status', exitCode: 1 },
  });

  // What shows or continues it writes the same, and an error is in the files, too.
  const status = await run('fleet', 'status', 'sites', '--json', ...ALL);
  expect([status.code, await project.read('r.json')]).toEqual([1, status.out]);
  expect(await project.read('r.md')).toContain('<!-- dexsync fleet status sites -->\n## ');
  expect((await run('fleet', 'retry', 'sites', '--failed', ...ALL)).code).toBe(1);
  expect(await project.read('r.md')).toContain('2 done, 1 failed, 1 not planned');
  expect((await run('fleet', 'resume', 'site', ...ALL)).code).toBe(3);
  expect(await project.read('r.md')).toMatch(
    /^<!-- dexsync fleet resume site -->\n## .*: failed \(UNKNOWN&#95;NAME\)\n/,
  );
  for (const format of FORMATS) expect(await project.read(`r.${format}`)).toContain('UNKNOWN');
});

test('a rollout that is interrupted writes what was done until then', async () => {
  const fleet = await fleetProject(3, 'soak: 1d');
  const { run, project, variables } = fleet;
  await run(...SAVE);
  const child = project.start(['fleet', 'apply', 'rollout.json', '--yes', '--wait', ...ALL], variables);
  const ended = finished(child);
  child.stdout?.on('data', (text: Buffer) => void (text.includes('Waits until') && child.kill('SIGINT')));
  expect((await ended).code).toBe(130);
  expect(await project.read('r.md')).toContain('- Wave 1: 1 done: s1\n- Wave 2: 2 waiting: s2, s3\n');
  expect(await casesIn(fleet)).toMatchObject({
    s1: 'passed',
    s2: expect.stringMatching(/^skipped: waiting: Wave 1 is waiting/),
  });
});
