import { describe, expect, onTestFinished, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { manifest } from '../harness/manifest.js';
import { Session } from '../harness/session.js';
import { testProject } from '../harness/test-project.js';

const CONFIG = `stack: test
manifests: [manifests]
environments:
  dev: { workspace: embedded, labels: { tier: dev } }
  sites:
    from: sites.csv
    name: site-\${row.Code}
    url: "\${env.URL}"
    labels: { tier: site, region: "\${row.Region}" }
    variables: { site: "\${row.Site}" }
    credentials: { email: "\${row.User}", workspaceId: "\${row.Workspace}", passwordCommand: 'printf %s "$ROW_SECRET"' }
`;

/** Three sites of one service: two of one user, one of another. */
async function sites() {
  const served = await openHosted('--workspace', 'berlin', '--workspace', 'york');
  onTestFinished(() => served.stop());
  const [vie, ber, nyc] = (served.workspaces ?? []).map(({ workspaceId }) => workspaceId);
  const rows = [
    `vie,"Vienna; touch broken-out",EU,admin@example.com,${vie},${served.password}`,
    `ber,Berlin,EU,admin@example.com,${ber},${served.password}`,
    `nyc,New York,US,cleo@example.com,${nyc},${served.password}`,
  ];
  const project = await testProject({
    'sync.config.yaml': CONFIG,
    'sites.csv': `Code,Site,Region,User,Workspace,Secret\n${rows.join('\n')}\n`,
    'manifests/group.yaml': manifest('UserGroup', 'Quality', { description: 'Quality of ${var.site}' }),
  });
  const run = (...args: string[]) => project.run(args, { URL: served.url });
  const document = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out).environments;
  return { served, project, run, document, ids: { vie, ber, nyc } };
}

describe('several environments at once', () => {
  test('a plan, an apply in one, then drift, status and a diff: each result beside its environment, the strongest exit code', async () => {
    const { run, document, served, ids } = await sites();
    const plans = await document('plan', 'site-*', '--detailed-exitcode');
    const facts = plans.map(
      ({
        environment,
        exitCode,
        result,
      }: {
        environment: string;
        exitCode: number;
        result: { steps: { fields: { after: unknown }[] }[] };
      }) => [environment, exitCode, result.steps.flatMap(({ fields }) => fields.map(({ after }) => after))],
    );
    expect(facts).toEqual([
      ['site-vie', 2, expect.arrayContaining(['Quality of Vienna; touch broken-out'])],
      ['site-ber', 2, expect.arrayContaining(['Quality of Berlin'])],
      ['site-nyc', 2, expect.arrayContaining(['Quality of New York'])],
    ]);

    const applied = await run('apply', '--env', 'site-ber', '--yes');
    expect(applied.code, applied.err).toBe(0);
    const after = await run('plan', '--where', 'labels.region == "EU"', '--detailed-exitcode', '--summary');
    expect([after.code, after.err]).toEqual([2, '']);
    expect(after.out).toMatch(/== site-vie ==.*1 to create.*== site-ber ==.*No changes/s);
    expect(after.out).toContain('\n2 environments:\n  1 done\n  1 with differences: site-vie\n');

    const session = await Session.open(served, 'admin@example.com', ids.ber);
    const { results } = await session.get('/settings/usergroups');
    const { guid } = results.find(({ name }: { name: string }) => name === 'Quality');
    await session.send('PUT', `/settings/usergroups/${guid}`, { name: 'Quality', description: 'By hand' });
    const drifts = await document('drift', '--env', 'site-ber,site-nyc');
    expect(
      drifts.map(({ environment, exitCode }: { environment: string; exitCode: number }) => [environment, exitCode]),
    ).toEqual([
      ['site-ber', 2],
      ['site-nyc', 0],
    ]);
    const compared = await document('diff', 'site-nyc', 'site-???', '--where', 'labels.region == "EU"');
    expect(compared.map(({ exitCode }: { exitCode: number }) => exitCode)).toEqual([0, 2]);
    const known = JSON.parse((await run('status', '--where', 'labels.region == "US"', '--json')).out);
    expect(known.environments.map(({ environment }: { environment: string }) => environment)).toEqual(['site-nyc']);
  });

  test('one that fails hides none of the others', async () => {
    const { run, project, document } = await sites();
    await project.write('sites.csv', (await project.read('sites.csv')).replace(/^(nyc,.*),\S+$/m, '$1,wrong'));
    const { code, out, err } = await run('plan', 'site-*', '--summary');
    expect([code, err]).toEqual([6, expect.stringContaining('LOGIN_REFUSED')]);
    expect(out).toContain('3 environments:\n  2 done\n  1 refused the login: site-nyc\n');
    const [, , refused] = await document('plan', 'site-*');
    expect(refused).toMatchObject({
      environment: 'site-nyc',
      exitCode: 6,
      result: { error: { code: 'LOGIN_REFUSED' } },
    });
  });

  test.each([
    [['plan', '--env', 'plant-*'], 'No environment matches "plant-*"'],
    [
      ['plan', '--env', 'site-vie,site-bre'],
      'The configuration has no environment "site-bre".\nDid you mean "site-vie"?',
    ],
    [
      ['validate', '--where', 'labels.region == "ASIA"'],
      'None of 4 environments meets the condition labels.region == "ASIA".',
    ],
    [['drift', '--where', 'labels.reigon == "EU"'], 'No such key: reigon (character 1).\nDid you mean "region"?'],
    [['status', '--where', 'labels.region'], 'must be true or false'],
    [['plan', 'site-*', '--preview-pages', 'pages'], '`--preview-pages` writes the result of one environment.'],
    [['plan', 'site-*', '--out', 'plan.json'], '`--out` writes the result of one environment.'],
    [
      ['apply', '--yes', '--env', 'site-*'],
      'This command works in one environment; plan, drift, diff, status and validate take patterns.',
    ],
  ])('refused before anything is sent: %j', async (args, message) => {
    const { run } = await sites();
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });
});
