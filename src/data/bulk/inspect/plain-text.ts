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
  if (delimiter === undefined || only === undefined) return undefined;
  const areMost = (form: RegExp): boolean =>
    only.samples.filter((sample) => form.test(sample)).length * 2 > only.samples.length;
  if (areMost(/^\d+\s*[x×]\s+\p{L}*\d*\p{L}/u))
    return `Texts such as ${JSON.stringify(only.samples[0])} have a quantity in front of a name, and no column divides them: nothing is proposed. Write both into columns of their own, with a header such as "Quantity,Name".`;
  if (others.some(({ filled }) => filled * 2 > only.filled)) return undefined;
  if (areMost(/\S {2,}\S/))
    return 'The columns of the text are aligned by spaces, and no delimiter divides them: nothing is proposed. Export it as CSV or as a workbook, or divide its columns in a spreadsheet first.';
  return others.length === 0 && roleNamed(only.header) === undefined && /\S \S/.test(only.header)
    ? 'The text has no columns: nothing is proposed. Write it as a table with a header, such as "Name,Quantity", or inspect a part of it with `--range`.'
    : undefined;
}
