import { refuseEntryName } from '#base/files/entry-name.js';
import { nearestHint } from '#base/nearest.js';
import type { ListedFile } from './list-files.js';

/** The file that a name in a row refers to, or the reason why there is none. */
export type Resolution =
  | { readonly file: ListedFile }
  | { readonly code: string; readonly message: string; readonly hint: string };

const foldPath = (name: string): string => name.normalize('NFC').toLowerCase();

/** Finding the nearest of many names takes long; after this many wrong names nobody reads the suggestions. */
const MOST_HINTS = 100;

/**
 * Finds files by the names in rows: the path below the folder, or the file name alone where only one folder has it.
 * Letter case counts, since entries of the archive are looked up with it.
 */
export class NamedFiles {
  readonly #byPath = new Map<string, ListedFile>();
  readonly #byName = new Map<string, ListedFile[]>();
  readonly #byFolded = new Map<string, ListedFile>();
  readonly #where: string;
  #hints = 0;

  /** `where`: how messages refer to the folder. */
  constructor(files: readonly ListedFile[], where: string) {
    this.#where = where;
    for (const file of files) {
      const base = file.name.split('/').at(-1) ?? file.name;
      this.#byPath.set(file.name, file);
      this.#byName.set(base, [...(this.#byName.get(base) ?? []), file]);
      this.#byFolded.set(foldPath(file.name), file);
    }
  }

  resolve(name: string): Resolution {
    const refusal = refuseEntryName(name);
    if (refusal !== undefined) {
      const message = `"${name}" cannot be used as a file name: ${refusal}.`;
      return { code: 'file-unsafe', message, hint: `Write its path below ${this.#where}, with "/".` };
    }
    const exact = this.#byPath.get(name);
    if (exact !== undefined) return { file: exact };
    const [file, ...others] = this.#byName.get(name) ?? [];
    if (file === undefined) return this.#missing(name);
    if (others.length === 0) return { file };
    const places = [file, ...others].map((one) => `"${one.name}"`).join(', ');
    const message = `"${name}" is in ${others.length + 1} folders: ${places}.`;
    return { code: 'file-ambiguous', message, hint: `Write its path below ${this.#where}.` };
  }

  #missing(name: string): Resolution {
    const message = `There is no file "${name}" in ${this.#where}.`;
    const similar = this.#byFolded.get(foldPath(name));
    if (similar !== undefined) {
      return { code: 'file-missing', message, hint: `Write "${similar.name}": upper and lower case matter.` };
    }
    this.#hints += 1;
    const names = this.#hints > MOST_HINTS ? [] : [...new Set([...this.#byPath.keys(), ...this.#byName.keys()])];
    return { code: 'file-missing', message, hint: nearestHint(name, names) ?? 'Add the file, or correct the cell.' };
  }
}
