import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { type ArchiveEntry, extractEntries, listEntries } from '../../sources/read-archive.js';
import type { Warning } from '../../store/imports.js';
import type { RunFiles } from '../../store/run-files.js';
import type { Chance } from '../guid-source.js';
import { ServiceError } from '../service-error.js';

/** The content of a row's file: an entry of the archive, to be stored under its own GUID. */
interface Claim {
  readonly content: string;
  readonly size: number;
}

const MISSING = 3223;
const UNUSED = 331;
/** The most unused entries that are named one by one. */
const MOST_NAMED = 20;

/**
 * The physical files of a run: the archive of the part `fileContent` (wire-facts 4). INFERRED: a row names its entry by
 * the exact `name` of the file; an entry that no row names is a warning.
 */
export class FileContents {
  readonly #archive: string;
  readonly #entries: ReadonlyMap<string, ArchiveEntry> | undefined;
  readonly #files: RunFiles;
  readonly #chance: Chance;
  readonly #named = new Set<string>();
  readonly #claims: { readonly name: string; readonly content: string }[] = [];
  #claimsBeforeRow = 0;

  private constructor(
    archive: string,
    entries: ReadonlyMap<string, ArchiveEntry> | undefined,
    files: RunFiles,
    chance: Chance,
  ) {
    this.#archive = archive;
    this.#entries = entries;
    this.#files = files;
    this.#chance = chance;
  }

  /** Reads the directory of a run's archive, if the run has one. Throws `SourceError` for a broken archive. */
  static async open(run: string, files: RunFiles, chance: Chance): Promise<FileContents> {
    const archive = files.path(run, 'files');
    const entries = existsSync(archive) ? await listEntries(archive) : undefined;
    return new FileContents(archive, entries, files, chance);
  }

  startRow(): void {
    this.#claimsBeforeRow = this.#claims.length;
  }

  undoRow(): void {
    this.#claims.length = this.#claimsBeforeRow;
  }

  /** Claims the content of a file with this name; undefined if the run has no archive, so that names are only names. */
  claim(name: string): Claim | undefined {
    if (this.#entries === undefined) return undefined;
    const entry = this.#entries.get(name);
    if (!entry) {
      throw new ServiceError({ code: MISSING, message: `The archive of files has no entry "${name}".` });
    }
    this.#named.add(name);
    const content = this.#chance.guid();
    this.#claims.push({ name, content });
    return { content, size: entry.size };
  }

  warnings(): Warning[] {
    const unused = [...(this.#entries?.keys() ?? [])].filter((name) => !this.#named.has(name));
    const told = unused.slice(0, MOST_NAMED).map((name) => {
      return { code: UNUSED, message: `The entry "${name}" of the archive is ignored: no row names it.` };
    });
    const rest = unused.length - told.length;
    return rest === 0 ? told : [...told, { code: UNUSED, message: `${rest} further entries are ignored.` }];
  }

  /** Stores the claimed entries beside the database; call it before storing the rows that refer to them. */
  async store(): Promise<void> {
    const wanted = new Map<string, string[]>();
    for (const { name, content } of this.#claims) wanted.set(name, [...(wanted.get(name) ?? []), content]);
    if (wanted.size === 0) return;
    const path = (content: string): string => this.#files.path(content, 'content');
    await extractEntries(this.#archive, (name) => {
      const [first] = wanted.get(name) ?? [];
      return first === undefined ? undefined : path(first);
    });
    for (const [first = '', ...others] of wanted.values()) {
      for (const other of others) await copyFile(path(first), path(other));
    }
  }
}
