import { omitUndefined } from '#base/omit-undefined.js';
import { lastLink } from '../chain.js';
import { journalNumber } from '../journal-name.js';
import type { HeadStore } from '../journal-store.js';
import type { Branch } from './branch.js';
import { readIn } from './journal-files.js';

/** Reads and writes the head of one workspace on this machine and in the witness. */
export function gitHead(branch: Branch, root: string, workspace: string, machine: HeadStore | undefined): HeadStore {
  return {
    async read() {
      const { lost } = await branch.tip();
      const journal = lost?.journals.get(root);
      const own = (await machine?.read()) ?? [];
      if (lost === undefined || journal === undefined) return own;
      const chain = lastLink((await readIn(root, journal, lost.witness)) ?? '');
      const { commit } = lost.witness;
      return [{ workspace, applies: journalNumber(journal), journal, chain, ...omitUndefined({ commit }) }, ...own];
    },
    // The witness moves with the branch itself.
    async write(head) {
      const commit = branch.seen();
      await machine?.write({ ...head, ...omitUndefined({ commit }) });
    },
    async forget() {
      await branch.accept(root);
      await machine?.forget();
    },
    wayBack: async ({ commit }) => branch.wayBack(commit),
  };
}
