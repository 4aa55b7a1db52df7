import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { fleetProject } from '../harness/fleet-project.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { browserOf, PageBrowser, servePage } from '../harness/page-browser.js';

const group = (name: string, description: string): string => manifest('UserGroup', name, { description });

test('without a login in the configuration it is for this machine: a link that works once, and nothing without it', async () => {
  const { project, variables } = await pairProject();
  const page = await servePage(project, variables);
  expect(page.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const stranger = new PageBrowser(page.origin);
  for (const path of ['/', '/waiting', '/fleets', '/releases', '/live', '/environments/dev']) {
    const { status, text } = await stranger.send(path);
    expect([path, status]).toEqual([path, 401]);
    expect(text).toContain('Open the link that <code>dexsync serve</code> printed.');
  }
  expect((await stranger.send('/login?key=guess')).status).toBe(403);
  expect((await stranger.send(page.url, { method: 'HEAD' })).status).toBe(404);
  const browser = await browserOf(page);
  expect((await browser.send('/')).status).toBe(200);
  const again = await stranger.send(page.url);
  expect([again.status, again.text.includes('This link was used already')]).toEqual([403, true]);
  await expect.poll(() => page.events().map(({ is }) => is)).toEqual(['login-refused', 'login', 'login-refused']);
  expect(await page.stop('SIGINT')).toMatchObject({ code: 0 });
});

test('it answers only by its own names, and with a policy that runs no script of a page', async () => {
  const { project, variables } = await pairProject();
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  const { port } = new URL(page.origin);
  const statusAs = async (headers: Record<string, string>) => (await browser.send('/', { headers })).status;
  expect(await statusAs({ host: `localhost:${port}` })).toBe(200);
  for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, '127.0.0.1:1'])
    expect([host, await statusAs({ host })]).toEqual([host, 421]);
  expect(await statusAs({ host: 'evil.example', 'x-forwarded-host': `localhost:${port}` })).toBe(421);
  const { headers } = await browser.send('/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers['cache-control']).toBe('no-store');
  const { headers: login } = await new PageBrowser(page.origin).send('/');
  expect(login['set-cookie']).toBeUndefined();
});

test('it refuses to listen for others without a login, a port that is taken, and secrets in plain text', async () => {
  const { project, variables, run } = await pairProject();
  const open = await run('serve', '--host', '0.0.0.0');
  expect([open.code, open.err]).toEqual([
    3,
    expect.stringContaining('Without a login, the page is for this machine only, and 0.0.0.0 is not.'),
  ]);
  expect((await run('serve', '--env', 'dev')).err).toContain('the page shows all of them');
  const page = await servePage(project, variables);
  const taken = await run('serve', '--port', new URL(page.origin).port);
  expect([taken.code, taken.err]).toEqual([3, expect.stringContaining('another program uses it')]);
  const config = await project.read('sync.config.yaml');
  const withPage = (login: string) => project.write('sync.config.yaml', `${config}page: { ${login} }\n`);
  const roles = 'roles: { view: [all] }';
  const secret = `url: "https://plm.example.com", login: { issuer: "https://id.example.com", clientId: a, clientSecret: hunter2, ${roles} }`;
  await withPage(secret);
  expect((await run('serve')).err).toContain('`page.login.clientSecret` is in the configuration as plain text.');
  await withPage(secret.replace('https://plm', 'http://plm').replace('clientSecret: hunter2, ', ''));
  expect((await run('serve')).err).toContain('`page.url` would be used without encryption');
  await withPage(secret.replace('clientSecret: hunter2', 'clientSecret: "${env.NO_SUCH}"'));
  expect((await run('serve')).err).toContain('`page.login.clientSecret` needs the environment variable NO_SUCH');
  await withPage(`url: "http://127.0.0.1:1", login: { issuer: "http://127.0.0.1:1", clientId: a, ${roles} }`);
  const away = await run('serve');
  expect([away.code, away.err]).toEqual([
    1,
    expect.stringContaining('The login service http://127.0.0.1:1/ cannot be used'),
  ]);
});

test('each action needs the token of its page, a reason, and is recorded with who did it', async () => {
  const { project, variables, run } = await fleetProject(3, 'waves: [1], soak: 1h');
  await run('fleet', 'plan', 'sites', '--out', 'rollout.json');
  await run('fleet', 'apply', 'rollout.json', '--yes', '--json');
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  const shown = await browser.send('/fleets/sites');
  expect(shown.text).toContain('Wave 1 is waiting until');
  const [, rollout = ''] = /name="rollout" value="([^"]+)"/.exec(shown.text) ?? [];
  const pause = '/fleets/sites/pause';
  const given = { rollout, reason: 'Ask the plant first' };
  expect((await browser.post(pause, { ...given, _csrf: '' })).status).toBe(403);
  expect((await browser.post(pause, { ...given, _csrf: 'x'.repeat(52) })).status).toBe(403);
  const other = new PageBrowser(page.origin);
  expect((await other.send(pause, { method: 'POST', body: new URLSearchParams(given) })).status).toBe(401);
  const asJson = { 'content-type': 'application/json' };
  expect(
    (await browser.send(pause, { method: 'POST', headers: asJson, body: new URLSearchParams(given) })).status,
  ).toBe(415);
  expect((await browser.post(pause, { rollout, reason: ' ' })).text).toContain('A reason is needed');
  const done = await browser.post(pause, given);
  expect([done.status, done.location]).toEqual([303, '/fleets/sites']);
  const { status } = await run('fleet', 'status', 'sites', '--json');
  expect(status.next).toMatchObject({ is: 'paused', message: 'Ask the plant first' });
  expect((await browser.send('/fleets/sites')).text).toContain('Ask the plant first');
  await expect
    .poll(() => page.events())
    .toContainEqual(
      expect.objectContaining({
        is: 'action',
        action: 'pause',
        of: `rollout ${rollout} of sites`,
        reason: given.reason,
      }),
    );
  const stop = '/fleets/sites/stop';
  expect((await browser.post(stop, given)).text).toContain('Stopping a rollout must be confirmed.');
  expect((await browser.post(stop, { ...given, sure: 'yes' })).status).toBe(303);
  expect((await run('fleet', 'status', 'sites', '--json')).status.next).toMatchObject({ is: 'stopped' });
  expect((await browser.post(stop, { ...given, sure: 'yes' })).status).toBe(400);
  await expect
    .poll(() => page.events().at(-1))
    .toMatchObject({
      is: 'action',
      action: 'stop',
      error: expect.stringContaining('no rollout'),
    });
  const bye = await browser.post('/logout', {});
  expect([bye.status, (await browser.send('/')).status]).toEqual([200, 401]);
});

test('it sends no request to a service until somebody asks for that, and then says what was seen', async () => {
  const { project, variables, dev, run } = await pairProject();
  await project.write('manifests/a.yaml', group('Quality', 'One'));
  await run('apply', '--env', 'dev', '--yes');
  const used = async () => (await dev.usage()).length;
  const before = await used();
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  for (const path of ['/', '/waiting', '/environments/dev', '/environments/prod', '/releases', '/fleets'])
    expect([path, (await browser.send(path)).status]).toEqual([path, 200]);
  const object = await browser.send('/environments/dev/objects?address=UserGroup/Quality');
  expect(object.text).toContain('One');
  expect(await used()).toBe(before);
  const [own] = (await dev.pages('/settings/usergroups')).filter(({ name }) => name === 'Quality');
  await dev.call('PUT', `/settings/usergroups/${own.guid}`, { name: 'Quality', description: 'Changed' });
  const asked = await browser.post('/environments/dev/look', {});
  expect([asked.status, asked.location]).toEqual([303, '/environments/dev']);
  await expect.poll(() => page.events().at(-1)).toMatchObject({ is: 'action', action: 'look-for-drift', of: 'dev' });
  await expect.poll(async () => (await browser.send('/')).text).toContain('1 object');
  expect(await used()).toBeGreaterThan(before);
});

test('no name or text of others becomes markup, and no secret is on a page', async () => {
  const name = `<script>alert(1)</script> "quoted" 'single' & שלום ${'long '.repeat(30)}end`;
  const { project, variables, run } = await pairProject();
  await project.write('manifests/a.yaml', group(name, 'x'.repeat(3000)));
  const reason = `'"><img src=x onerror=alert(1)> \u202Eevil the key is open-sesame-42 <b>${'why '.repeat(50)}</b>`;
  await run('plan', '--env', 'dev', '--out', 'ledger:one', '--reason', reason);
  await run('apply', '--env', 'dev', '--yes', '--reason', reason);
  expect((await run('release', 'create', '--from', 'dev', '--note', '<i>note</i>')).code).toBe(0);
  const page = await servePage(project, { ...variables, DEXSYNC_PLAN_KEY: 'open-sesame-42' });
  const browser = await browserOf(page);
  const address = encodeURIComponent(`UserGroup/${name}`);
  const paths = [
    '/',
    '/waiting',
    '/environments/dev',
    '/environments/dev/plans/one',
    '/releases',
    '/releases/dev%2Fr1',
  ];
  const all = [];
  for (const path of [...paths, `/environments/dev/objects?address=${address}`, `/?q=${address}&show=${address}`]) {
    const { status, text } = await browser.send(path);
    expect([path, status]).toEqual([path, 200]);
    for (const mark of ['<script>alert', '<img', '<b>why', '<i>note', '\u202E', 'open-sesame'])
      expect([path, mark, text.includes(mark)]).toEqual([path, mark, false]);
    all.push(text);
  }
  for (const shown of ['&lt;script&gt;alert', '&lt;img src=x', '&lt;i&gt;note', '&lt;U+202E&gt;evil', '[redacted]'])
    expect([shown, all.some((text) => text.includes(shown))]).toEqual([shown, true]);
  for (const path of [
    '/environments/nowhere',
    '/fleets/none',
    '/releases/none',
    '/nothing',
    `/environments/${address}`,
  ])
    expect([path, (await browser.send(path)).status]).toEqual([path, 404]);
});

test('a login that asks too often has to wait', async () => {
  const { project, variables } = await pairProject();
  const page = await servePage(project, variables);
  const stranger = new PageBrowser(page.origin);
  const statuses = [];
  for (let tries = 0; tries < 22; tries += 1) statuses.push((await stranger.send(`/login?key=${tries}`)).status);
  expect([statuses.slice(0, 20).every((one) => one === 403), statuses.slice(20)]).toEqual([true, [429, 429]]);
});

test('a ledger that changes, and a configuration that breaks, are on the page without a restart', async () => {
  const { project, variables, run } = await pairProject();
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  await project.write(
    'manifests/a.yaml',
    itemsDefinition('Parts', { Part: 'number', Name: 'name', Phase: 'lifecyclePhase.name' }) +
      manifest('Import', 'Parts', { definition: 'Parts', source: { file: 'a.csv' }, commit: 'always' }),
  );
  await project.write('manifests/a.csv', 'Part,Name,Phase\nX-1,one,\nX-2,two,Nowhere\n');
  await run('apply', '--env', 'dev', '--yes');
  await expect.poll(async () => (await browser.send('/waiting')).text, { timeout: 20_000 }).toContain('1 row missing');
  await project.write('sync.config.yaml', 'stack: [');
  await expect
    .poll(async () => (await browser.send('/')).text, { timeout: 20_000 })
    .toContain('Nothing newer is known');
  expect((await browser.send('/')).text).toContain('dev');
});
