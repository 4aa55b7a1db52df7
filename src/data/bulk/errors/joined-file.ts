import { open } from 'node:fs/promises';
import { readJsonLines } from '#base/files/json-lines.js';
import type { RowError } from '#core/stream/row-error.js';

/** Takes failed rows in the order of the source. The caller must call `finish`. */
export interface JoinedWriter {
  /** Writes in batches; await it. */
  add(error: RowError): Promise<void>;
  finish(): Promise<void>;
}

const BATCH = 1000;

/** Starts a file of failed rows, one JSON object a line, in the order of the source. */
export async function openJoinedFile(path: string): Promise<JoinedWriter> {
  const file = await open(path, 'w', 0o600);
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    await file.writeFile(batch.join(''));
    batch = [];
  };
  return {
    async add(error) {
      batch.push(`${JSON.stringify(error)}\n`);
      if (batch.length >= BATCH) await flush();
    },
    async finish() {
      try {
        await flush();
      } finally {
        await file.close();
      }
    },
  };
}

/** Reads the failed rows; rows that were not found come last. */
export async function* readJoinedErrors(path: string): AsyncGenerator<RowError> {
  for await (const error of readJsonLines<Omit<RowError, 'row' | 'code'>>(path)) {
    yield { row: undefined, code: undefined, ...error };
  }
}
