import type { RowError } from '#core/stream/row-error.js';
import { readJoinedErrors } from '../errors/joined-file.js';
import { normaliseRow } from '../preflight/columns.js';
import type { PreparedImport } from '../prepare.js';
import { type RowSpan, readSpooledRows } from '../rows/spooled-rows.js';

/** A run of an import, and the outcome of the data rows that it was sent. */
export interface RunPart extends RowSpan {
  /** Its number in the service. */
  readonly number?: number;
  /** `committed`: its valid rows are in the workspace. `validated`: none of them is. `broken`: it did not finish. */
  readonly state: 'committed' | 'validated' | 'broken';
  /** As counted by the service. */
  readonly succeeded: number;
  readonly failed: number;
  /** The file that `joinReport` wrote; absent if no report was read. */
  readonly errors?: string;
}

/** Facts about the rows of a run that no line of its report means. */
export interface RunAccount {
  /** `all`: they are valid. `but blank`: those with a value are, the others were skipped. `no`: it is unknown. */
  readonly rest: 'all' | 'but blank' | 'no';
  /** Reason why it is unknown. */
  readonly because?: string;
  /** Data rows that a doubtful line may mean instead of the row where it was placed. */
  readonly maybe: ReadonlySet<number>;
  /** Lines of the report without a row, and lines whose row is doubtful. */
  readonly unplaced: number;
  readonly doubtful: number;
}

/** Checks whether the counts of a run and the lines of its report account for every row. */
export async function accountForPart(part: RunPart, prepared: PreparedImport): Promise<RunAccount> {
  const { first, last, state, succeeded } = part;
  const { placed, ...lines } = await countLines(part);
  const called = part.number === undefined ? 'The run' : `Run #${part.number}`;
  if (state === 'broken') return { ...lines, rest: 'no', because: `${called} did not finish.` };
  const rows = last - first + 1;
  const good = rows - placed;
  if (lines.unplaced === 0 && succeeded === good) return { ...lines, rest: 'all' };
  if (lines.unplaced === 0 && succeeded === good - (await blankRows(part, prepared))) {
    return { ...lines, rest: 'but blank' };
  }
  const because = `${called} counts ${rowsText(succeeded, 'valid ')}, but its report has no error for ${rowsText(good)}; which of them are valid is not known.`;
  return { ...lines, rest: 'no', because };
}

const rowsText = (count: number, which = ''): string => `${count} ${which}${count === 1 ? 'row' : 'rows'}`;

async function countLines({ errors }: RunPart) {
  const maybe = new Set<number>();
  let [placed, unplaced, doubtful, before] = [0, 0, 0, 0];
  for await (const { dataRow, orDataRow, certainty } of readErrors(errors)) {
    if (certainty === 'doubtful') doubtful += 1;
    if (orDataRow !== undefined) maybe.add(orDataRow);
    if (dataRow === undefined) unplaced += 1;
    else if (dataRow !== before) placed += 1;
    before = dataRow ?? before;
  }
  return { maybe, placed, unplaced, doubtful };
}

/** Yields the failed rows of a run in the order of the source; none if no report was read. */
export async function* readErrors(path: string | undefined): AsyncGenerator<RowError> {
  if (path !== undefined) yield* readJoinedErrors(path);
}

/** The service skips a row without a value in any mapped column. */
const isBlankRow = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** Whether a row of the source, with its cells as in the file, has no value in any mapped column. */
export const isBlankIn = ({ columns }: PreparedImport, cells: readonly string[]): boolean =>
  isBlankRow(normaliseRow(columns, cells));

async function blankRows({ errors, ...covered }: RunPart, { path }: PreparedImport): Promise<number> {
  const blank = new Set<number>();
  for await (const { n, cells } of readSpooledRows(path, covered)) if (isBlankRow(cells)) blank.add(n);
  for await (const { dataRow } of readErrors(errors)) if (dataRow !== undefined) blank.delete(dataRow);
  return blank.size;
}
