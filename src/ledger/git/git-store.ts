import { DexsyncError } from '#base/errors.js';
import { workspaceFolder } from '../journal-name.js';
import type { HeadStore, JournalStore, WholeJournal } from '../journal-store.js';
import { journalWriter } from '../journal-writer.js';
import type { Branch } from './branch.js';
import { gitHead } from './git-head.js';
import { journalFolder, partPath, partPaths, readIn, recentIn } from './journal-files.js';
import { addOlder, olderJournals } from './older-journals.js';
import type { Edit } from './repository.js';
import type { Tip } from './tip.js';
import type { Change } from './write-batch.js';

/** What a store of journals in a branch needs. */
export interface GitStoreOptions {
  readonly branch: Branch;
  readonly identity: string;
  readonly mayWrite: () => Promise<void>;
  /** Milliseconds for which lines that need not be durable at once are buffered. */
  readonly patience: number;
  /** Where this machine keeps the head; absent for stores that are only read. */
  readonly machine?: HeadStore | undefined;
}

/**
 * Keeps journals as files of a branch: a folder per journal, with one file per write, so that a commit contains only
 * what is new. Journals that are put aside leave the newest state, which stays small; the branch's history has them.
 */
export function gitStore({ branch, identity, mayWrite, patience, machine }: GitStoreOptions): JournalStore {
  const root = workspaceFolder(identity);
  const change = async (subject: string, edits: (tip: Tip) => Promise<readonly Edit[]>): Promise<void> => {
    await mayWrite();
    const renewed: Change['edits'] = (tip, renewal) => renewal().then(() => edits(tip));
    await branch.change({ subject: `${identity}: ${subject}`, edits: renewed });
  };
  const begin = (journals: readonly WholeJournal[], subject: string): Promise<void> =>
    change(subject, async (tip) => (await Promise.all(journals.map((one) => newJournal(root, one, tip)))).flat());
  return {
    workspace: identity,
    head: gitHead(branch, root, identity, machine),
    delay: patience,
    place: (name) => `${root}/journals/${journalFolder(name)} of the ledger's branch`,
    recent: async () => recentIn(root, await branch.tip()),
    ...reading(root, branch),
    async create(name, pieces) {
      const apply = `apply ${numberOf(name)}`;
      await begin([{ name, text: [...pieces].join('') }], `${apply} begins`);
      const write = (lines: string, number: number): Promise<void> =>
        change(`${apply}, ${countOf(lines)}`, (tip) => writeOnce(partPath(root, name, number), lines, tip));
      return journalWriter({ patience, write });
    },
    putWhole: (journals) => begin(journals, `${journals.length} applies from elsewhere`),
    putAside(names) {
      const subject = `${names.length} older applies leave the newest state; its history has them`;
      return change(subject, (tip) => setAside(root, names, tip));
    },
    saveSnapshot: (parts) => {
      const edit = { path: snapshotOf(root), text: [...parts].join('') };
      return change('state saved', async () => [edit]);
    },
  };
}

/** Reads the journals of one workspace, and keeps what the next read most likely needs. */
function reading(root: string, branch: Branch): Pick<JournalStore, 'names' | 'read' | 'snapshot'> {
  const olderIn = keptOlder(root, branch);
  let newest: Newest | undefined;
  /** Reads the newest journal and the snapshot at once, since each command needs both. */
  const readNewest = (name: string, tip: Tip): Promise<string | undefined> => {
    if (newest?.commit === tip.commit && newest?.name === name) return newest.text;
    const [text, snapshot] = [readIn(root, name, tip), snapshotIn(root, tip)];
    for (const one of [text, snapshot]) one.catch(() => undefined);
    newest = { commit: tip.commit, name, text, snapshot };
    return text;
  };
  return {
    async names() {
      const tip = await branch.tip();
      return [...new Set([...(await olderIn(tip)).keys(), ...recentIn(root, tip)])].sort();
    },
    async read(name) {
      const tip = await branch.tip();
      const isNewest = name === recentIn(root, tip).at(-1);
      const text = await (isNewest ? readNewest(name, tip) : readIn(root, name, tip));
      if (text !== undefined) return text;
      const commit = (await olderIn(tip)).get(name);
      const found = commit === undefined ? undefined : await readIn(root, name, await branch.before(commit));
      if (found === undefined) throw missing(name);
      return found;
    },
    async snapshot() {
      const tip = await branch.tip();
      const known = newest?.commit === tip.commit ? newest?.snapshot : undefined;
      // It may be large, and is read once.
      delete newest?.snapshot;
      return known ?? snapshotIn(root, tip);
    },
  };
}

interface Newest {
  readonly commit: string | undefined;
  readonly name: string;
  readonly text: Promise<string | undefined>;
  snapshot?: Promise<string | undefined>;
}

/** The commits of the journals that left the newest state; read again if that has moved. */
function keptOlder(root: string, branch: Branch): (tip: Tip) => ReturnType<typeof olderJournals> {
  let known: { readonly commit: string | undefined; readonly older: ReturnType<typeof olderJournals> } | undefined;
  return (tip) => {
    if (known !== undefined && known.commit === tip.commit) return known.older;
    const older = olderJournals(root, tip, branch);
    older.catch(() => {
      known = undefined;
    });
    known = { commit: tip.commit, older };
    return older;
  };
}

const numberOf = (name: string): string => /^j0*(\d+)_/.exec(name)?.[1] ?? journalFolder(name);

function countOf(lines: string): string {
  const count = lines.split('\n').length - 1;
  return `${count} more record${count === 1 ? '' : 's'}`;
}

const snapshotOf = (root: string): string => `${root}/snapshot.json`;

async function snapshotIn(root: string, tip: Tip): Promise<string | undefined> {
  const path = snapshotOf(root);
  return tip.has(path) ? (await tip.read([path]))[0] : undefined;
}

async function newJournal(root: string, { name, text }: WholeJournal, tip: Tip): Promise<Edit[]> {
  const before = await readIn(root, name, tip);
  if (before === text) return [];
  if (before !== undefined)
    throw new DexsyncError('LEDGER_DAMAGED', `The ledger's branch has a journal ${name} already.`);
  return [{ path: partPath(root, name, 0), text }];
}

async function setAside(root: string, names: readonly string[], tip: Tip): Promise<Edit[]> {
  const there = names.filter((name) => partPaths(root, name, tip).length > 0);
  const gone = there.flatMap((name) => partPaths(root, name, tip)).map((path) => ({ path, text: null }));
  return [...gone, ...(await addOlder(root, there, tip))];
}

/** A push that is repeated after a lost answer finds its own file. */
async function writeOnce(path: string, text: string, tip: Tip): Promise<Edit[]> {
  if (!tip.has(path)) return [{ path, text }];
  const [before] = await tip.read([path]);
  if (before === text) return [];
  throw new DexsyncError('LEDGER_DAMAGED', `The ledger's branch has other lines in ${path}.`);
}

const missing = (name: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The ledger's branch has no journal ${name}.`);
