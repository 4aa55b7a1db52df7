import { partPaths, recentIn, rootsIn } from './journal-files.js';
import { type EarlierStates, olderJournals } from './older-journals.js';
import type { Lost, Tip } from './tip.js';

/**
 * Compares the newest journals in a state of the branch with those of the witness, file by file. Ancestry cannot be
 * checked, since only shallow commits are fetched.
 */
export async function findLostJournals(tip: Tip, witness: Tip, branch: EarlierStates): Promise<Lost | undefined> {
  const journals = new Map<string, string>();
  for (const root of rootsIn(witness)) {
    const last = recentIn(root, witness).at(-1);
    if (last === undefined) continue;
    if (partPaths(root, last, witness).every((path) => tip.object(path) === witness.object(path))) continue;
    const isAside = partPaths(root, last, tip).length === 0 && (await olderJournals(root, tip, branch)).has(last);
    if (!isAside) journals.set(root, last);
  }
  return journals.size === 0 ? undefined : { witness, journals };
}
