import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dexsync, floor, inNewWorkspace } from './processes.mjs';
import { groupProject } from './project.mjs';
import { terraformFloor } from './terraform.mjs';

const FAIR =
  'the same, after it parsed the same manifests by yaml; before and after each request it writes a line into a file, and the file is on the disk before the first request and after the last.';

const NOTE =
  'a script that logs in, GETs the one page of existing groups, and POSTs the same bodies by undici, 8 at a time like dexsync. It reads no manifest and keeps no journal. Each run has a workspace of its own.';

/**
 * @param {string} name
 * @param {number} GROUPS
 * @returns {import('./compare.mjs').Measurement}
 */
const applyOf = (name, GROUPS) => ({
  name,
  title: `apply of ${GROUPS} creates`,
  runs: GROUPS > 1000 ? 3 : 7,
  aim: 1.1,
  gate: GROUPS === 1000 ? 3 : undefined,
  async prepare(folder, { terraform }) {
    await groupProject(folder, GROUPS);
    const subject = async () => {
      await rm(join(folder, '.dexsync'), { recursive: true, force: true });
      return inNewWorkspace(folder, () => dexsync('apply', '--yes'), done);
    };
    // One request reads the groups that there are, and each group takes one.
    const done = `${GROUPS} done.\nRequests: ${GROUPS + 1} used`;
    const bare = ({ url, email, password }) => floor('apply', { url, email, password, count: GROUPS });
    const files = { manifests: join(folder, 'manifests'), journal: join(folder, 'journal.jsonl') };
    const fair = ({ url, email, password }) => floor('apply', { url, email, password, ...files });
    return {
      subject,
      floors: [
        {
          against: 'bare undici, yaml and a journal',
          note: FAIR,
          run: () => inNewWorkspace(folder, fair, `${GROUPS} made`),
        },
        { against: 'bare undici', note: NOTE, run: () => inNewWorkspace(folder, bare, `${GROUPS} made`) },
        ...(await terraformFloor(terraform, folder, { count: GROUPS, command: 'apply' })),
      ],
      close: async () => undefined,
    };
  },
});

export const applies = [applyOf('apply-100', 100), applyOf('apply', 1000), applyOf('apply-5000', 5000)];
