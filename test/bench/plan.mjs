import { join } from 'node:path';
import { dexsync, floor, startWorkspace, timed } from './processes.mjs';
import { groupProject } from './project.mjs';
import { terraformFloor } from './terraform.mjs';

const GROUPS = 10_000;

const NOTE =
  'a script that logs in, GETs the same list by undici, and parses the same files by yaml (parseAllDocuments, toJS). It compares nothing.';

/** @type {import('./compare.mjs').Measurement} */
export const plan = {
  name: 'plan',
  title: `no-op plan of ${GROUPS} groups`,
  runs: 5,
  aim: 1.2,
  async prepare(folder, { terraform }) {
    await groupProject(folder, GROUPS);
    const { variables, stop, url, email, password } = await startWorkspace();
    const run = (command, expected) => async () =>
      (await timed(command, { cwd: folder, variables, expected })).milliseconds;
    const input = { url, email, password, manifests: join(folder, 'manifests') };
    await run(dexsync('apply', '--yes'), `${GROUPS} done`)();
    return {
      subject: run(dexsync('plan'), `(${GROUPS} unchanged)`),
      floors: [
        {
          against: 'bare undici and yaml',
          note: NOTE,
          run: run(floor('plan', input), `${GROUPS} manifests`),
        },
        ...(await terraformFloor(terraform, folder, { count: GROUPS, command: 'plan' })),
      ],
      close: stop,
    };
  },
};
