import { resolve } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import { type Inspection, inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { findFile } from '#data/bulk/source/find-file.js';
import type { Host } from '#project/host.js';
import { type WrittenFile, writeNewFiles } from './write-new-files.js';

/** The source to inspect, and the folder for its project. */
export interface InspectFileOptions {
  readonly source: ImportSource;
  /** A folder, relative to the current one; without it nothing is written. */
  readonly out?: string;
}

/** An inspection with the files that were written for it. */
export interface InspectedFile extends Inspection {
  /** Relative to the current folder. */
  readonly written?: readonly WrittenFile[];
}

/**
 * Describes the contents of a file, proposes manifests, and writes them as a project if a folder is given. Needs
 * neither a configuration nor a workspace. Writes nothing if it proposes nothing. Throws USAGE, with nothing written, if a
 * file is in the way.
 */
export async function inspectFile({ source, out }: InspectFileOptions, host: Host): Promise<InspectedFile> {
  const found = await findFile(resolve(host.cwd, source.file), source);
  const { inspection, proposed } = await inspectTable(found, source, host.signal);
  const isNothing = inspection.problem !== undefined || inspection.proposal.manifests.length === 0;
  if (out === undefined || isNothing) return inspection;
  const folder = resolve(host.cwd, out);
  const files = projectFiles(proposed, { folder, path: found.path, shown: source.file });
  return { ...inspection, written: await writeNewFiles(files, folder, host) };
}
