const LONGEST_SEGMENT = 255;
const DEEPEST = 64;

/** Names in the target folder that are dexsync's own: the record of a run, and what is under way. */
export const OWN_NAMES = '.dexsync-';

/** Why an archive's entry must not become a file, or undefined where it may. Names are paths with `/`. */
export function refusalOf(name: string): string | undefined {
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

/** What two names have in common that some file systems take for one. */
const foldName = (name: string): string => name.normalize('NFC').toLowerCase();

/** The files of one target folder: none twice, and none that is a folder of another too. */
export class TakenNames {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Enters a file, or says why it cannot stand beside those that are there. */
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
