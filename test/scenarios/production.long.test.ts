import { beforeAll, describe, expect, test } from 'vitest';
import { openTerminal } from '../harness/terminal.js';
import type { TestProject, Variables } from '../harness/test-project.js';
import type { TestWorkspace } from '../harness/test-workspace.js';
import { exchangeProject, items } from './exchange-project.js';

const CONFIG = `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}" }
  prod: { url: "\${env.TEST_URL}", production: true }
`;

let workspace: TestWorkspace;
let project: TestProject;
let variables: Variables;

/** Imports that wait for what the commands below do: one with a row that failed, one validated, one posted. */
beforeAll(async () => {
  ({ workspace, project } = await exchangeProject('reference'));
  const { DEXSYNC_REMOTE_EMAIL = '', DEXSYNC_REMOTE_PASSWORD = '' } = workspace.variables;
  // What this machine notes of the ledger is the same for all tests.
  const state = { XDG_STATE_HOME: `${project.folder}.state` };
  variables = {
    ...workspace.variables,
    ...state,
    DEXSYNC_PROD_EMAIL: DEXSYNC_REMOTE_EMAIL,
    DEXSYNC_PROD_PASSWORD: DEXSYNC_REMOTE_PASSWORD,
  };
  await project.write('sync.config.yaml', CONFIG);
  const wrong = `${items('F', ['Good'])}F-2,Bad,"x",No\\such\\category\n`;
  await project.write('failing.csv', wrong);
  await project.write('corrected.csv', items('G', ['Corrected']));
  for (const name of ['new', 'waiting', 'posted', 'dev', 'declined'])
    await project.write(`${name}.csv`, items(name, ['One']));
  const prepared = [
    ['failing.csv', '--commit', 'always'],
    ['waiting.csv', '--commit', 'never'],
    ['posted.csv', '--async'],
  ];
  for (const args of prepared)
    await project.run(['import', ...args, '--definition', 'Items'], { ...workspace.variables, ...state });
}, 60_000);

const run = (args: readonly string[], environment = 'prod') => project.run([...args, '--env', environment], variables);

/** Commands that write, and ask nothing where the environment is not production. */
const WRITING: readonly (readonly [string, ...string[]])[] = [
  ['import', 'new.csv', '--definition', 'Items'],
  ['import', 'retry', 'failing.csv', 'corrected.csv'],
  ['exports', 'run', 'Parts', '--out', 'exported'],
  ['extracts', 'run', 'Nightly extract', '--out', 'extracted'],
];

/** Commands that ask everywhere. */
const ASKING: readonly (readonly [string, ...string[]])[] = [
  ['import', 'commit', 'waiting.csv'],
  ['import', 'resume', 'posted.csv'],
];

const OTHERS: readonly (readonly [string, ...string[]])[] = [
  ['apply'],
  ['destroy'],
  ['api', 'DELETE', '/items/1'],
  ['events', 'reconcile', 'ERP', '4K7QX2'],
  ['reservations', 'release', 'Parts'],
];

describe('in a production environment, without a terminal and without --yes', () => {
  test.each([...WRITING, ...ASKING, ...OTHERS])('%s %s sends no request and says how to continue', async (...args) => {
    const before = await workspace.usage();
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/\[CONFIRMATION_NEEDED, exit 3\]\n$/);
    expect(err).toMatch(/--yes/);
    expect((await workspace.usage()).length).toBe(before.length);
  });

  test('the message names the environment and the refused action', async () => {
    expect((await run(['import', 'new.csv', '--definition', 'Items'])).err).toBe(
      'Error: Environment "prod" is production: no rows are sent without confirmation.\n' +
        'Run the command again with `--yes`, or at a terminal.\n[CONFIRMATION_NEEDED, exit 3]\n',
    );
  });
});

describe('at a terminal', () => {
  test.each([
    ['prod', 'no', 4, /Nothing was imported\./],
    ['prod', 'yes', 0, /1 committed/],
    ['remote', 'no', 4, /Nothing was imported\./],
  ] as const)('an import to %s shows its plan and asks; "%s" is taken literally', async (place, answer, code, said) => {
    const args = ['import', `${answer === 'yes' ? 'dev' : 'declined'}.csv`, '--definition', 'Items', '--env', place];
    const terminal = openTerminal(project, args, variables);
    await terminal.shows(
      /Plan: 1 to import[\s\S]*Send these rows to (?:prod|remote) \(http:[^)]*\)\?\s+Only "yes" is accepted:/,
    );
    terminal.type(`${answer}\r`);
    expect(await terminal.ended).toBe(code);
    expect(terminal.text()).toMatch(said);
  });

  test('an export in a production environment asks too', async () => {
    const terminal = openTerminal(project, ['exports', 'run', 'Parts', '--out', 'asked', '--env', 'prod'], variables);
    await terminal.shows(
      /Start an export in prod \(http:[^)]*\), a\s+production\s+workspace\?\s+Only "yes" is accepted:/,
    );
    terminal.type('no\r');
    expect(await terminal.ended).toBe(4);
    expect(terminal.text()).toMatch(/Nothing was started\./);
  });
});

describe('with --yes, in a production environment', () => {
  test.each([...WRITING, ...ASKING])('%s %s does its work', async (...args) => {
    const { code, err } = await run([...args, '--yes']);
    expect([code, err]).toEqual([0, '']);
  });

  test('events are looked for', async () => {
    expect((await run(['events', 'reconcile', 'ERP', '4K7QX2', '--yes'])).err).toMatch(/ERP[\s\S]*\[UNKNOWN_NAME/);
  });
});

test('other environments ask nobody', async () => {
  await project.write('elsewhere.csv', items('E', ['One']));
  const { code, err } = await run(['import', 'elsewhere.csv', '--definition', 'Items'], 'remote');
  expect([code, err]).toEqual([0, '']);
});
