import { join } from 'node:path';
import { dexsync, floor, startWorkspace, timed } from './processes.mjs';
import { groupProject } from './project.mjs';
import { terraformFloor } from './terraform.mjs';

const GROUPS = 10_000;

const NOTE =
  'a script that logs in, GETs the same list by undici, and parses the same files by yaml (parseAllDocuments, toJS). It compares nothing.';

/** Groups come whole in one answer (wire-facts 3, "Not paginated"). */
const REQUESTS = 1;

/**
 * @param {string} name
 * @param {string} title
 * @param {number} perFile
 * @param {Pick<import('./compare.mjs').Measurement, 'aim' | 'gate'>} limits
 * @returns {import('./compare.mjs').Measurement}
 */
const planOf = (name, title, perFile, limits) => ({
  name,
  title,
  runs: 5,
  ...limits,
  async prepare(folder, { terraform }) {
    await groupProject(folder, GROUPS, perFile);
    const { variables, stop, url, email, password } = await startWorkspace();
    const run = (command, expected) => async () =>
      (await timed(command, { cwd: folder, variables, expected })).milliseconds;
    const input = { url, email, password, manifests: join(folder, 'manifests') };
    await run(dexsync('apply', '--yes'), `${GROUPS} done`)();
    return {
      subject: run(dexsync('plan'), `(${GROUPS} unchanged).\nRequests: ${REQUESTS} used`),
      floors: [
        {
          against: 'bare undici and yaml',
          note: NOTE,
          run: run(floor('plan', input), `${GROUPS} manifests`),
        },
        ...(perFile === 1 ? [] : await terraformFloor(terraform, folder, { count: GROUPS, command: 'plan' })),
      ],
      close: stop,
    };
  },
});

export const plans = [
  planOf('plan', `no-op plan of ${GROUPS} groups, 500 in a file`, 500, { aim: 1, gate: 2.5 }),
  planOf('plan-files', `no-op plan of ${GROUPS} groups, each in a file`, 1, { aim: 1.5 }),
];
