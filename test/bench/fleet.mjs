import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDelay } from './latency.mjs';
import { dexsync, floor, startWorkspace, timed } from './processes.mjs';
import { groupProject } from './project.mjs';

const SITES = 200;
const GROUPS = 5;
const LATENCY_MS = 20;
const AT_ONCE = 8;

const FLOOR = `one process with undici that logs in to each workspace, ${AT_ONCE} at once, and sends the same requests. Each byte of the service arrives ${LATENCY_MS} ms late.`;

const XARGS = `\`xargs -P ${AT_ONCE}\` over one command for each environment, measured with a tenth of them and multiplied.`;

/** The environments of the comparison with single commands. */
const PART = SITES / 10;

/** @type {readonly import('./compare.mjs').Measurement[]} */
export const fleets = [
  {
    name: 'fleet-plan',
    title: `plan of a fleet of ${SITES} workspaces in which nothing changed`,
    runs: 5,
    aim: 1.2,
    things: { what: 'environments', count: SITES },
    async prepare(folder) {
      const { run, bare, singles, close } = await openFleet(folder);
      return {
        subject: run(dexsync('fleet', 'plan', 'sites'), `${SITES} environments: nothing to do`),
        floors: [bare([false]), singles('plan')],
        close,
      };
    },
  },
  changeOf('fleet-change', '', async () => ''),
  changeOf('fleet-change-git', ', with the ledger in a git branch', async (folder) => {
    const remote = join(folder, 'forge.git');
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    return `ledger: { git: { remote: "${remote}" } }\n`;
  }),
];

/** In the database that DEXSYNC_TEST_POSTGRES names. */
export const fleetInPostgres = changeOf(
  'fleet-change-postgres',
  ', with the ledger in PostgreSQL',
  async () => `ledger: "${process.env.DEXSYNC_TEST_POSTGRES}"\n`,
);

/**
 * @param {string} name
 * @param {string} where The ledger, in the title; files where it is empty.
 * @param {(folder: string) => Promise<string>} ledgerIn Its line in the configuration.
 * @returns {import('./compare.mjs').Measurement}
 */
function changeOf(name, where, ledgerIn) {
  const inFiles = where === '';
  return {
    name,
    title: `one field changed in a fleet of ${SITES} workspaces${where}, planned and applied`,
    runs: inFiles ? 3 : 1,
    ...(inFiles ? { aim: 1.2 } : {}),
    things: { what: 'environments', count: SITES },
    async prepare(folder) {
      const { run, bare, singles, close, change } = await openFleet(folder, await ledgerIn(folder));
      const plan = run(dexsync('fleet', 'plan', 'sites', '--out', 'rollout.json'), `${SITES} environments`);
      const apply = run(dexsync('fleet', 'apply', 'rollout.json', '--yes'), 'All environments are done.');
      return {
        subject: async () => {
          await change();
          return (await plan()) + (await apply());
        },
        floors: [bare([false, true, false]), ...(inFiles ? [singles('apply --yes', change)] : [])],
        close,
      };
    },
  };
}

/**
 * Serves a fleet in which everything was applied.
 *
 * @param {string} folder
 * @param {string} [ledger] Its line in the configuration.
 */
async function openFleet(folder, ledger = '') {
  await groupProject(folder, GROUPS);
  const service = await startWorkspace('--workspaces', String(SITES), '--password', 'bench-password');
  const far = await startDelay(Number(new URL(service.url).port), LATENCY_MS);
  const sites = service.workspaces.map(({ email, workspaceId }) => ({ email, workspaceId }));
  await writeFile(join(folder, 'sites.csv'), `Code,Email,Id\n${sites.map(rowOf).join('')}`);
  await writeFile(join(folder, 'sync.config.yaml'), `${configFor(far.url)}${ledger}`);
  const variables = { SITE_PASSWORD: service.password, XDG_STATE_HOME: join(folder, 'state') };
  const run = (command, expected) => async () =>
    (await timed(command, { cwd: folder, variables, expected })).milliseconds;
  await run(dexsync('fleet', 'plan', 'sites', '--out', 'rollout.json'), `${SITES} environments`)();
  await run(dexsync('fleet', 'apply', 'rollout.json', '--yes', '--quiet'), '')();
  const manifests = join(folder, 'manifests/groups-00000.yaml');
  const text = await readFile(manifests, 'utf8');
  let turn = 0;
  return {
    run,
    change: () => {
      turn += 1;
      return writeFile(manifests, text.replace('Number 1 of', `Number ${turn} in turn of`));
    },
    bare: (visits) => ({
      against: 'bare requests',
      note: FLOOR,
      run: run(floor('fleet', { url: far.url, password: service.password, sites, atOnce: AT_ONCE, visits }), ''),
    }),
    singles: (command, before = async () => undefined) => {
      const [node, cli] = dexsync();
      const each = `seq -w 1 ${PART} | xargs -P ${AT_ONCE} -I N ${node} ${cli} ${command} --env site-0N`;
      return {
        against: 'xargs',
        note: XARGS,
        most: 1,
        aim: 0.1,
        run: async () => {
          await before();
          return (SITES / PART) * (await run(['sh', '-c', each], '')());
        },
      };
    },
    close: async () => {
      far.close();
      await service.stop();
    },
  };
}

/** @param {{ email: string, workspaceId: number }} site @param {number} index */
const rowOf = ({ email, workspaceId }, index) => `${String(index + 1).padStart(3, '0')},${email},${workspaceId}\n`;

/** @param {string} url */
const configFor = (url) => `stack: bench
manifests: [manifests]
fleets:
  sites: { environments: site-*, waves: [100%], concurrency: ${AT_ONCE} }
environments:
  block:
    from: sites.csv
    name: site-\${row.Code}
    url: ${url}
    credentials: { email: "\${row.Email}", workspaceId: "\${row.Id}", password: "\${env.SITE_PASSWORD}" }
`;
