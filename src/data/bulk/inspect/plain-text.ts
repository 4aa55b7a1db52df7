import type { Column } from './column.js';
import { roleNamed } from './column-names.js';

/** Says why nothing is proposed for a text without columns, or with columns that spaces align; undefined for other lists. */
export function plainText({
  columns,
  delimiter,
}: {
  readonly columns: readonly Column[];
  readonly delimiter?: string;
}): string | undefined {
  const [only, ...others] = columns.filter(({ filled }) => filled > 0);
  if (delimiter === undefined || only === undefined || others.some(({ filled }) => filled * 2 > only.filled))
    return undefined;
  const areMost = (form: RegExp): boolean =>
    only.samples.filter((sample) => form.test(sample)).length * 2 > only.samples.length;
  if (areMost(/\S {2,}\S/))
    return 'The columns of the text are aligned by spaces, and no delimiter divides them: nothing is proposed. Export it as CSV or as a workbook, or divide its columns in a spreadsheet first.';
  return others.length === 0 && roleNamed(only.header) === undefined && /\S \S/.test(only.header)
    ? 'The text has no columns: nothing is proposed. Write it as a table with a header, such as "Name,Quantity", or inspect a part of it with `--range`.'
    : undefined;
}
