import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { freePort, logInAs, loginService } from '../harness/login-service.js';
import { browserOf, type PageBrowser, servePage } from '../harness/page-browser.js';
import { type Person, people, protectProject, signedProject, variablesOf } from '../harness/signed-project.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { groups } from './lease-project.js';

const PLAN = '/environments/prod/plans/p';
const APPLY = ['apply', '--as-reviewed', 'ledger:p', '--yes'];

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Asks the page for a statement: its text as a form has it, and the link for `plan review --server`. */
async function statementFor(browser: PageBrowser, signer: string, verdict = 'approved') {
  const { status, text } = await browser.post(
    `${PLAN}/statement`,
    { verdict, signer, reason: 'as "agreed" <today>' },
    PLAN,
  );
  const [, statement = ''] = /name="statement" value="([^"]*)"/.exec(text) ?? [];
  const [, link = ''] = /--server (http\S+?)<\/pre>/.exec(text) ?? [];
  return { status, text, statement: unescaped(statement), link };
}

const sign = (statement: string, { key }: Person): string =>
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', 'dexsync-review@v1'], {
    input: statement,
    encoding: 'utf8',
  });

test('the page takes signatures, pasted or sent, and no click', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const { as, project, variables } = await signedProject(
    { 'manifests/all.yaml': groups(1) },
    [bob, eve],
    '{ required: 2 }',
  );
  await as(ann)('plan', '--out', 'ledger:p');
  const page = await servePage(project, variables);
  const browser = await browserOf(page);
  expect((await browser.send(PLAN)).text).toContain('0 of 2 approvals');

  const asked = await statementFor(browser, 'bob@example.com');
  expect(asked.status).toBe(200);
  const other = await browser.post(
    `${PLAN}/verdict`,
    { statement: asked.statement, signature: sign(asked.statement, eve) },
    PLAN,
  );
  expect([other.status, other.text]).toEqual([
    409,
    expect.stringContaining('is not one of bob@example.com in the allowed signers'),
  ]);
  const edited = asked.statement.replace('approved', 'rejected');
  expect(
    (await browser.post(`${PLAN}/verdict`, { statement: edited, signature: sign(asked.statement, bob) }, PLAN)).text,
  ).toContain('it was changed after it was signed');
  expect((await browser.post(`${PLAN}/verdict`, { statement: asked.statement, signature: '' }, PLAN)).status).toBe(409);
  expect(
    (await browser.post(`${PLAN}/click`, { verdict: 'approved', signer: 'bob@example.com' }, PLAN)).text,
  ).toContain('Clicks do not count as verdicts here.');
  expect((await browser.send(PLAN)).text).toContain('0 of 2 approvals');

  // The server is killed between the statement and its signature: nothing is lost. A browser ends lines with CRLF.
  await page.stop('SIGKILL');
  const again = await servePage(project, variables);
  const later = await browserOf(again);
  const [statement, signature] = [asked.statement, sign(asked.statement, bob)].map((text) =>
    text.replaceAll('\n', '\r\n'),
  );
  expect(
    (await later.post(`${PLAN}/verdict`, { statement: statement ?? '', signature: signature ?? '' }, PLAN)).status,
  ).toBe(303);
  expect((await later.send(PLAN)).text).toContain('1 of 2 approvals');

  // Two people at once; one of them from a machine that has neither the project nor the ledger.
  const link = (await statementFor(later, 'eve@example.com')).link;
  const elsewhere = await testProject();
  const review = (who: Person, verdict: string, url = link) =>
    elsewhere.run(['plan', 'review', verdict, '--server', url], variablesOf(who));
  expect((await review(eve, '--reject')).err).toContain('The page asks to sign that the plan is approved');
  expect((await review(bob, '--approve')).err).toContain('is not one of eve@example.com');
  const sent = await review(eve, '--approve');
  expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('The plan has the approvals that it needs.')]);
  expect((await review(eve, '--approve')).err).toContain('This link was used already');
  expect((await later.send(PLAN)).text).toContain('>approved</span> as <code>reviews</code>');
  expect(again.events()).toContainEqual(
    expect.objectContaining({ is: 'action', action: 'review', of: 'ledger:p of prod' }),
  );
  expect((await as(ann)(...APPLY)).code).toBe(0);
});

test('a click counts where roles say so, for the person who logged in, and is shown as one', async () => {
  const { ann, bob, server } = await people('ann', 'bob', 'server');
  const service = await loginService({
    bob: { email: 'bob@example.com', groups: ['quality'] },
    eve: { email: 'eve@example.com', groups: ['quality'] },
    zoe: { email: 'zoe@example.com', groups: ['visitors'] },
  });
  const workspace = await testWorkspace();
  const variables = {
    ...Object.fromEntries(
      Object.entries(workspace.variables).map(([name, value]) => [name.replace('REMOTE', 'PROD'), value]),
    ),
    DEXSYNC_ENV: 'prod',
    PAGE_SECRET: service.clientSecret,
  };
  const port = await freePort();
  const project = await testProject({
    'manifests/all.yaml': groups(1),
    'sync.config.yaml': `stack: test
manifests: [manifests]
environments:
  prod: { url: "\${env.TEST_URL}", production: true }
page:
  url: http://127.0.0.1:${port}
  reviewKey: ${server.key}
  login:
    issuer: ${service.issuer}
    clientId: ${service.clientId}
    clientSecret: "\${env.PAGE_SECRET}"
    scope: openid email groups
    roles: { view: [quality, visitors], review: [quality] }
`,
  });
  const roles =
    'roles: { quality: { members: [bob@example.com], required: 1, page: true }, plm: { members: [eve@example.com] } }';
  const { push } = await protectProject(project, [bob], `{ required: 1, ${roles} }`);
  await project.write('allowed_signers', `page namespaces="dexsync-page@v1" ${server.publicKey}\n`);
  await push();
  await project.run(['plan', '--out', 'ledger:p'], { ...variables, ...variablesOf(ann) });
  service.admit(`http://127.0.0.1:${port}`);
  const page = await servePage(project, variables, ['--port', String(port)]);
  const click = async (who: string) => {
    const { page: browser } = await logInAs(who, page.origin);
    return browser.post(`${PLAN}/click`, { verdict: 'approved', signer: 'bob@example.com' }, PLAN);
  };
  expect((await click('zoe')).text).toContain('Clicks do not count as verdicts here.');
  expect((await click('eve')).text).toContain('no role of eve@example.com in <code>reviews</code>');
  expect((await click('bob')).status).toBe(303);
  const { page: browser } = await logInAs('zoe', page.origin);
  expect((await browser.send(PLAN)).text).toContain('clicked, signed by this page');
  const applied = await project.run(APPLY, { ...variables, ...variablesOf(ann) });
  expect(applied.code, applied.err).toBe(0);
  const history = await project.run(['history', 'show', '1'], variables);
  expect(history.out).toMatch(/approved by bob@example\.com with the key SHA256:\S+, .*, on the page/);
});
