import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '#base/files/make-folder.js';
import { NumberList } from './number-list.js';

/** Rows of a source without a data row of their own: each was added to an earlier one. */
export interface RepeatedRows {
  readonly count: number;
  /** The rows of the source that were added to data row `n`, rising; empty for most. */
  rowsOf(n: number): readonly number[];
  /** The data row that a row of the source was added to; undefined if it has its own. */
  dataRowOf(row: number): number | undefined;
  /** Number of these rows at a row of the source or before it. */
  countUpTo(row: number): number;
}

/** In characters. */
const BATCH = 256 * 1024;

/**
 * Puts repeated rows aside on disk until all rows were read, since they are added to earlier rows. Memory takes some 24
 * bytes for each; rows that are not repeated cost nothing.
 */
export class RepeatedRowsFile implements RepeatedRows {
  readonly #file: FileHandle;
  /** Data row of each, its row of the source (rising), and the start of its line in the file. */
  readonly #targets = new NumberList();
  readonly #rows = new NumberList();
  readonly #starts: number[] = [];
  /** Places in these lists in the order of their data rows; created when it is first needed. */
  #order: Uint32Array | undefined;
  #batch = '';
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file and its folder, accessible to the owner alone. */
  static async open(path: string): Promise<RepeatedRowsFile> {
    await makeFolder(dirname(path), 0o700);
    return new RepeatedRowsFile(await open(path, 'w+', 0o600));
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Takes rows in the order of the source. If it returns a promise, await it. */
  add(n: number, row: number, cells: readonly string[]): Promise<void> | undefined {
    const line = `${JSON.stringify(cells)}\n`;
    this.#targets.add(n);
    this.#rows.add(row);
    this.#starts.push(this.#bytes);
    this.#bytes += Buffer.byteLength(line);
    this.#batch += line;
    this.#order = undefined;
    return this.#batch.length >= BATCH ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    const chunk = Buffer.from(this.#batch);
    this.#batch = '';
    await this.#file.writeFile(chunk);
  }

  /** Reads the cells of the rows that were added to data row `n`, in the order of the source; call `flush` first. */
  async cellsOf(n: number): Promise<string[][]> {
    const found: string[][] = [];
    for (const at of this.#placesOf(n)) {
      const start = this.#starts[at] ?? 0;
      const buffer = Buffer.allocUnsafe((this.#starts[at + 1] ?? this.#bytes) - start);
      await this.#file.read(buffer, 0, buffer.length, start);
      found.push(JSON.parse(buffer.toString()));
    }
    return found;
  }

  has(n: number): boolean {
    return this.#placesOf(n).length > 0;
  }

  rowsOf(n: number): readonly number[] {
    const rows = this.#rows.values();
    return this.#placesOf(n).map((at) => rows[at] ?? 0);
  }

  dataRowOf(row: number): number | undefined {
    const rows = this.#rows.values();
    const at = firstFrom(rows.length, (place) => (rows[place] ?? 0) >= row);
    return rows[at] === row ? this.#targets.values()[at] : undefined;
  }

  countUpTo(row: number): number {
    const rows = this.#rows.values();
    return firstFrom(rows.length, (place) => (rows[place] ?? 0) > row);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #placesOf(n: number): number[] {
    const targets = this.#targets.values();
    this.#order ??= Uint32Array.from(targets.keys()).sort((a, b) => (targets[a] ?? 0) - (targets[b] ?? 0) || a - b);
    const order = this.#order;
    const targetAt = (place: number): number => targets[order[place] ?? 0] ?? 0;
    const found: number[] = [];
    for (let at = firstFrom(order.length, (place) => targetAt(place) >= n); at < order.length; at += 1) {
      if (targetAt(at) !== n) break;
      found.push(order[at] ?? 0);
    }
    return found;
  }
}

/** Finds the first place for which `holds` is true, given that it stays true from there; `count` if there is none. */
function firstFrom(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
