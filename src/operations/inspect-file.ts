import { resolve } from 'node:path';
import { type Inspection, inspectTable } from '../bulk/inspect/inspect-table.js';
import { findFile } from '../bulk/source/find-file.js';
import type { Host } from '../host.js';
import type { ImportSource } from '../jobs/source.js';

/** Says what a file holds, with manifests to start from. Needs neither a configuration nor a workspace. */
export async function inspectFile({ source }: { readonly source: ImportSource }, host: Host): Promise<Inspection> {
  return inspectTable(await findFile(resolve(host.cwd, source.file), source), source, host.signal);
}
