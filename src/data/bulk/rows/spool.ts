import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '#base/files/make-folder.js';
import type { Column } from '../preflight/columns.js';
import { csvLine, mostCsvBytes, writeCsvLine } from './csv-line.js';
import { RowNumbers } from './row-numbers.js';

/** Data rows `first` to `last`, counted from 1, and their bytes in the spool, from `start` up to `end`. */
export interface SpoolPart {
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
  /** Bytes of the header row, which is sent with every part. */
  readonly headerBytes: number;
  /** Parts to send in one run each; at least one. */
  readonly parts: readonly SpoolPart[];
  /**
   * sha-256, hexadecimal, over the target fields and the spooled rows, without the headers: the same table gives the
   * same digest, from any file and with any names of columns.
   */
  readonly rowsDigest: string;
  /** Row of the source that data row `n` (from 1) came from; undefined if there is no such row. */
  sourceRowOf(n: number): number | undefined;
}

/** In bytes. */
const BATCH = 256 * 1024;

/** Writes a spool; memory holds one batch, and eight bytes for each row that does not follow the previous one. */
export class SpoolWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #headerBytes: number;
  readonly #digest: Hash;
  readonly #numbers = new RowNumbers();
  readonly #parts: SpoolPart[] = [];
  #bytes: number;
  /** Rows become bytes one by one: as texts, those of a batch would be copied again and again. */
  #batch: Buffer = Buffer.allocUnsafeSlow(BATCH);
  #filled = 0;

  private constructor(path: string, file: FileHandle, headerBytes: number, digest: Hash) {
    this.#path = path;
    this.#file = file;
    this.#headerBytes = headerBytes;
    this.#digest = digest;
    this.#bytes = headerBytes;
  }

  /** Creates a spool at `path` and its folder, accessible to the owner alone. */
  static async open(path: string, columns: readonly Column[]): Promise<SpoolWriter> {
    await makeFolder(dirname(path), 0o700);
    const file = await open(path, 'w', 0o600);
    const header = Buffer.from(csvLine(columns.map((column) => column.header)));
    await file.writeFile(header);
    const digest = createHash('sha256').update(`${JSON.stringify(columns.map(({ fields }) => fields))}\n`);
    return new SpoolWriter(path, file, header.length, digest);
  }

  /** Number of rows so far. */
  get count(): number {
    return this.#numbers.count;
  }

  /** Row of the source that an earlier data row came from. */
  sourceRowOf(n: number): number | undefined {
    return this.#numbers.at(n);
  }

  /** Writes in batches. If it returns a promise, await it. */
  add(sourceRow: number, cells: readonly string[]): Promise<void> | undefined {
    this.#numbers.add(sourceRow);
    const most = mostCsvBytes(cells);
    if (this.#filled + most > this.#batch.length) return this.#addBehindBatch(cells, most);
    this.#filled = writeCsvLine(this.#batch, this.#filled, cells);
    return undefined;
  }

  /** Adds a row that begins another part. */
  async addBehindCut(sourceRow: number, cells: readonly string[]): Promise<void> {
    await this.cut();
    await this.add(sourceRow, cells);
  }

  /** Ends a part; the next row begins another one. */
  async cut(): Promise<void> {
    if (this.#filled > 0) await this.#flush();
    const { last: before = 0, end: start = this.#headerBytes } = this.#parts.at(-1) ?? {};
    this.#parts.push({ first: before + 1, last: this.#numbers.count, start, end: this.#bytes });
  }

  /** Ends the last part; the spool is on the disk afterwards. */
  async finish(): Promise<Spool> {
    await this.cut();
    await this.#file.sync();
    await this.#file.close();
    return {
      path: this.#path,
      rows: this.#numbers.count,
      bytes: this.#bytes,
      headerBytes: this.#headerBytes,
      parts: this.#parts,
      rowsDigest: this.#digest.digest('hex'),
      sourceRowOf: (n) => this.#numbers.at(n),
    };
  }

  /** Closes the file without finishing it. */
  abandon(): Promise<void> {
    return this.#file.close();
  }

  async #addBehindBatch(cells: readonly string[], most: number): Promise<void> {
    await this.#flush();
    if (most > this.#batch.length) this.#batch = Buffer.allocUnsafeSlow(most);
    this.#filled = writeCsvLine(this.#batch, 0, cells);
  }

  async #flush(): Promise<void> {
    const chunk = this.#batch.subarray(0, this.#filled);
    this.#filled = 0;
    this.#digest.update(chunk);
    this.#bytes += chunk.length;
    await this.#file.writeFile(chunk);
  }
}
