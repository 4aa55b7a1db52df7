import type { RowExpectation } from '#core/jobs/import.js';

/** Number of rows that is expected, and number that the last import committed. */
export interface ExpectedRows {
  readonly expectation: RowExpectation;
  readonly before?: number;
}

/** Describes what is wrong with a number of rows, as a sentence; undefined if nothing is. */
export function rowCountProblem(rows: number, { expectation, before }: ExpectedRows): string | undefined {
  const { min, max, changeAtMost } = expectation;
  if (min !== undefined && rows < min)
    return `The file has ${rowsText(rows)}, but \`expectRows\` requires at least ${min}.`;
  if (max !== undefined && rows > max)
    return `The file has ${rowsText(rows)}, but \`expectRows\` allows at most ${max}.`;
  if (changeAtMost === undefined || before === undefined || before === 0) return undefined;
  const change = (100 * Math.abs(rows - before)) / before;
  if (change <= Number.parseFloat(changeAtMost)) return undefined;
  return `The file has ${rowsText(rows)} and had ${before} at the last import: a change of ${Math.round(change)}%, but \`expectRows\` allows ${changeAtMost}.`;
}

const rowsText = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;
