import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { RowChange } from '#core/model/rows-preview.js';

/** Changes of rows on their way to the disk, so that memory holds the first of them alone. */
export interface ChangesFile {
  /** Where it gives a promise, that is to be awaited. */
  readonly add: (change: RowChange) => Promise<void> | undefined;
  /** As many as are to be kept. */
  readonly first: readonly RowChange[];
  /** sha-256, hexadecimal, over those that were added so far; the rows' places do not count. */
  readonly digest: () => string;
  /** Returns its path: a JSON text in each line. */
  readonly finish: () => Promise<string>;
  readonly abandon: () => Promise<void>;
}

/** How many changes of an import stand in its plan. */
export const KEPT_CHANGES = 200;

/** In characters. */
const BATCH = 64 * 1024;

/** Starts a file of changes; `keep` of them stay at hand. */
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
