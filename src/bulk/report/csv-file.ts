import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { csvLine } from '../rows/csv-line.js';

/** A file that is seen whole or not at all, and by its owner alone: rows may be confidential. */
export interface NewFile {
  readonly rows: number;
  add(cells: readonly string[]): Promise<void>;
  /** Puts it into its place. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

const BATCH = 1000;
/** Without it spreadsheets take UTF-8 for another encoding, and spoil what they save. */
const BYTE_ORDER_MARK = '\ufeff';

/** Writes rows as RFC 4180 in UTF-8, cells exactly as they are. */
export async function csvFile(path: string, header: readonly string[]): Promise<NewFile> {
  const temporary = temporaryOf(path);
  const file = await open(temporary, 'wx', 0o600);
  let batch = csvLine(header);
  let waiting = 0;
  let rows = 0;
  let mark = BYTE_ORDER_MARK;
  const flush = async (): Promise<void> => {
    const text = batch;
    batch = '';
    waiting = 0;
    await file.writeFile(mark + text);
    mark = '';
  };
  return {
    get rows() {
      return rows;
    },
    async add(cells) {
      batch += csvLine(cells);
      waiting += 1;
      rows += 1;
      if (waiting >= BATCH) await flush();
    },
    async finish() {
      await flush();
      await file.sync();
      await file.close();
      await rename(temporary, path);
    },
    async abandon() {
      await file.close();
      await rm(temporary, { force: true });
    },
  };
}

/** The same for a text that is at hand. */
export async function newFile(path: string, parts: Iterable<string>): Promise<void> {
  const temporary = temporaryOf(path);
  const file = await open(temporary, 'wx', 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

const temporaryOf = (path: string): string => join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
