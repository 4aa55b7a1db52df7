import { TakenNames } from '../../files/entry-name.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import type { FilesOfResource } from '../../model/import-resources.js';
import type { Finding } from '../preflight/findings.js';
import { type CheckedRow, type Fields, removeMarker } from '../preflight/row-check.js';
import { type FoundFile, findFiles } from './find-files.js';
import { NamedFiles } from './named-files.js';

/** An entry of the archive, under the name by which rows call it. */
export interface ArchiveEntry {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** The physical files of an import: what its rows name, found and checked before any request. */
export interface Claims {
  /** To be called for each row, in order. */
  check(row: CheckedRow): void;
  /** Says which files no row names. */
  finish(): void;
  /** The entries that the data rows from `first` to `last`, counted from 1, name. */
  entriesOf(first: number, last: number): readonly ArchiveEntry[];
}

export interface ClaimsInput {
  /** A folder or a pattern, absolute; and as the manifest calls it. */
  readonly pattern: string;
  readonly called: string;
  readonly fields: Fields;
  readonly definition: ImportDefinitionSpec;
  readonly rules: FilesOfResource;
  readonly say: (finding: Omit<Finding, 'file' | 'worksheet'>) => void;
}

/** Files that are named one by one in the warning about those that no row names. */
const MOST_NAMED = 5;

/** Throws FILE_UNREADABLE where the folder cannot be read. */
export async function claimFiles(input: ClaimsInput): Promise<Claims> {
  const { pattern, called, fields, definition, rules, say } = input;
  const found = await findFiles(pattern);
  const known = new NamedFiles(found, `"${called}"`);
  const entries = new Map<string, ArchiveEntry>();
  const names = new TakenNames();
  const claims: { readonly n: number; readonly entry: ArchiveEntry }[] = [];
  const used = new Set<FoundFile>();
  const column = fields.column(rules.name);
  let n = 0;

  const claim = (name: string): ArchiveEntry | Omit<Finding, 'file' | 'worksheet' | 'severity'> => {
    const before = entries.get(name);
    if (before !== undefined) return before;
    const resolved = known.resolve(name);
    if (!('file' in resolved)) return resolved;
    used.add(resolved.file);
    const taken = names.take(name);
    if (taken !== undefined) {
      const hint = 'Rename one of the two: letter case alone does not tell them apart everywhere.';
      return { code: 'file-collides', message: `"${name}" cannot be sent beside the other files: ${taken}.`, hint };
    }
    const entry = { name, path: resolved.file.path, size: resolved.file.size };
    entries.set(name, entry);
    return entry;
  };

  return {
    check({ row, cells }) {
      n += 1;
      const name = fields.text(cells, rules.name);
      if (!isSent(name, cells, { fields, rules, definition })) return;
      const entry = claim(name);
      if ('path' in entry) claims.push({ n, entry });
      else say({ severity: 'error', ...entry, row, column: column?.header ?? rules.name, value: name });
    },
    finish() {
      const unused = found.filter((file) => !used.has(file)).map(({ name }) => `"${name}"`);
      if (unused.length === 0) return;
      const shown = unused.slice(0, MOST_NAMED).join(', ');
      const rest = unused.length > MOST_NAMED ? `${shown} and ${unused.length - MOST_NAMED} more` : shown;
      const [files, are] = unused.length === 1 ? ['file', 'is'] : ['files', 'are'];
      const message = `${unused.length} ${files} in "${called}" ${are} named by no row and not sent: ${rest}.`;
      const hint =
        column === undefined
          ? `No column feeds the field "${rules.name}", which names the file of a row.`
          : 'Narrow `files` down, or add the rows.';
      say({ severity: 'warning', code: 'files-unused', message, hint });
    },
    entriesOf(first, last) {
      const wanted = claims.filter((one) => one.n >= first && one.n <= last).map(({ entry }) => entry);
      return [...new Set(wanted)].sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

/** Whether the service reads the name of a row's file as that of an entry. */
function isSent(
  name: string,
  cells: readonly string[],
  { fields, rules, definition }: Pick<ClaimsInput, 'fields' | 'rules' | 'definition'>,
): boolean {
  if (name === '' || name === removeMarker(definition) || !rules.modes.includes(definition.mode.toUpperCase())) {
    return false;
  }
  if (rules.unless.some((key) => fields.text(cells, key) !== '')) return false;
  return ['', 'FILE'].includes(fields.text(cells, rules.storage).toUpperCase());
}
