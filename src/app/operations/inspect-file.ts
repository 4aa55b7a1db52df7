import { resolve } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import { type Inspection, inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { findFile } from '#data/bulk/source/find-file.js';
import type { Host } from '#project/host.js';
import { type WrittenFile, writeNewFiles } from './write-new-files.js';

/** What to inspect, and where a project for it goes. */
export interface InspectFileOptions {
  readonly source: ImportSource;
  /** A folder, from the current one; nothing is written where it is absent. */
  readonly out?: string;
}

/** An inspection with the files that were written for it. */
export interface InspectedFile extends Inspection {
  /** Relative to the current folder. */
  readonly written?: readonly WrittenFile[];
}

/**
 * Says what a file holds, with manifests to start from, and writes these as a project where a folder is given. Needs neither
 * a configuration nor a workspace. Throws USAGE where a file stands in the way, with nothing written.
 */
export async function inspectFile({ source, out }: InspectFileOptions, host: Host): Promise<InspectedFile> {
  const found = await findFile(resolve(host.cwd, source.file), source);
  const { inspection, proposed } = await inspectTable(found, source, host.signal);
  if (out === undefined || inspection.problem !== undefined) return inspection;
  const folder = resolve(host.cwd, out);
  const files = projectFiles(proposed, { folder, path: found.path, shown: source.file });
  return { ...inspection, written: await writeNewFiles(files, folder, host) };
}
