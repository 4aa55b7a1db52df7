import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';

const CONFIG = `stack: test
manifests: [manifests]
fleets:
  sites: { environments: site-*, where: 'labels.region != "OFF"', concurrency: 3 }
  none: { where: labels.region == "MOON" }
environments:
  dev: { workspace: embedded, variables: { city: { name: Nowhere } } }
  block:
    from: sites.csv
    name: site-\${row.Code}
    workspace: embedded
    labels: { region: "\${row.Region}" }
    variables: { city: { name: "\${row.City}" }, code: "\${row.Code}" }
    overlay: \${row.Overlay}
`;
const ROWS = ['vie,Vienna,EU,', 'gra,Graz,EU,', 'nyc,New York,US,', 'bos,Boston,US,overlays/us', 'off,Nowhere,OFF,'];

const GROUPS = `${manifest('UserGroup', 'Quality', { description: 'Quality of ${var.city.name}' })}---
${manifest('UserGroup', 'Plant ${var.code}', { description: 'One plant' })}`;

async function fleet(rows: readonly string[] = ROWS) {
  const project = await testProject({
    'sync.config.yaml': CONFIG,
    'sites.csv': `Code,City,Region,Overlay\n${rows.join('\n')}\n`,
    'manifests/groups.yaml': GROUPS,
    'overlays/us/quality.yaml': manifest('UserGroup', 'Quality', { assignability: ['CHANGES'] }),
  });
  const plan = async (...args: string[]) => {
    const { code, out, err } = await project.run(['fleet', 'plan', 'sites', '--json', ...args]);
    return { code, err, found: code === 3 ? undefined : JSON.parse(out) };
  };
  return { project, plan };
}

const membersOf = (found: { groups: { environments: string[] }[] }) =>
  found.groups.map(({ environments }) => environments);

test('plans that differ by values of rows alone are one group, other differences make another; what was applied is not planned', async () => {
  const { project, plan } = await fleet();
  const { code, found } = await plan('--detailed-exitcode');
  expect(code).toBe(2);
  expect(membersOf(found)).toEqual([['site-vie', 'site-gra', 'site-nyc'], ['site-bos']]);
  const [first] = found.groups;
  expect(first.plan.steps.map(({ address }: { address: string }) => address)).toEqual([
    'UserGroup/Plant ${var.code}',
    'UserGroup/Quality',
  ]);
  expect(first.plan.steps[1].fields).toEqual([{ path: 'description', after: 'Quality of ${var.city.name}' }]);
  expect(first.values).toEqual({
    'site-vie': { 'var.code': 'vie', 'var.city.name': 'Vienna' },
    'site-gra': { 'var.code': 'gra', 'var.city.name': 'Graz' },
    'site-nyc': { 'var.code': 'nyc', 'var.city.name': 'New York' },
  });
  expect(found.requests).toMatchObject({ used: 4, apply: { min: 8, max: 8 }, short: [] });

  for (const site of ['site-vie', 'site-nyc', 'site-bos'])
    expect((await project.run(['apply', '--env', site, '--yes'])).code).toBe(0);
  const after = await plan();
  expect(membersOf(after.found)).toEqual([['site-gra']]);
  expect(after.found.unchanged).toEqual(['site-vie', 'site-nyc', 'site-bos']);

  // The old values come from rows, too: the new text is one change of all that have the old one.
  await project.write('manifests/groups.yaml', GROUPS.replace('Quality of', 'Site of'));
  const { found: changed } = await plan();
  expect(membersOf(changed)).toEqual([['site-vie', 'site-nyc', 'site-bos'], ['site-gra']]);
  expect(changed.groups[0].plan.steps[0].fields).toMatchObject([
    { path: 'description', before: 'Quality of ${var.city.name}', after: 'Site of ${var.city.name}' },
  ]);
  const { out } = await project.run(['fleet', 'plan', 'sites']);
  expect(out).toContain('3 environments: site-vie, site-nyc, site-bos\n  ~ UserGroup/Quality  update\n');
  expect(out).toContain('"Quality of ${var.city.name}" -> "Site of ${var.city.name}"');
  expect(out).toContain('site-nyc     New York');
});

test('a text of an overlay that equals a value of the row is another change than the value', async () => {
  const { project, plan } = await fleet(['vie,Vienna,EU,', 'gra,Graz,EU,']);
  await project.write('manifests/groups.yaml', manifest('UserGroup', 'Quality', { description: 'From Vienna' }));
  expect(membersOf((await plan()).found)).toEqual([['site-vie', 'site-gra']]);
  await project.write(
    'manifests/groups.yaml',
    manifest('UserGroup', 'Quality', { description: 'From ${var.city.name}' }),
  );
  await project.write('overlays/us/quality.yaml', manifest('UserGroup', 'Quality', { description: 'From Vienna' }));
  await project.write('sites.csv', 'Code,City,Region,Overlay\nvie,Vienna,EU,\ngra,Graz,EU,overlays/us\n');
  expect(membersOf((await plan()).found)).toEqual([['site-vie'], ['site-gra']]);
});

test('values of rows in lists and in items of forEach are references too, other texts of a list are not', async () => {
  const { project, plan } = await fleet();
  const lists = [
    '    variables:',
    '      cities: ["${row.City}", Elsewhere]',
    '      areas: { all: [QUALITY, "${row.Area}"] }',
    '      plants: [{ code: "${row.Code}", city: "${row.City}" }, { code: hq, city: Basel }]',
  ].join('\n');
  await project.write('sync.config.yaml', CONFIG.replace(/ {4}variables: \{ city: .*, code.*/, lists));
  await project.write(
    'sites.csv',
    'Code,City,Region,Area,Overlay\nvie,Vienna,EU,CHANGES,\ngra,Graz,EU,REQUESTS,\nber,Bern,EU,ITEMS,\n',
  );
  const forEach = (list: string, name: string, description: string): string =>
    manifest('UserGroup', name, { description }).replace('"kind":', `"forEach":"\${${list}}","kind":`);
  await project.write(
    'manifests/groups.yaml',
    [
      manifest('UserGroup', 'Areas', { assignability: '${var.areas.all}' }),
      forEach('var.cities', 'City ${each.key}', 'Works in ${each.value}'),
      forEach('var.plants', 'Plant ${each.value.code}', 'In ${each.value.city}'),
    ].join(''),
  );
  const { found } = await plan();
  expect(membersOf(found)).toEqual([['site-vie', 'site-gra', 'site-ber']]);
  expect(found.groups[0].values['site-gra']).toEqual({
    'var.cities[0]': 'Graz',
    'var.areas.all[1]': 'REQUESTS',
    'var.plants[0].code': 'gra',
    'var.plants[0].city': 'Graz',
  });
});

test('an environment that cannot be planned is named with its errors, and the exit code says that something is left', async () => {
  const { project, plan } = await fleet(['vie,Vienna,EU,', 'gra,,EU,']);
  const { code, found } = await plan();
  expect([code, membersOf(found)]).toEqual([4, [['site-vie']]]);
  expect(found.problems).toMatchObject([
    { environment: 'site-gra', code: 'MANIFESTS_INVALID', findings: [{ code: 'variable-member' }] },
  ]);
  expect((await project.run(['fleet', 'plan', 'sites'])).out).toContain(
    '✗ site-gra: 1 error in the manifests; nothing was sent.\nmanifests/groups.yaml',
  );
});

test('a release is promoted to each environment with its own values; one that nobody made is named once', async () => {
  const { project, plan } = await fleet(['vie,Vienna,EU,', 'gra,Graz,EU,']);
  await project.write(
    'manifests/groups.yaml',
    manifest('UserGroup', 'Quality', { description: 'Of ${var.city.name}' }),
  );
  expect((await project.run(['apply', '--env', 'dev', '--yes'])).code).toBe(0);
  expect((await project.run(['release', 'create', 'dev'])).code).toBe(0);
  await project.write('manifests/later.yaml', manifest('UserGroup', 'Later', {}));
  const { found } = await plan('--release', 'r1');
  expect(membersOf(found)).toEqual([['site-vie', 'site-gra']]);
  expect(found.groups[0].plan.steps.map(({ address }: { address: string }) => address)).toEqual(['UserGroup/Quality']);
  expect(found.groups[0].values['site-gra']).toEqual({ 'var.city.name': 'Graz' });
  const { out } = await project.run(['fleet', 'plan', 'sites', '--release', 'r9']);
  expect(out).toContain('✗ site-vie, site-gra: The ledger has no release r9 of this stack.\n');
});

test.each([
  [['plan', 'site'], 'The configuration has no fleet "site".\nDid you mean "sites"?'],
  [['plan', 'none'], 'None of 6 environments meets the condition labels.region == "MOON".'],
  [['plan', 'sites', '--preview-pages', 'pages'], '`--preview-pages` is for one environment, and a fleet has several.'],
  ...['plan', 'apply', 'status', 'review', 'pause', 'resume', 'retry', 'stop', 'orphans'].map(
    (name): [string[], string] => [
      [name, 'sites', '--env', 'dev'],
      '`--env` is for one environment, and a fleet has several.\nRemove it, or use a command for one environment',
    ],
  ),
])('refused: fleet %j', async (args, message) => {
  const { project } = await fleet();
  const { code, err } = await project.run(['fleet', ...args]);
  expect([code, err]).toEqual([3, expect.stringContaining(message)]);
});

const WAVE = 'a whole number from 1 or a percentage from 1% to 100%';
const BUDGET = 'a whole number from 0 or a percentage from 0% to 100%';
const NAMES = 'names of environments and patterns, separated by commas, such as site-*';
const SOAK = 'a number with s, m, h or d, such as 30m or 1d';
const AT_ONCE = 'a whole number from 1 to 64';

test.each([
  ['waves: [0]', `"fleets.sites.waves[0]": expected ${WAVE}, got 0.`],
  ['waves: [1, 1.5]', `"fleets.sites.waves[1]": expected ${WAVE}, got 1.5.`],
  ['waves: [0%]', `expected ${WAVE}, got "0%".`],
  ['waves: [150%]', `expected ${WAVE}, got "150%".`],
  ['waves: [half]', `expected ${WAVE}, got "half".`],
  ['waves: 3', 'expected a list, got 3.\n  Write a list: [3].'],
  ['waves: 30%', 'expected a list, got "30%".\n  Write a list: [30%].'],
  ['budget: -1', `expected ${BUDGET}, got -1.`],
  ['budget: 101%', `expected ${BUDGET}, got "101%".`],
  ['soak: 30', `expected ${SOAK}, got 30.\n\n`],
  ['soak: 2w', `expected ${SOAK}, got "2w".`],
  ['canary: ""', `expected ${NAMES}, got "".`],
  ['canary: [a]', `expected ${NAMES}, got ["a"].`],
  ['concurrency: 0', `expected ${AT_ONCE}, got 0.`],
  ['concurrency: 65', `expected ${AT_ONCE}, got 65.`],
  ['concurrency: all', `expected ${AT_ONCE}, got "all".`],
])('a wrong value names the ones that are allowed: %s', async (setting, message) => {
  const { project } = await fleet();
  await project.write('sync.config.yaml', CONFIG.replace('concurrency: 3', setting));
  const { code, err } = await project.run(['fleet', 'plan', 'sites']);
  expect([code, err]).toEqual([3, expect.stringContaining(message)]);
});
