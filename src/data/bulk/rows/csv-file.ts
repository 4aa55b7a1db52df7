import { openReplacement } from '#base/files/replace-file.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { csvLine } from './csv-line.js';

/** A file that appears complete or not at all, and is readable by its owner alone: rows may be confidential. */
export interface CsvFileWriter {
  readonly rows: number;
  add(cells: readonly string[]): Promise<void>;
  /** Moves the file to its place. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

const OWN = { newMode: 0o600 } as const;
const BATCH = 1000;
/** Without it spreadsheet programs take UTF-8 for another encoding, and corrupt what they save. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes rows as RFC 4180 in UTF-8, cells exactly as they are. `temporary` is the path until the file is complete, such
 * as one in the spool, which the next command removes if this one is killed; by default, one beside the file.
 */
export async function openCsvFile(path: string, header: readonly string[], temporary?: string): Promise<CsvFileWriter> {
  const file = await openReplacement(path, { ...OWN, ...omitUndefined({ temporary }) });
  let batch = csvLine(header);
  let waiting = 0;
  let rows = 0;
  let mark = BYTE_ORDER_MARK;
  const flush = async (): Promise<void> => {
    const text = batch;
    batch = '';
    waiting = 0;
    await file.write(mark + text);
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
      await file.finish();
    },
    abandon: () => file.abandon(),
  };
}
