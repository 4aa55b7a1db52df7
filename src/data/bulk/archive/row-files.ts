import { TakenNames } from '#base/files/entry-name.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import type { FilesOfResource } from '#core/model/import-resources.js';
import type { CheckedRow, ReportFinding } from '../preflight/row-check.js';
import { type RowFields, removeMarker } from '../preflight/row-fields.js';
import { type ListedFile, listFiles } from './list-files.js';
import { NamedFiles } from './named-files.js';

/** An entry of the archive, under the name that rows use for it. */
export interface ArchiveEntry {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** Location of an import's files, and how its rows refer to them. */
export interface RowFilesInput {
  /** Absolute path of a folder or a pattern; `called` is its text in the manifest. */
  readonly pattern: string;
  readonly called: string;
  readonly fields: RowFields;
  readonly definition: ImportDefinitionSpec;
  readonly rules: FilesOfResource;
  readonly say: ReportFinding;
}

type Problem = Pick<Finding, 'code' | 'message' | 'hint'>;

/** Limit of file names in the warning about files that no row refers to. */
const MOST_NAMED = 5;

/** Finds and checks the physical files that the rows of an import refer to, before any request. */
export class RowFiles {
  readonly #input: RowFilesInput;
  readonly #found: readonly ListedFile[];
  readonly #known: NamedFiles;
  readonly #entries = new Map<string, ArchiveEntry>();
  readonly #taken = new TakenNames();
  readonly #used = new Set<ListedFile>();
  readonly #byRow: { readonly n: number; readonly entry: ArchiveEntry }[] = [];
  #rows = 0;

  private constructor(input: RowFilesInput, found: readonly ListedFile[]) {
    this.#input = input;
    this.#found = found;
    this.#known = new NamedFiles(found, `"${input.called}"`);
  }

  /** Lists the files. Throws FILE_UNREADABLE if the folder cannot be read. */
  static async open(input: RowFilesInput): Promise<RowFiles> {
    return new RowFiles(input, await listFiles(input.pattern));
  }

  /** Takes each row, in order. */
  check({ row, cells }: CheckedRow): void {
    this.#rows += 1;
    const { fields, rules, say } = this.#input;
    const name = fields.text(cells, rules.name);
    if (!isContentSent(cells, this.#input)) return;
    const entry = this.#entryOf(name);
    if ('path' in entry) this.#byRow.push({ n: this.#rows, entry });
    else say({ severity: 'error', ...entry, row, column: this.#column()?.header ?? rules.name, value: name });
  }

  /** Warns about the files that no row refers to. */
  finish(): void {
    const { called, rules, say } = this.#input;
    const unused = this.#found.filter((file) => !this.#used.has(file)).map(({ name }) => `"${name}"`);
    if (unused.length === 0) return;
    const first = unused.slice(0, MOST_NAMED).join(', ');
    const names = unused.length > MOST_NAMED ? `${first} and ${unused.length - MOST_NAMED} more` : first;
    const [count, they] = unused.length === 1 ? ['1 file', 'it is'] : [`${unused.length} files`, 'they are'];
    const message = `No row refers to ${count} in "${called}", so ${they} not sent: ${names}.`;
    const hint =
      this.#column() === undefined
        ? `Map a column to "${rules.name}", which gives the file of each row.`
        : 'Narrow `files`, or add the missing rows.';
    say({ severity: 'warning', code: 'files-unused', message, hint });
  }

  /** Entries of data rows `first` to `last`, counted from 1; each entry once, sorted by name. */
  entriesOf(first: number, last: number): readonly ArchiveEntry[] {
    const wanted = this.#byRow.filter(({ n }) => n >= first && n <= last).map(({ entry }) => entry);
    return [...new Set(wanted)].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #column() {
    return this.#input.fields.column(this.#input.rules.name);
  }

  #entryOf(name: string): ArchiveEntry | Problem {
    const before = this.#entries.get(name);
    if (before !== undefined) return before;
    const resolved = this.#known.resolve(name);
    if (!('file' in resolved)) return resolved;
    this.#used.add(resolved.file);
    const collision = this.#taken.take(name);
    if (collision !== undefined) {
      const hint = 'Rename one of the two: not every system distinguishes upper and lower case.';
      return { code: 'file-collides', message: `"${name}" cannot be sent with the other files: ${collision}.`, hint };
    }
    const entry = { name, path: resolved.file.path, size: resolved.file.size };
    this.#entries.set(name, entry);
    return entry;
  }
}

/** Whether the service reads the file name of a row as the name of an archive entry, if the run has files. */
export function isContentSent(
  cells: readonly string[],
  { fields, rules, definition }: Pick<RowFilesInput, 'fields' | 'rules' | 'definition'>,
): boolean {
  const name = fields.text(cells, rules.name);
  if (name === '' || name === removeMarker(definition) || !rules.modes.includes(definition.mode.toUpperCase())) {
    return false;
  }
  if (rules.unless.some((key) => fields.text(cells, key) !== '')) return false;
  return ['', 'FILE'].includes(fields.text(cells, rules.storage).toUpperCase());
}
