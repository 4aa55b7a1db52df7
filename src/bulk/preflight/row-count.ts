import type { RowExpectation } from '../../jobs/import.js';

/** How many rows are expected, and how many were committed the last time. */
export interface ExpectedRows {
  readonly expectation: RowExpectation;
  readonly before?: number;
}

/** What is wrong with a number of rows, as a sentence; undefined where nothing is. */
export function rowCountProblem(rows: number, { expectation, before }: ExpectedRows): string | undefined {
  const { min, max, changeAtMost } = expectation;
  if (min !== undefined && rows < min) return `It has ${rowsText(rows)}, and \`expectRows\` asks for at least ${min}.`;
  if (max !== undefined && rows > max) return `It has ${rowsText(rows)}, and \`expectRows\` allows at most ${max}.`;
  if (changeAtMost === undefined || before === undefined || before === 0) return undefined;
  const change = (100 * Math.abs(rows - before)) / before;
  if (change <= Number.parseFloat(changeAtMost)) return undefined;
  return `It has ${rowsText(rows)} and had ${before} the last time: a change of ${Math.round(change)}%, and \`expectRows\` allows ${changeAtMost}.`;
}

const rowsText = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;
