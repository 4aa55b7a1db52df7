import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { LEFT_OUT, withoutValues } from './draft.js';

/** A source without the titles of sections, and a sentence about them. */
export interface WithoutTitles {
  readonly source: ImportSource;
  readonly remark?: string;
}

/** In a narrower list a cell alone may be a record. */
const LEAST_COLUMNS = 3;
/** The greatest share of rows that are titles: more of them are records of which little is known. */
const MOST = 1 / 2;

/** Leaves out rows with one cell between rows with several: titles of sections would become records. */
export function excludeTitles(source: ImportSource, columns: readonly Column[], rows: number): WithoutTitles {
  const filled = columns.filter((column) => column.filled > 0 && column.name !== '');
  const [titled, ...others] = filled.filter(({ alone }) => alone.size > 0);
  if (titled === undefined || others.length > 0 || filled.length < LEAST_COLUMNS) return { source };
  const titles = [...titled.alone.keys()];
  const count = [...titled.alone.values()].reduce((sum, times) => sum + times, 0);
  if (count > rows * MOST) return { source };
  const shown = `${count === 1 ? '1 row' : `${count} rows`} with a title alone, such as "${titles[0]}" in "${titled.name}"`;
  // A title may be a record in another row: its value then does not say which row is meant.
  const full = filled.find(
    (column) => column !== titled && column.filled === rows - count && column.placeholders.size === 0,
  );
  const isUnique = titled.distinct === titled.filled;
  if (full === undefined && !isUnique) {
    return {
      source,
      remark: `Open: ${shown}, would become ${count === 1 ? 'a record' : 'records'}. Leave them out by \`where\`.`,
    };
  }
  const left = full === undefined ? withoutValues(source, titled.name, titles) : withoutValues(source, full.name, ['']);
  return { source: left, remark: `${LEFT_OUT}${shown}.` };
}
