import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/make-folder.js';
import type { Column } from '../preflight/columns.js';
import { csvLine } from './csv-line.js';
import { rowNumbers } from './row-numbers.js';

/** Data rows `first` to `last`, counted from 1, and the bytes of the spool from `start` up to `end` that hold them. */
export interface Part {
  readonly first: number;
  readonly last: number;
  readonly start: number;
  readonly end: number;
}

/** Normalised rows on disk: RFC 4180, UTF-8, CRLF, one header row. */
export interface Spool {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Bytes of the header row, which every part is sent with. */
  readonly headerBytes: number;
  /** What is sent in one run each; at least one. */
  readonly parts: readonly Part[];
  /**
   * sha-256, hexadecimal, over the target fields and the rows as they are spooled, without the headers: the same table
   * gives the same digest, whatever file it stood in and whatever its columns are called there.
   */
  readonly rowsDigest: string;
  /** The row of the source that data row `n` (from 1) came from; undefined where there is no such row. */
  sourceRowOf(n: number): number | undefined;
}

export interface SpoolWriter {
  /** Writes in batches: where it gives a promise, that is to be awaited. */
  add(sourceRow: number, cells: readonly string[]): Promise<void> | undefined;
  /** The next row begins another part. */
  cut(): Promise<void>;
  finish(): Promise<Spool>;
  /** Closes the file without finishing it. */
  abandon(): Promise<void>;
}

/** In characters. */
const BATCH = 256 * 1024;

/** Starts a spool at `path`, whose folder it creates; memory holds one batch, and eight bytes for each row that does not follow on the one before it. */
export async function spoolTo(path: string, columns: readonly Column[]): Promise<SpoolWriter> {
  await makeFolder(dirname(path), 0o700);
  const file = await open(path, 'w', 0o600);
  const digest = createHash('sha256').update(`${JSON.stringify(columns.map(({ fields }) => fields))}\n`);
  const numbers = rowNumbers();
  const header = Buffer.from(csvLine(columns.map((column) => column.header)));
  await file.writeFile(header);
  let bytes = header.length;
  let batch = '';
  const parts: Part[] = [];

  const flush = async (): Promise<void> => {
    const chunk = Buffer.from(batch);
    batch = '';
    digest.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  };
  const endPart = (): void => {
    const { last: before = 0, end: start = header.length } = parts.at(-1) ?? {};
    parts.push({ first: before + 1, last: numbers.count(), start, end: bytes });
  };
  return {
    add(sourceRow, cells) {
      numbers.add(sourceRow);
      batch += csvLine(cells);
      return batch.length >= BATCH ? flush() : undefined;
    },
    async cut() {
      if (batch.length > 0) await flush();
      endPart();
    },
    async finish() {
      if (batch.length > 0) await flush();
      endPart();
      await file.sync();
      await file.close();
      const [rows, headerBytes, rowsDigest] = [numbers.count(), header.length, digest.digest('hex')];
      return { path, rows, bytes, headerBytes, parts, rowsDigest, sourceRowOf: numbers.at };
    },
    abandon: () => file.close(),
  };
}

/** The cells of one row in the order of the columns. */
export function normalise(columns: readonly Column[], cells: readonly string[]): string[] {
  return columns.map(({ from }) => (from.type === 'constant' ? from.value : (cells[from.index] ?? '')));
}
