import { expect, test } from 'vitest';
import { fleetProject } from '../harness/fleet-project.js';
import { logInAs } from '../harness/login-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { PageBrowser } from '../harness/page-browser.js';
import { servedFor } from '../harness/page-for-people.js';
import { testProject } from '../harness/test-project.js';

test('people log in at the provider, come back to where they wanted to go, and may do what their groups say', async () => {
  const { project, variables, run } = await fleetProject(2, 'waves: [1], soak: 1h');
  await run('fleet', 'plan', 'sites', '--out', 'rollout.json');
  await run('fleet', 'apply', 'rollout.json', '--yes', '--json');
  const { url, page } = await servedFor(project, variables);
  expect(page.url).toBe(`${url}/`);
  const ann = await logInAs('ann', url, '/fleets/sites');
  expect([ann.status, ann.next]).toEqual([303, '/fleets/sites']);
  const ben = await logInAs('ben', url);
  const shown = await ben.page.send('/fleets/sites');
  expect(shown.text).toContain('ben@example.com');
  expect(shown.text).not.toContain('Pause');
  const [, rollout = ''] = /name="rollout" value="([^"]+)"/.exec((await ann.page.send('/fleets/sites')).text) ?? [];
  const refused = await ben.page.post('/fleets/sites/pause', { rollout, reason: 'I want to' });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('It takes the role operate')]);
  const token = await ben.page.post('/fleets/sites/pause', { rollout, reason: 'With a token of Ben' });
  expect(token.status).toBe(403);
  expect((await ann.page.post('/fleets/sites/pause', { rollout, reason: 'The plant asked' })).status).toBe(303);
  const { status } = await run('fleet', 'status', 'sites', '--json');
  expect(status.next).toMatchObject({ is: 'paused', by: 'ann@example.com', message: 'The plant asked' });
  const eve = await logInAs('eve', url);
  expect([eve.status, eve.text]).toEqual([403, expect.stringContaining('eve@example.com has no role on this page.')]);
  expect((await eve.page.send('/')).status).toBe(302);
  await expect
    .poll(() => page.events().filter(({ is }) => is !== 'action'))
    .toEqual([
      { is: 'login', by: 'ann@example.com', roles: ['view', 'operate'], from: '127.0.0.1' },
      { is: 'login', by: 'ben@example.com', roles: ['view'], from: '127.0.0.1' },
      { is: 'login-refused', by: 'eve@example.com', from: '127.0.0.1', message: expect.any(String) },
    ]);
});

test('a login holds for the browser that began it, once, and leads to no other site', async () => {
  const { url, page, start } = await servedFor(await testProject());
  const ann = await logInAs('ann', url, '/waiting');
  expect([ann.status, ann.next]).toEqual([303, '/waiting']);
  const cookies = ann.page.cookies;
  const [session = ['', '']] = [...cookies];
  expect((await ann.page.send(ann.back)).status).toBe(403);
  const thief = new PageBrowser(url);
  const { location } = await thief.send('/');
  const begun = new URL((await thief.send(location ?? '')).location ?? '');
  expect(begun.searchParams.get('code_challenge_method')).toBe('S256');
  for (const field of ['state', 'nonce', 'code_challenge']) expect(begun.searchParams.get(field)).toMatch(/^.{20,}$/);
  const state = begun.searchParams.get('state');
  expect((await new PageBrowser(url).send(`/login/back?code=stolen&state=${state}`)).status).toBe(403);
  const forged = await thief.send(`/login/back?code=forged&state=${state}`);
  expect([forged.status, forged.text]).toEqual([403, expect.stringContaining('did not confirm the login')]);
  for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/login', 'javascript:alert(1)']) {
    const away = await logInAs('ann', url, `/login?to=${encodeURIComponent(to)}`).catch(() => undefined);
    expect([to, away?.next ?? '/']).toEqual([to, '/']);
  }
  // A request of a script is not sent to the provider.
  const script = await new PageBrowser(url).send('/live', { headers: { 'sec-fetch-mode': 'cors' } });
  expect(script.status).toBe(401);
  await page.stop('SIGKILL');
  await start();
  const after = new PageBrowser(url);
  after.cookies.set(...session);
  expect((await after.send('/')).status).toBe(302);
  expect((await logInAs('ann', url)).status).toBe(303);
});

test('cells of rows are shown to nobody without the role for them', async () => {
  const { project, variables, run } = await fleetProject(2);
  await project.write(
    'manifests/a.yaml',
    itemsDefinition('Parts', { Part: 'number', Name: 'name', Phase: 'lifecyclePhase.name' }) +
      manifest('Import', 'Parts', { definition: 'Parts', source: { file: 'a.csv' }, commit: 'always' }),
  );
  await project.write('manifests/a.csv', 'Part,Name,Phase\nX-1,Secret sauce,\n');
  const planned = await run('plan', '--env', 's1', '--out', 'ledger:parts');
  expect(planned.code).toBe(0);
  const { url } = await servedFor(project, variables);
  const path = '/environments/s1/plans/parts';
  const pageOf = async (name: string) => (await (await logInAs(name, url)).page.send(path)).text;
  const [ben, dora] = [await pageOf('ben'), await pageOf('dora')];
  expect(dora).toContain('Secret sauce');
  expect(ben).toContain('Import/Parts');
  expect(ben).not.toContain('Secret sauce');
  expect(ben).toContain('Cells of rows are shown to people with the role data.');
});

test('two people who act on one rollout at once are both recorded, also by a server that is killed afterwards', async () => {
  const { project, variables, run } = await fleetProject(2, 'waves: [1], soak: 1h');
  await run('fleet', 'plan', 'sites', '--out', 'rollout.json');
  await run('fleet', 'apply', 'rollout.json', '--yes', '--json');
  const { url, page, start } = await servedFor(project, variables);
  const [ann, odo] = [await logInAs('ann', url), await logInAs('odo', url)];
  const shown = (await ann.page.send('/fleets/sites')).text;
  const [, rollout = ''] = /name="rollout" value="([^"]+)"/.exec(shown) ?? [];
  const [paused, stopped] = await Promise.all([
    ann.page.post('/fleets/sites/pause', { rollout, reason: 'Ann pauses' }),
    odo.page.post('/fleets/sites/stop', { rollout, reason: 'Odo stops', sure: 'yes' }),
  ]);
  // Who comes second after a stop reads that there is nothing left to pause.
  expect([303, 400]).toContain(paused.status);
  expect(stopped.status).toBe(303);
  await page.stop('SIGKILL');
  await start();
  const again = await logInAs('ann', url);
  expect((await again.page.send('/fleets/sites')).text).toContain('Stopped by odo@example.com: Odo stops');
  const { status } = await run('fleet', 'status', 'sites', '--json');
  expect(status.next).toMatchObject({ is: 'stopped', by: 'odo@example.com', message: 'Odo stops' });
});
