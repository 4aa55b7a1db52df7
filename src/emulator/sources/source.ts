/** A data row of a file, with its cells as text. */
export interface SourceRow {
  /** Its position in the file: the header is row 1 (wire-facts 0, "Row Number"). */
  readonly number: number;
  readonly cells: readonly string[];
}

/** A file as a header and batches of rows. Blank rows are left out, but keep their place in the numbering. */
export interface Source {
  readonly header: readonly string[];
  readonly batches: AsyncIterable<readonly SourceRow[]>;
}

/** A file that cannot be read at all: its run ends with status ERROR (wire-facts 0, "run states"). */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A code of wire-facts 2.1, which calls its codes the best model for runs. */
const NO_CONTENT = 3522;

/** The code 3523 (wire-facts 2.1): the file exists, but no rows can be read from it. */
export const UNREADABLE = 3523;

const BATCH = 500;

/** Takes the first row as the header and the rest in batches. */
export async function openSource(rows: AsyncIterator<SourceRow>): Promise<Source> {
  const first = await rows.next();
  if (first.done) throw new SourceError(NO_CONTENT, 'The file is empty.');
  if (first.value.number !== 1 || isBlank(first.value.cells)) {
    throw new SourceError(UNREADABLE, 'Row 1 holds no column names.');
  }
  return { header: first.value.cells, batches: batchesOf(rows) };
}

async function* batchesOf(rows: AsyncIterator<SourceRow>): AsyncGenerator<readonly SourceRow[]> {
  let batch: SourceRow[] = [];
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    if (isBlank(next.value.cells)) continue;
    batch.push(next.value);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
