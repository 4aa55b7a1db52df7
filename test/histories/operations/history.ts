import { amend, commitAll, squash } from '../harness/git.js';
import { judgeHistory } from '../laws/history.js';
import { edit, type Operation, operation } from './operation.js';

/** What engineers do to the repository of their clone. */
const versioning = (what: string, weight: number, how: (folder: string, message: string) => void): Operation =>
  edit(
    `git ${what}`,
    weight,
    async (world, site) => {
      if (!site.isVersioned) return 'skipped';
      world.version(site, what, how);
      return undefined;
    },
    { needs: { isVersioned: true } },
  );

/** What the history shows of applies, and the repositories whose commits it names. */
export const HISTORY: readonly Operation[] = [
  operation('history', 3, judgeHistory),
  versioning('commit', 2, commitAll),
  versioning('amend', 2, amend),
  versioning('squash', 2, squash),
];
