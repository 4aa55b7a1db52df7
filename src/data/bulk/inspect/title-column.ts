import type { ImportSource } from '#core/jobs/source.js';
import { isPlaceColumn } from '../source/place-columns.js';
import type { Column } from './column.js';
import { roleNamed } from './column-names.js';
import { columnOption } from './draft.js';
import type { FoundTable } from './find-tables.js';
import { freeName } from './known-table.js';
import { findHeader } from './table-header.js';

/** A text that may be an item number: it has a digit, no space, and a mark between its parts or several digits. */
const NUMBER = /^(?=\S*\d)(?:\S*[-._]\S*|\S*\d{3}\S*)$/;
/** A label with an item number. */
const LABELLED = /^[^:]{2,40}: (?=\S*\d)(?:\S*[-._]\S*|\S*\d{3}\S*)$/;
const PARENTS = 'Assembly';

/**
 * Names a column of titles or worksheets: `Assembly` if all of them may be item numbers, so that they become the
 * parents of the rows below them.
 */
export function addedName(table: FoundTable | undefined, titles: readonly string[], usual: string): string {
  const row = table === undefined ? undefined : findHeader(table.head).row;
  const header = table?.head.find((line) => line.row === row)?.cells ?? [];
  const name = titles.length > 0 && titles.every((title) => NUMBER.test(title.trim())) ? PARENTS : usual;
  const columns = header.map((cell) => ({ header: cell }));
  return freeName(columns, name, 'Block', `${name} title`, `${name} of row`);
}

/** Adds the column of titles to those of a source. */
export const withTitles = (
  source: ImportSource,
  table: FoundTable,
  titles: readonly string[],
): Pick<ImportSource, 'columns'> => {
  const name = addedName(table, titles, 'Section');
  const columns = { ...source.columns, [name]: { is: 'title' as const } };
  if (name === PARENTS || titles.length === 0 || !titles.every((title) => LABELLED.test(title))) return { columns };
  // "Bill of Material: V-9000" names the parent of the rows below it.
  return { columns: { ...columns, [PARENTS]: { split: name, at: ': ', part: 'second' as const } } };
};

/** The columns of a source that say where a row is. */
export const placeNames = ({ columns = {} }: ImportSource, what?: 'title' | 'worksheet'): string[] =>
  Object.entries(columns).flatMap(([name, added]) =>
    isPlaceColumn(added) && (what === undefined || added.is === what) ? [name] : [],
  );

const SHOWN = 3;

/** Sentences about the blocks and worksheets that are read as one list. */
export function placeRemarks(source: ImportSource, columns: readonly Column[]): string[] {
  const of = { title: 'Blocks', worksheet: 'Worksheets' } as const;
  const roles = columns.map(({ header }) => roleNamed(header));
  const mayBeAssemblies = roles.includes('quantity') && !roles.includes('refDes') && !roles.includes('parent');
  return (['title', 'worksheet'] as const).flatMap((what) =>
    columns
      .filter(({ name }) => placeNames(source, what).includes(name))
      .map(({ name, distinct, samples }) => {
        const shown = samples.slice(0, SHOWN).map((sample) => `"${sample}"`);
        const names = `${shown.join(', ')}${distinct > shown.length ? ` and ${distinct - shown.length} more` : ''}`;
        const use = name === PARENTS ? ', which become the parents of their rows' : '';
        const open = mayBeAssemblies
          ? ` If each is an assembly, inspect the file again with \`${columnOption(name, 'parent')}\`.`
          : '';
        return `${of[what]} with one header are one list; "${name}" has their ${what === 'title' ? 'titles' : 'names'} (${names})${use}.${open}`;
      }),
  );
}
