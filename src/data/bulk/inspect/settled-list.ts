import { DexsyncError } from '#base/errors.js';
import type { ImportSpec } from '#core/jobs/import.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';
import { foldName } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { SourceFile } from './inspect-table.js';

/** An import that somebody settled for another list, and its definition. */
export interface SettledImport {
  readonly name: string;
  readonly definition: ImportDefinitionSpec;
  readonly spec: ImportSpec;
}

/** A manifest of rows that somebody settled for another list. */
export interface SettledObjects {
  readonly manifest: JsonObject;
}

/** A list that a project reads, and what somebody settled for it. */
export interface SettledList {
  /** What reads it, in messages: an Import, or a kind and the file of its manifest. */
  readonly by: string;
  /** Of its file; absolute, without links. */
  readonly path: string;
  readonly source: ImportSource;
  /** Absent if it cannot be taken for another list. */
  readonly settled?: SettledImport | SettledObjects;
}

/** Lists of a project that are the inspected one, or have its columns. */
export interface KnownList {
  readonly is: 'this file' | 'same columns';
  readonly lists: readonly SettledList[];
}

/** Finds what a project has for a list: by its file, else by the columns that it has under the same settings. */
export async function findKnown(
  { path, file }: SourceFile,
  given: ImportSource,
  lists: readonly SettledList[],
): Promise<KnownList | undefined> {
  const own = lists.filter((list) => list.path === path);
  if (own.length > 0) return { is: 'this file', lists: own };
  const usable = lists.filter(({ settled }) => settled !== undefined && !isDeletion(settled));
  for (const other of new Set(usable.map((list) => list.path))) {
    const of = usable.filter((list) => list.path === other);
    const same = await Promise.all(
      of.map(async ({ source }) => {
        const [one, two] = await Promise.all([
          columnsOf(other, source),
          columnsOf(path, { ...source, ...given, file }),
        ]);
        return one !== undefined && one === two;
      }),
    );
    if (same.every((is) => is)) return { is: 'same columns', lists: of };
  }
  return undefined;
}

/** Nobody expects that the next list of parts deletes them. */
const isDeletion = (settled: SettledImport | SettledObjects): boolean =>
  'definition' in settled && settled.definition.mode === 'DELETE';

/** The columns of a list in one text, in no order; undefined if it cannot be read, or has no headers. */
async function columnsOf(path: string, source: ImportSource): Promise<string | undefined> {
  try {
    const { header, headers, rows } = await openSource(path, source);
    for await (const _ of rows) break;
    const names = headers.map(foldName).filter((name) => name !== '');
    return header === 'none' || names.length === 0 ? undefined : names.sort().join('\n');
  } catch (error) {
    if (error instanceof DexsyncError) return undefined;
    throw error;
  }
}

/** Says what a project knows of a list. */
export function knownText({ is, lists }: KnownList): string {
  const names = lists.map(({ by }) => by);
  const who = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
  const [reads, has] = names.length > 1 ? ['read', 'their'] : ['reads', 'its'];
  return is === 'this file'
    ? `Known: ${who} of this project ${reads} this file already.`
    : `Known: ${who} of this project ${reads} a list with the same columns, and ${has} settings are taken; \`--afresh\` proposes afresh.`;
}
