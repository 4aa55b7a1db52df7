import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { LEFT_OUT, withoutValues } from './draft.js';
import type { WithoutTitles } from './exclude-titles.js';

const headedColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(({ headed, name }) => headed > 0 && name !== '');

/** Whether rows repeat the header: several columns agree on their number. */
export function repeatsHeader(columns: readonly Column[]): boolean {
  const [first, ...others] = headedColumns(columns);
  return others.some(({ headed }) => headed === first?.headed);
}

/** Leaves out rows that repeat the header, as lists in several blocks have them. */
export function excludeHeaders(source: ImportSource, columns: readonly Column[]): WithoutTitles {
  const [first] = headedColumns(columns);
  if (first === undefined || !repeatsHeader(columns)) return { source };
  const count = first.headed === 1 ? '1 row that repeats' : `${first.headed} rows that repeat`;
  return {
    source: withoutValues(source, first.name, [first.header.trim()]),
    remark: `${LEFT_OUT}${count} the header. If each block below one is an assembly of its own, inspect each with \`--range\` and \`--assembly\`.`,
  };
}
