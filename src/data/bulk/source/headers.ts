import { nearestHint } from '#base/nearest.js';
import { nameOfTable, type SourceTable } from './source-table.js';
import { unreadableFile } from './unreadable-file.js';

type Place =
  | { readonly is: 'at'; readonly index: number }
  | { readonly is: 'repeated'; readonly at: readonly number[] };

/** Normalises a header for comparison: without letter case and outer white space (wire-facts 4). */
export const foldName = (name: string): string => name.trim().toLowerCase();

/**
 * Finds a column by its whole header, without letter case and outer white space, as the service does (wire-facts 4).
 * `Manufacturer#2` is the second of several, unless some header is written like that.
 */
export function findColumn(headers: readonly string[], name: string): Place | undefined {
  const all = indexesOf(headers, foldName(name));
  if (all.length > 1) return { is: 'repeated', at: all };
  if (all[0] !== undefined) return { is: 'at', index: all[0] };
  const [, header, count] = /^(.+)#([1-9]\d*)$/s.exec(name.trim()) ?? [];
  const index = header === undefined ? undefined : indexesOf(headers, foldName(header))[Number(count) - 1];
  return index === undefined ? undefined : { is: 'at', index };
}

const indexesOf = (headers: readonly string[], name: string): number[] =>
  headers.flatMap((header, index) => (foldName(header) === name ? [index] : []));

type Named = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow' | 'header'>;

/** Index of the column that an option names; an error mentions the option. */
export function columnNamed(table: Named, name: string, option: string): number {
  const found = findColumn(table.headers, name);
  if (found?.is === 'at') return found.index;
  const of = `${nameOfTable(table)} (${table.header === 'none' ? 'no headers' : `header row ${table.headerRow}`})`;
  if (found === undefined) {
    const known = table.headers.filter((header) => header.trim() !== '');
    throw unreadableFile(
      `\`${option}\` refers to the column "${name}", which is not in ${of}.`,
      nearestHint(name, known) ?? 'Check `headerRow`; `dexsync import inspect` shows the columns.',
    );
  }
  const columns = found.at.map((index) => index + 1).join(', ');
  throw unreadableFile(
    `\`${option}\` refers to the column "${name}", but ${of} has ${found.at.length} columns with this name (columns ${columns}).`,
    `Write "${name}#1", "${name}#2" and so on.`,
  );
}

/**
 * Renames headers. A name in the exact letter case of the file wins over one in other case; a column without a header
 * goes by the letter that it has in a worksheet.
 */
export function renameHeaders(
  table: Named,
  rename: Readonly<Record<string, string>> = {},
  letters: readonly string[] = [],
): readonly string[] {
  const headers = [...table.headers];
  for (const [name, to] of Object.entries(rename)) {
    const nameless = letters.findIndex(
      (letter, at) => letter === name.trim().toUpperCase() && headers[at]?.trim() === '',
    );
    if (nameless !== -1 && findColumn(table.headers, name) === undefined) {
      headers[nameless] = to;
      continue;
    }
    const exact = table.headers.flatMap((header, index) => (header.trim() === name.trim() ? [index] : []));
    const index = exact.length === 1 ? exact[0] : undefined;
    headers[index ?? columnNamed(table, name, 'rename')] = to;
  }
  return headers;
}
