import { join } from 'node:path';
import { dexsync, floor, startWorkspace, timed } from './processes.mjs';
import { changeGroups, groupProject } from './project.mjs';

const GROUPS = 10_000;

const NOTE =
  'the floor of the plan without changes: the same pages by undici, the same files by yaml. It compares nothing.';

/** @type {import('./compare.mjs').Measurement} */
export const changed = {
  name: 'changed',
  title: `plan of ${GROUPS} groups, 1 % changed`,
  runs: 5,
  async prepare(folder) {
    await groupProject(folder, GROUPS);
    const { variables, stop, url, email, password } = await startWorkspace();
    const run = (command, expected) => async () =>
      (await timed(command, { cwd: folder, variables, expected })).milliseconds;
    await run(dexsync('apply', '--yes'), `${GROUPS} done`)();
    await changeGroups(folder, GROUPS);
    const input = { url, email, password, manifests: join(folder, 'manifests') };
    return {
      subject: run(dexsync('plan'), `${GROUPS / 100} to update`),
      floors: [
        {
          against: 'bare undici and yaml',
          note: NOTE,
          run: run(floor('plan', input), `${GROUPS} manifests`),
        },
      ],
      close: stop,
    };
  },
};
