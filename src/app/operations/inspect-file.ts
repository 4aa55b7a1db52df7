import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import {
  type Inspection,
  inspectTable,
  type ProposalOptions,
  type SourceFile,
} from '#data/bulk/inspect/inspect-table.js';
import type { LookUp } from '#data/bulk/inspect/known-items.js';
import { likeDrafts } from '#data/bulk/inspect/like-drafts.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { findKnown, knownText, type SettledList } from '#data/bulk/inspect/settled-list.js';
import { findFile } from '#data/bulk/source/find-file.js';
import { lookUpParts } from '#data/imports/look-up-parts.js';
import { withConnection } from '#project/connection/connection.js';
import { type Host, type ProjectOptions, withoutEvents } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { settledLists } from './settled-lists.js';
import { type WrittenFile, writeNewFiles } from './write-new-files.js';

/**
 * The source to inspect, and the folder for its project. If an environment is given, makers' numbers are looked up in
 * its workspace, unless the list has item numbers.
 */
export interface InspectFileOptions extends Pick<ProjectOptions, 'config' | 'environment' | 'dataFolder'> {
  readonly source: ImportSource;
  /** A folder, relative to the current one; without it nothing is written. */
  readonly out?: string;
  /** The folder of a project that reads a list with the same columns; by default the project around, if it reads one. */
  readonly like?: string;
  /** Whether to take no settings of the project around. An environment, meanings or constants do the same. */
  readonly afresh?: boolean;
  /** Number of the item that the lines of a BOM belong to, if no row is that item. */
  readonly assembly?: string;
  /** What columns mean, by name, where that is not evident. */
  readonly meanings?: GivenMeanings;
}

/** An inspection with the files that were written for it. */
export interface InspectedFile extends Inspection {
  /** Relative to the current folder. */
  readonly written?: readonly WrittenFile[];
}

/**
 * Describes the contents of a file, proposes manifests, and writes them if a folder is given: as a project, or without
 * a configuration if an environment is given. Needs neither a configuration nor a workspace, except for the project of
 * `like` and the environment; a project around is used if it can be. Writes nothing if it proposes nothing. Throws USAGE,
 * with nothing written, if a file is in the way, and UNKNOWN_NAME if nothing in `like` reads a list with such columns.
 */
export async function inspectFile(options: InspectFileOptions, host: Host): Promise<InspectedFile> {
  const { source, out, like, meanings, assembly, environment } = options;
  if (like !== undefined && environment !== undefined) throw twoWays();
  const found = await findFile(resolve(host.cwd, source.file), source);
  const given = {
    ...omitUndefined({ meanings, assembly }),
    ...(environment !== undefined && { lookUp: await lookUpIn(options, host) }),
  };
  const inspect = (settled: Proposing) => inspectTable(found, source, host.signal, { ...given, ...settled });
  const { inspection, proposed } =
    like === undefined
      ? await inspect(await knownAround(found, options, host)).catch(unlessUnfit(() => inspect({})))
      : await inspect(likeLists(found, await settledIn(like, host), host));
  const isNothing = inspection.problem !== undefined || inspection.proposal.manifests.length === 0;
  if (out === undefined || isNothing) return inspection;
  const folder = resolve(host.cwd, out);
  const place = { folder, path: found.path, shown: source.file, ...omitUndefined({ environment }) };
  return { ...inspection, written: await writeNewFiles(projectFiles(proposed, place), folder, host) };
}

/** Logs in only for a list whose makers' numbers have to be looked up. */
async function lookUpIn(options: InspectFileOptions, host: Host): Promise<LookUp> {
  const config = await openConfig(options, host);
  return (numbers) =>
    withConnection(config, { ...options, access: 'read' }, host, (connection) =>
      lookUpParts(numbers, connection, host.signal),
    );
}

const twoWays = (): DexsyncError =>
  new DexsyncError('USAGE', '`--like` takes the settings of another list, and looks up no parts.', {
    hint: 'Leave out `--env`, or leave out `--like` to look up the parts of this list.',
  });

type Proposing = Pick<ProposalOptions, 'like' | 'known'>;

const likeLists = ({ path }: SourceFile, lists: readonly SettledList[], { signal }: Host): Proposing => ({
  like: (table) => likeDrafts({ ...table, path, settled: lists.flatMap(({ settled }) => settled ?? []) }, signal),
});

/** Does something else if settings do not fit a list. */
const unlessUnfit =
  <T>(other: () => Promise<T>) =>
  (error: unknown): Promise<T> =>
    error instanceof DexsyncError && error.code === 'UNKNOWN_NAME' ? other() : Promise.reject(error);

/** Everything that the project in a folder settled for its lists. */
async function settledIn(like: string, host: Host): Promise<readonly SettledList[]> {
  const lists = await settledLists({ config: resolve(host.cwd, like, 'sync.config.yaml') }, host);
  if (lists.some(({ settled }) => settled !== undefined)) return lists;
  throw new DexsyncError(
    'UNKNOWN_NAME',
    `${join(like, 'sync.config.yaml')} has no Import with its definition, and no manifest of rows.`,
    { hint: 'Give `--like` the folder of a project that reads a list with the same columns.' },
  );
}

/** What the project around has for a list. One that is broken or absent has nothing: a file can be inspected anywhere. */
async function knownAround(found: SourceFile, options: InspectFileOptions, host: Host): Promise<Proposing> {
  const { source, config, dataFolder, environment, afresh, meanings = {} } = options;
  const isDecided = environment !== undefined || source.constants !== undefined || Object.keys(meanings).length > 0;
  if (afresh === true || isDecided) return {};
  try {
    const lists = await settledLists(omitUndefined({ config, dataFolder }), withoutEvents(host, 'diagnostic'));
    const known = await findKnown({ ...found, path: await realpath(found.path) }, source, lists);
    if (known === undefined) return {};
    const text = { known: knownText(known) };
    return known.is === 'this file' ? text : { ...text, ...likeLists(found, known.lists, host) };
  } catch {
    return {};
  }
}
