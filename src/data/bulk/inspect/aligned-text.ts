import type { Column } from './column.js';

/** Says why nothing is proposed for a text whose columns are aligned by spaces; undefined for other lists. */
export function alignedText({
  columns,
  delimiter,
}: {
  readonly columns: readonly Column[];
  readonly delimiter?: string;
}): string | undefined {
  const [only, ...others] = columns.filter(({ filled }) => filled > 0);
  if (delimiter === undefined || only === undefined || others.some(({ filled }) => filled * 2 > only.filled))
    return undefined;
  const aligned = only.samples.filter((sample) => /\S {2,}\S/.test(sample));
  return aligned.length * 2 <= only.samples.length
    ? undefined
    : 'The columns of the text are aligned by spaces, and no delimiter divides them: nothing is proposed. Export it as CSV or as a workbook, or divide its columns in a spreadsheet first.';
}
