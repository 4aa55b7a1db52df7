import { join, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { importJob, importSpecOf } from '#core/jobs/import.js';
import type { ImportSource } from '#core/jobs/source.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { type Inspection, inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { LookUp } from '#data/bulk/inspect/known-items.js';
import { likeDrafts, type SettledImport } from '#data/bulk/inspect/like-drafts.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { findFile } from '#data/bulk/source/find-file.js';
import { lookUpParts } from '#data/imports/look-up-parts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig, openProject } from '#project/project.js';
import { type WrittenFile, writeNewFiles } from './write-new-files.js';

/**
 * The source to inspect, and the folder for its project. If an environment is given, makers' numbers are looked up in
 * its workspace, unless the list has item numbers.
 */
export interface InspectFileOptions extends Pick<ProjectOptions, 'config' | 'environment' | 'dataFolder'> {
  readonly source: ImportSource;
  /** A folder, relative to the current one; without it nothing is written. */
  readonly out?: string;
  /** The folder of a project with Imports of a list that has the same columns. */
  readonly like?: string;
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
 * `like` and the environment. Writes nothing if it proposes nothing. Throws USAGE, with nothing written, if a file is in
 * the way, and UNKNOWN_NAME if no Import of `like` reads a list with such columns.
 */
export async function inspectFile(options: InspectFileOptions, host: Host): Promise<InspectedFile> {
  const { source, out, like, meanings, environment } = options;
  if (like !== undefined && environment !== undefined) throw twoWays();
  const found = await findFile(resolve(host.cwd, source.file), source);
  const settled = like === undefined ? undefined : await settledImports(like, host);
  const { inspection, proposed } = await inspectTable(found, source, host.signal, {
    ...omitUndefined({ meanings }),
    ...(settled && { like: (table) => likeDrafts({ ...table, path: found.path, settled }, host.signal) }),
    ...(environment !== undefined && { lookUp: await lookUpIn(options, host) }),
  });
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

/** The Imports of a project whose definitions are manifests too. */
async function settledImports(like: string, host: Host): Promise<readonly SettledImport[]> {
  const { linked } = await openProject({ config: resolve(host.cwd, like, 'sync.config.yaml') }, host);
  const definitions = new Map(
    linked.manifests.flatMap(({ kind, metadata, spec }) =>
      kind === importDefinition.name ? [[metadata.name, parseImportDefinition(spec)]] : [],
    ),
  );
  const settled = linked.manifests.flatMap(({ kind, metadata, spec: all }): SettledImport[] => {
    if (kind !== importJob.name) return [];
    const spec = importSpecOf(all);
    const definition = definitions.get(spec.definition);
    return definition === undefined ? [] : [{ name: metadata.name, definition, spec }];
  });
  if (settled.length > 0) return settled;
  throw new DexsyncError('UNKNOWN_NAME', `${join(like, 'sync.config.yaml')} has no Import with its definition.`, {
    hint: 'Give `--like` the folder of a project that imports a list with the same columns.',
  });
}
