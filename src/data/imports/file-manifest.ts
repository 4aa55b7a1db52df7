import { basename } from 'node:path';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { type CommitRule, type ImportSpec, importJob } from '#core/jobs/import.js';
import type { ImportSource } from '#core/jobs/source.js';
import { addressOf } from '#core/model/address.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';

/** What the command line says about one file to import. */
export interface FileImport {
  readonly source: ImportSource;
  readonly definition: string;
  readonly commit: CommitRule;
  readonly how?: Pick<ImportSpec, 'failOn' | 'repeated' | 'rowsPerRun' | 'upload' | 'verify' | 'beforeImage'>;
  /** The name of the import; by default that of its file. */
  readonly name?: string;
  /** What happens to content that was committed before. */
  readonly again: 'refused' | 'forced';
}

/** Creates the manifest that stands for what the command line asks for. */
export function manifestOfFile(options: FileImport): Manifest {
  const { source, definition, commit, again, how, name = basename(source.file) } = options;
  const when = again === 'forced' ? 'always' : 'changed';
  const spec = { definition, source, commit, when, ...how } as unknown as JsonObject;
  return manifestAt(COMMAND_LINE, addressOf(importJob.name, name), spec);
}
