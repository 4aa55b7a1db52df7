import { expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { Session } from '../harness/session.js';

const groups = (count: number): string =>
  Array.from({ length: count }, (_, index) => manifest('UserGroup', `G${index}`)).join('');

test('a plan says how many days the rollout takes by the quotas; on the first day exactly as much is done as it says', async () => {
  const { project, run, sites, served } = await fleetProject(3, 'waves: [1]', ['--quota', '60']);
  await project.write('manifests/groups.yaml', groups(60));
  const json = await run('fleet', 'plan', 'sites', '--json', '--out', 'rollout.json');
  const { short, days } = json.status.requests;
  // Of 60 requests a day 20 are kept and planning takes one; on the first day it was taken once before.
  const one = { apply: { min: 60, max: 60 }, today: 38, daily: 39, days: 2 };
  expect([short, days]).toEqual([sites.map(({ code }) => ({ environment: code, ...one })), 3]);
  const { status } = await run('fleet', 'apply', 'rollout.json', '--yes', '--json');
  expect(resultsIn(status)).toEqual({ s1: 'deferred', s2: 'waiting', s3: 'waiting' });
  const { email, id } = sites[0] as Site;
  const session = await Session.open(served, email, id);
  const { results } = await session.get('/settings/usergroups');
  expect(results.filter(({ name }: { name: string }) => /^G\d+$/.test(name))).toHaveLength(38);
});

test('the text has two lines, also where the service does not say its daily quota or a day leaves nothing', async () => {
  const { project, run, served, writeSites, sites } = await fleetProject(2, '', ['--quota', '60']);
  await project.write('manifests/groups.yaml', groups(60));
  const plan = async () => (await run('fleet', 'plan', 'sites')).out;
  expect(await plan()).toContain(
    'Warning: The requests that are left today are too few for 2 environments: s1, s2. s1 takes longest: 60 requests, with 38 to spend today and 39 a day.\n' +
      'The rollout takes about 3 days, without soaks and approvals.\n',
  );
  await project.write('manifests/groups.yaml', groups(10));
  expect(await plan()).not.toContain('Warning');
  await project.write('manifests/groups.yaml', groups(70));
  const url = await alteringProxy(served.url, ({ path }, answer) =>
    path === '/login'
      ? { ...answer, body: Buffer.from(answer.body.toString().replace('workspaceRequestLimit', 'other')) }
      : undefined,
  );
  await writeSites(sites.map((site) => (site.code === 's2' ? { ...site, url } : site)));
  expect(await plan()).toContain(
    's2 takes longest: 70 requests, with 36 to spend today; its service does not say the daily quota.\n' +
      'How many days the rollout takes is not known.\n',
  );
  await writeSites(sites);
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', config.replace('    url:', '    keepRequests: 60\n    url:'));
  expect(await plan()).toMatch(
    /s1 takes longest: 70 requests, with 0 to spend today and 0 a day\.\nThe rollout cannot end with these quotas: raise them, lower `keepRequests`, or plan less at once\.\n/,
  );
});

test('a plan says how many users a fleet has, and that environments of one user wait for each other', async () => {
  const { run, sites, writeSites } = await fleetProject(3);
  const [first] = sites as [Site, ...Site[]];
  await writeSites([...sites, { ...first, code: 's4' }]);
  const { out } = await run('fleet', 'plan', 'sites');
  expect(out).toContain('Plans for the fleet sites: 4 environments of 3 users: 3 at once, up to 2 in turn\n');
});
