import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CsvError } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { type JobRun, nameOfRuns } from '#core/model/job-state.js';
import type { Reader } from '#service/client.js';
import { openImportRunReads } from '#service/import-runs.js';
import { parseCsv } from '../bulk/rows/parse-csv-file.js';

/** Writes the rows that runs were sent to `path`, in order under one header: one request per run. Returns the path. */
export async function fetchSubmitted(runs: readonly JobRun[], path: string, reader: Reader): Promise<string> {
  const rows = async function* (): AsyncGenerator<string[]> {
    for (const [index, { run, definition }] of runs.entries()) {
      if (definition === undefined) continue;
      const content = await openImportRunReads(reader, definition).submitContent(run);
      let n = 0;
      for await (const row of parseCsv(() => content, { bom: true })) {
        n += 1;
        if (n > 1 || index === 0) yield row;
      }
    }
  };
  await pipeline(
    rows,
    stringify({ record_delimiter: 'windows', quoted_match: /[\r\n]/ }),
    createWriteStream(path, { mode: 0o600 }),
  ).catch((error: unknown) => {
    if (error instanceof CsvError) throw noRows(runs, error);
    throwAsDisk(error, path);
  });
  return path;
}

const noRows = (runs: readonly JobRun[], cause: CsvError): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `What ${nameOfRuns(runs) ?? 'a run'} was sent is not CSV.`, {
    hint: 'Its original file may have been sent as it was.',
    cause,
  });

/** Writes the original file that a run was sent to `path`, byte for byte. Returns the path. */
export async function fetchOriginal(runs: readonly JobRun[], path: string, reader: Reader): Promise<string> {
  const [first] = runs;
  if (first?.definition === undefined) {
    throw new DexsyncError('RUN_GONE', 'The import definition of the run is not recorded.', {
      hint: 'Import the file as it is now.',
    });
  }
  const content = await openImportRunReads(reader, first.definition).submitContent(first.run);
  await pipeline(content, createWriteStream(path, { mode: 0o600 })).catch((error: unknown) => throwAsDisk(error, path));
  return path;
}
