import { DexsyncError } from '#base/errors.js';
import { fileNameFor } from './lease-name.js';

/** A stored document: texts that only their readers interpret. */
export interface KeptDocument {
  readonly text: string;
  /** What was added to it later, in that order: the reviews of a saved plan. */
  readonly notes: readonly string[];
}

/**
 * Stores the documents of one shelf. Needs no lease: documents are added and removed atomically, and never replaced.
 * `log` says what is done and by whom, for backends that keep a log: `saved by ann on laptop`. Throws DISK and
 * LEDGER_UNREACHABLE.
 */
export interface DocumentStore {
  /** In natural order. */
  names(): Promise<readonly string[]>;
  /** Undefined if there is no document of that name. */
  read(name: string): Promise<KeptDocument | undefined>;
  /** If several processes add the same name at once, one succeeds. Throws USAGE if the name is taken. */
  add(name: string, text: string, log: string): Promise<void>;
  /** Throws UNKNOWN_NAME if there is no such document. */
  addNote(name: string, note: string, log: string): Promise<void>;
  /** Removes a document with its notes; does nothing if it does not exist. */
  remove(name: string, log: string): Promise<void>;
}

/** Documents of one type that belong together. */
export interface Shelf {
  readonly stack: string;
  /** Empty for what belongs to the whole stack. */
  readonly environment: string;
  /** Where the backend has folders: its own one, and the name of each text in the folder of its document. */
  readonly folder: string;
  readonly file: string;
  /** Whether a team that commits a ledger of files leaves it out, as it does with locks. */
  readonly isLocal?: true;
  /** One of its documents, for the middle of a sentence. */
  readonly what: string;
  /** The error for a name that is in use: what people rely on is never replaced. */
  readonly taken: (name: string) => DexsyncError;
  /** The error for a name that is not in use. */
  readonly missing: (name: string) => DexsyncError;
}

/** The folder of what belongs to a stack or an environment, which may have any name. */
export const folderOf = (...names: readonly string[]): string =>
  names.map((name) => fileNameFor(name).replace(/^\./, '%2E')).join('/');

/** The saved plans of a stack in an environment, until they are applied. */
export const plansShelf = (stack: string, environment: string): Shelf => ({
  stack,
  environment,
  folder: folderOf('plans', stack, environment),
  file: 'plan.json',
  what: 'plan',
  taken: planTaken,
  missing: noSuchPlan,
});

/** The releases of a stack, from all environments. */
export const releasesShelf = (stack: string): Shelf => ({
  stack,
  environment: '',
  folder: folderOf('releases', stack),
  file: 'release.json',
  what: 'release',
  taken: (name) => releaseTaken(shownRelease(name)),
  missing: (name) => noSuchRelease(shownRelease(name)),
});

/** The rollouts of all fleets of a stack. */
export const rolloutsShelf = (stack: string): Shelf => ({
  stack,
  // No environment has such a name: the tables of a database keep documents by stack and environment.
  environment: '@rollouts',
  folder: folderOf('rollouts', stack),
  file: 'rollout.json',
  what: 'rollout',
  taken: (name) => new DexsyncError('USAGE', `The ledger already has the rollout ${name}, which is not replaced.`),
  missing: (name) => new DexsyncError('UNKNOWN_NAME', `The ledger has no rollout ${name} of this stack.`),
});

/** What was said to people about one environment or fleet of a stack. */
export const noticesShelf = (stack: string, place: string): Shelf => ({
  stack,
  environment: `@notices/${place}`,
  folder: folderOf('notices', stack, place),
  isLocal: true,
  file: 'notice.json',
  what: 'notice',
  taken: (name) => new DexsyncError('USAGE', `Another process said what ${name} says.`),
  missing: (name) => new DexsyncError('UNKNOWN_NAME', `The ledger has no notice ${name} of this stack.`),
});

/** USAGE, since a plan that was reviewed under a name is never replaced. */
export const planTaken = (name: string): DexsyncError =>
  new DexsyncError('USAGE', `The ledger already has a saved plan "${name}", which is not replaced.`, {
    hint: `Choose another name, or remove that plan with \`dexsync plan remove ledger:${name}\`.`,
  });

/** UNKNOWN_NAME */
export const noSuchPlan = (name: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `The ledger has no saved plan "${name}" for this stack and environment.`, {
    hint: '`dexsync plan list` lists the saved plans. Plans that were applied are in `dexsync history`.',
  });

/** The ledger has `dev@r41`, since a slash separates folders. */
const shownRelease = (name: string): string => name.replace('@', '/');

/** USAGE */
const releaseTaken = (name: string): DexsyncError =>
  new DexsyncError('USAGE', `The ledger already has the release ${name}, which is not replaced.`);

/** UNKNOWN_NAME */
export const noSuchRelease = (name: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `The ledger has no release ${name} of this stack.`, {
    hint: '`dexsync release list` lists the releases.',
  });

/** Copies documents to a new place and removes them from the old one; an interrupted move resumes where it stopped. */
export async function moveDocuments(
  from: DocumentStore,
  to: DocumentStore,
  { taken }: Shelf,
  isMeant: (name: string) => boolean = () => true,
): Promise<number> {
  const names = (await from.names()).filter(isMeant);
  for (const name of names) {
    const found = await from.read(name);
    if (found === undefined) continue;
    const there = await to.read(name);
    if (there === undefined) await to.add(name, found.text, 'moved here');
    else if (there.text !== found.text) throw taken(name);
    const missing = found.notes.filter((note) => there?.notes.includes(note) !== true);
    for (const note of missing) await to.addNote(name, note, 'moved here');
    await from.remove(name, 'moved away');
  }
  return names.length;
}
