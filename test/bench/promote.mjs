import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dexsync, startWorkspace, timed } from './processes.mjs';
import { changeGroups, groupProject } from './project.mjs';

const GROUPS = 10_000;

const NOTE = 'dexsync plan of the same manifests for the same workspace, which has the same ledger.';

const CONFIG = `stack: bench
manifests: [manifests]
environments:
  bench: { url: "http://127.0.0.1" }
  prod: { url: "http://127.0.0.1" }
`;

/**
 * A promotion compares three states of each object, a plan two.
 *
 * @type {import('./compare.mjs').Measurement}
 */
export const promote = {
  name: 'promote',
  title: `promotion of a release of ${GROUPS} groups, 1 % changed`,
  runs: 5,
  aim: 1.2,
  async prepare(folder) {
    await groupProject(folder, GROUPS);
    await writeFile(join(folder, 'sync.config.yaml'), CONFIG);
    const [dev, prod] = await Promise.all([startWorkspace(), startWorkspace()]);
    const ofProd = Object.entries(prod.variables).map(([name, value]) => [name.replace('_BENCH_', '_PROD_'), value]);
    const variables = { ...Object.fromEntries(ofProd), ...dev.variables };
    const run = (command, expected) => async () =>
      (await timed(command, { cwd: folder, variables, expected })).milliseconds;
    const release = async (name) => {
      await run(dexsync('apply', '--yes'), 'done')();
      await run(dexsync('release', 'create'), `/${name} of ${GROUPS} objects`)();
    };
    await release('r1');
    await run(dexsync('promote', '--release', 'r1', '--to', 'prod', '--out', 'plan.json'), `${GROUPS} to create`)();
    await run(dexsync('apply', 'plan.json', '--yes'), `${GROUPS} done`)();
    await changeGroups(folder, GROUPS);
    await release('r2');
    const changes = `${GROUPS / 100} to update`;
    return {
      subject: run(dexsync('promote', '--release', 'r2', '--to', 'prod'), changes),
      floors: [{ against: 'plan of the same', note: NOTE, run: run(dexsync('plan', '--env', 'prod'), changes) }],
      close: async () => void (await Promise.all([dev.stop(), prod.stop()])),
    };
  },
};
