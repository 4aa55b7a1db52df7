import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { listedParents } from './listed-parents.js';
import type { GivenMeanings } from './meanings.js';
import { type RelatedFacts, relatedLines } from './related-lines.js';
import { unitCosts } from './unit-costs.js';
import { worksheetParents } from './worksheet-parents.js';

/** What the columns of a table mean besides what their headers say, and how its rows are read for that. */
export interface TableMeanings {
  readonly meanings: GivenMeanings;
  readonly source: Pick<ImportSource, 'fillDown'>;
  readonly remarks: readonly string[];
  readonly facts: RelatedFacts;
}

/** A table with all of its columns, and those that its file has. */
interface ReadColumns {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly ofFile: readonly Column[];
  readonly rows: number;
}

/** Adds to what people say of columns what follows from the way that lines and parents are divided in the file. */
export async function tableMeanings(
  { path, source, columns, ofFile, rows }: ReadColumns,
  given: GivenMeanings,
): Promise<TableMeanings> {
  const related = relatedLines(ofFile, given);
  const own = related?.meanings ?? given;
  const added = related?.source ?? {};
  const sheets = await worksheetParents({ path, source: { ...source, ...added }, columns, rows }, own);
  const placed = sheets?.meanings ?? own;
  const lists = await listedParents({ path, source, columns, rows }, placed, given);
  const known = lists?.meanings ?? placed;
  const costs = await unitCosts({ path, source, columns, rows }, known);
  return {
    meanings: costs?.meanings ?? known,
    source: added,
    remarks: [...(related?.remarks ?? []), ...[sheets, lists, costs].flatMap((found) => found?.remark ?? [])],
    facts: related?.facts ?? {},
  };
}
