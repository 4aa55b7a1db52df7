import type { Tip } from './tip.js';

/** A journal is a folder of the branch, with one file for each write. */
const END = '.jsonl';

/** The folder of a journal, by its name. */
export const journalFolder = (name: string): string => name.slice(0, -END.length);

const startOf = (root: string, name: string): string => `${root}/journals/${journalFolder(name)}/`;

export const partPath = (root: string, name: string, number: number): string =>
  `${startOf(root, name)}${String(number).padStart(6, '0')}${END}`;

export const partPaths = (root: string, name: string, tip: Tip): readonly string[] => tip.under(startOf(root, name));

/** The journals of a workspace in a state of the branch, the oldest first. */
export function recentIn(root: string, tip: Tip): string[] {
  const start = `${root}/journals/`;
  const folders = tip.under(start).map((path) => path.slice(start.length).split('/')[0] ?? '');
  return [...new Set(folders)].map((folder) => `${folder}${END}`).sort();
}

/** The text of a journal; undefined if that state does not have it. */
export async function readIn(root: string, name: string, tip: Tip): Promise<string | undefined> {
  const parts = partPaths(root, name, tip);
  return parts.length === 0 ? undefined : (await tip.read(parts)).join('');
}

/** The top folders of all files: those of workspaces, of locks and of plans. */
export const rootsIn = (tip: Tip): ReadonlySet<string> =>
  new Set(tip.under('').map((path) => path.split('/')[0] ?? ''));
