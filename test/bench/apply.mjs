import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dexsync, floor, startWorkspace, timed } from './processes.mjs';
import { groupProject } from './project.mjs';
import { terraformFloor } from './terraform.mjs';

const GROUPS = 1000;

const NOTE =
  'a script that logs in, GETs the one page of existing groups, and POSTs the same bodies by undici, 8 at a time like dexsync. It reads no manifest and keeps no journal. Each run has a workspace of its own.';

/** @type {import('./compare.mjs').Measurement} */
export const apply = {
  name: 'apply',
  title: `apply of ${GROUPS} creates`,
  runs: 7,
  aim: 1.15,
  async prepare(folder, { terraform }) {
    await groupProject(folder, GROUPS);
    const subject = async () => {
      await rm(join(folder, '.dexsync'), { recursive: true, force: true });
      return inNewWorkspace(folder, () => dexsync('apply', '--yes'), `${GROUPS} done`);
    };
    const bare = ({ url, email, password }) => floor('apply', { url, email, password, count: GROUPS });
    return {
      subject,
      floors: [
        { against: 'bare undici', note: NOTE, run: () => inNewWorkspace(folder, bare, `${GROUPS} made`) },
        ...(await terraformFloor(terraform, folder, { count: GROUPS, command: 'apply' })),
      ],
      close: async () => undefined,
    };
  },
};

/**
 * @param {string} cwd
 * @param {(workspace: import('./processes.mjs').Ready) => readonly string[]} command
 * @param {string} expected
 */
async function inNewWorkspace(cwd, command, expected) {
  const { stop, variables, ...ready } = await startWorkspace();
  try {
    return (await timed(command(ready), { cwd, variables, expected })).milliseconds;
  } finally {
    await stop();
  }
}
