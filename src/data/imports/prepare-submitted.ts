import { mkdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ImportSpec } from '#core/jobs/import.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { JobRun } from '#core/model/job-state.js';
import type { Reader } from '#service/client.js';
import { type PreparedImport, prepareImport } from '../bulk/prepare.js';
import { fetchOriginal, fetchSubmitted } from './fetch-submitted.js';

/** Runs whose rows are read again, and how. */
export interface SubmittedReading {
  readonly runs: readonly JobRun[];
  readonly spec: ImportSpec;
  readonly definition: ImportDefinitionSpec;
  /** Created if missing. */
  readonly folder: string;
  readonly reader: Reader;
  readonly signal?: AbortSignal;
}

/** Reads the rows that runs were sent, normalised: one request per run. Throws SERVICE_ERROR after 60 days. */
export async function prepareSubmitted({
  runs,
  spec,
  definition,
  folder,
  reader,
  ...rest
}: SubmittedReading): Promise<PreparedImport> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { source, upload } = spec;
  const fetched =
    upload === 'original'
      ? { path: await fetchOriginal(runs, join(folder, `submitted${extname(source.file)}`), reader), source }
      : { path: await fetchSubmitted(runs, join(folder, 'submitted.csv'), reader), source: { file: source.file } };
  return prepareImport({ ...fetched, folder, definition, keepFindings: 0, ...rest });
}
