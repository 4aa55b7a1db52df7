import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { RowChange } from '#core/model/rows-preview.js';

/** Writes changes of rows to disk, so that memory has only the first of them. */
export interface ChangesFile {
  /** A returned promise must be awaited. */
  readonly add: (change: RowChange) => Promise<void> | undefined;
  /** The first changes, as many as are kept. */
  readonly first: readonly RowChange[];
  /** SHA-256, hexadecimal, of the changes added so far, without row numbers. */
  readonly digest: () => string;
  /** Closes the file and returns its path: one JSON text per line. */
  readonly finish: () => Promise<string>;
  readonly abandon: () => Promise<void>;
}

/** How many changes of an import its plan contains. */
export const KEPT_CHANGES = 200;

/** In characters. */
const BATCH = 64 * 1024;

/** Creates a file of changes; `keep` of them stay in memory. */
export async function openChanges(path: string, keep: number): Promise<ChangesFile> {
  const file = await open(path, 'w', 0o600);
  const hash = createHash('sha256');
  const first: RowChange[] = [];
  let batch = '';
  const flush = async (): Promise<void> => {
    const text = batch;
    batch = '';
    await file.writeFile(text);
  };
  return {
    first,
    add(change) {
      if (first.length < keep) first.push(change);
      const { row: _, ...content } = change;
      hash.update(`${JSON.stringify(content)}\n`);
      batch += `${JSON.stringify(change)}\n`;
      return batch.length >= BATCH ? flush() : undefined;
    },
    digest: () => hash.copy().digest('hex'),
    async finish() {
      await flush();
      await file.close();
      return path;
    },
    abandon: () => file.close(),
  };
}
