import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findList } from '#data/bulk/find-list.js';
import { loadConfig } from '#project/config/load-config.js';

const SITES = 'Code,Host,Region,User,Empty\nvie,vie.example,EU,ann,\nnyc,nyc.example,US,bob,\n';

async function load(environments: string, table = SITES) {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'sync.config.yaml'), `stack: s\nmanifests: [m]\nenvironments:\n${environments}`);
  await writeFile(join(folder, 'sites.csv'), table);
  const { config, diagnostics } = await loadConfig({ cwd: folder, findList }, undefined);
  const findings = diagnostics.map(
    ({ code, message, origin }) =>
      `${origin?.line} ${code}: ${message}${origin?.row === undefined ? '' : ` (${origin.row})`}`,
  );
  return { environments: config?.environments, findings };
}

const BLOCK = `  dev: { workspace: embedded }
  sites:
    from: sites.csv
    name: site-\${row.Code}
    url: https://\${row.Host}/v1
    labels: { region: "\${row.Region}", note: "\${row.Empty}" }
    variables: { site: "\${row.Code}", places: ["\${row.Empty}", x, { 1: "\${row.Code}" }] }
    credentials: { email: "\${row.User}@\${env.DOMAIN}", passwordCommand: 'vault "$ROW_CODE"' }
`;

test('each row becomes an environment: cells fill all texts, an empty one leaves its label or entry out, ${env.…} stays for later', async () => {
  const { environments, findings } = await load(BLOCK);
  expect(findings).toEqual([]);
  expect(Object.keys(environments ?? {})).toEqual(['dev', 'site-vie', 'site-nyc']);
  expect(environments?.['site-nyc']).toEqual({
    url: 'https://nyc.example/v1',
    labels: { region: 'US' },
    variables: { site: 'nyc', places: ['x', { 1: 'nyc' }] },
    credentials: { email: 'bob@${env.DOMAIN}', passwordCommand: 'vault "$ROW_CODE"' },
    row: {
      block: 'sites',
      template: expect.objectContaining({ from: 'sites.csv', name: 'site-${row.Code}' }),
      cells: { ROW_CODE: 'nyc', ROW_HOST: 'nyc.example', ROW_REGION: 'US', ROW_USER: 'bob', ROW_EMPTY: '' },
      values: [
        { reference: 'var.site', value: 'nyc' },
        { reference: 'var.places[2].1', value: 'nyc' },
      ],
    },
  });
});

test('part of a table, and the column "name" by default', async () => {
  const table = 'name;live\na;yes\nb;no\n';
  const block = '  sites: { from: { file: sites.csv, where: { live: "yes" } }, workspace: embedded }\n';
  expect(Object.keys((await load(block, table)).environments ?? {})).toEqual(['a']);
});

describe('refused, with the row', () => {
  const rowsOf = (...rows: string[]): string => `Code,Host,Region,User,Empty\n${rows.join('\n')}\n`;
  test.each([
    [
      'two rows with one name',
      rowsOf('a,h,,u,', 'a,i,,u,'),
      '7 environment-repeated: There are two environments "site-a". (sites.csv, row 3)',
    ],
    [
      'two names with one override',
      rowsOf('a.b,h,,u,', 'a-b,i,,u,'),
      '5 environment-key: The environments "site-a.b" and "site-a-b" are overridden by the same variables, DEXSYNC_SITE_A_B_URL and its like. (sites.csv, row 3)',
    ],
    [
      'an empty address',
      rowsOf('a,,,u,'),
      '8 row-empty: The cell in column "Host" is empty, and the environment needs it for `url`. (sites.csv, row 2)',
    ],
    [
      'a name that could be a path',
      rowsOf('../x,h,,u,'),
      '7 environment-name: "site-../x" cannot be the name of an environment. (sites.csv, row 2)',
    ],
    [
      'a reference in a cell',
      rowsOf('a,${env.SECRET}.evil.example,,u,'),
      '8 row-reference: The cell in column "Host" contains `${`. (sites.csv, row 2)',
    ],
    ['no rows', rowsOf().trimEnd(), '6 rows-none: sites.csv has no rows, so the block describes no environment.'],
  ])('%s', async (_, table, finding) => {
    expect((await load(BLOCK, table)).findings).toEqual([finding]);
  });

  test.each([
    [
      'a name that another environment has',
      BLOCK.replace('dev:', 'site-vie:'),
      'environment-repeated: There are two environments "site-vie".',
    ],
    [
      'a column that is not there',
      BLOCK.replace('row.Host', 'row.Hots'),
      'row-column: sites.csv has no column "Hots".',
    ],
    [
      'a cell within a command',
      BLOCK.replace('"$ROW_CODE"', '${row.Code}'),
      'row-in-command: A cell cannot become a part of a command.',
    ],
    ['a file that is not there', BLOCK.replace('sites.csv', 'site.csv'), 'source-unreadable: '],
    ['a file outside the project', BLOCK.replace('sites.csv', '/etc/hostname'), 'path-outside: '],
    ['a cell where no table is', '  dev: { url: "https://${row.Host}" }\n', 'row-outside: '],
  ])('%s', async (_, block, finding) => {
    const { findings, environments } = await load(block);
    expect([findings.length, findings[0], environments]).toEqual([1, expect.stringContaining(finding), undefined]);
  });
});
