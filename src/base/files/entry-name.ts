const LONGEST_SEGMENT = 255;
const DEEPEST = 64;

/** The prefix of dexsync's own names in the target folder: the record of a run, and unfinished files. */
export const OWN_NAMES = '.dexsync-';

/** The reason why an archive's entry must not become a file; undefined if it may. Names are paths with `/`. */
export function refuseEntryName(name: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
  if (name === '' || /[\u0000-\u001f\u007f]/.test(name)) return 'its name is empty or contains control characters';
  if (name.includes('\\')) return 'its name contains a backslash';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'its path is absolute';
  const segments = name.split('/');
  if (segments.includes('..') || segments.includes('.')) return 'its path contains "." or ".."';
  if (segments.length > DEEPEST) return `it is nested in more than ${DEEPEST} folders`;
  if (segments.includes('')) return 'its path has an empty part';
  if (segments.some((segment) => Buffer.byteLength(segment) > LONGEST_SEGMENT)) return 'its name is too long';
  if (name.startsWith(OWN_NAMES)) return `names that begin with "${OWN_NAMES}" are reserved for dexsync`;
  return undefined;
}

/** Folds names so that those which some file systems take for one are equal. */
const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** The file names of one target folder: no duplicates, and no file that is also a folder of another. */
export class TakenNames {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Adds a file, or returns the reason why it conflicts with the files so far. */
  take(name: string): string | undefined {
    const key = foldName(name);
    const above = foldersOf(key);
    if (this.#files.has(key)) return 'another file has the same name';
    if (this.#folders.has(key) || above.some((folder) => this.#files.has(folder))) {
      return 'a file and a folder have the same name';
    }
    this.#files.add(key);
    for (const folder of above) this.#folders.add(folder);
    return undefined;
  }
}

const foldersOf = (name: string): string[] => {
  const segments = name.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
};
