import { createHash } from 'node:crypto';
import { naturalOrder } from '#base/natural-order.js';
import type { DocumentStore, KeptDocument, Shelf } from '../document-store.js';
import type { Branch } from './branch.js';
import type { Tip } from './tip.js';
import type { Change } from './write-batch.js';

/**
 * Keeps documents as files of the branch. Reads use its newest state, and a push that another process preceded is
 * decided again, so that a name is taken once. The history of the branch keeps removed ones.
 */
export function gitDocuments(branch: Branch, shelf: Shelf): DocumentStore {
  const { stack, environment, folder: root } = shelf;
  const folderOf = (name: string): string => `${root}/${name}`;
  const where = environment === '' ? '' : `${environment}: `;
  const change = async (name: string, log: string, edits: Change['edits']): Promise<void> => {
    // A state that is a moment old may still have a document that somebody else has just removed.
    await branch.refresh();
    await branch.change({ subject: `${where}${shelf.what} ${name} of stack ${stack} ${log}`, edits });
  };
  return {
    async names() {
      const paths = (await branch.refresh()).under(`${root}/`);
      return [...new Set(paths.map((path) => path.slice(root.length + 1).split('/')[0] ?? ''))].sort(naturalOrder);
    },
    read: async (name) => readIn(folderOf(name), await branch.refresh(), shelf),
    add: (name, text, log) =>
      change(name, log, async (tip) => {
        const there = await readIn(folderOf(name), tip, shelf);
        // A push that is repeated after a lost answer finds its own file.
        if (there?.text === text) return [];
        if (there !== undefined) throw shelf.taken(name);
        return [{ path: `${folderOf(name)}/${shelf.file}`, text }];
      }),
    addNote: (name, note, log) =>
      change(name, log, async (tip) => {
        if (!tip.has(`${folderOf(name)}/${shelf.file}`)) throw shelf.missing(name);
        const there = tip.under(notesIn(folderOf(name)));
        // Notes that are added at once get the same number, and a push that is repeated finds its own file.
        const own = `-${createHash('sha256').update(note).digest('hex').slice(0, 12)}.json`;
        if (there.some((path) => path.endsWith(own))) return [];
        return [{ path: `${notesIn(folderOf(name))}${String(there.length + 1).padStart(6, '0')}${own}`, text: note }];
      }),
    remove: (name, log) =>
      change(name, log, async (tip) => tip.under(`${folderOf(name)}/`).map((path) => ({ path, text: null }))),
  };
}

const notesIn = (folder: string): string => `${folder}/reviews/`;

async function readIn(folder: string, tip: Tip, { file }: Shelf): Promise<KeptDocument | undefined> {
  const path = `${folder}/${file}`;
  if (!tip.has(path)) return undefined;
  const [text = '', ...notes] = await tip.read([path, ...tip.under(notesIn(folder))]);
  return { text, notes };
}
