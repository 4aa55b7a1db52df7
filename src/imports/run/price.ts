import { SAMPLE_ROWS } from '../../bulk/read-back/verify.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';
import type { CommitRule, ImportSpec } from '../../jobs/import.js';
import type { ImportResource } from '../../model/import-resources.js';
import type { Range } from '../../model/plan.js';
import { mostPolls } from './poll.js';

/** What is read of records beside the runs. */
export interface ReadBack extends Pick<ImportSpec, 'verify' | 'beforeImage'> {
  /** Which records those are: a BOM is a request for each parent. */
  readonly records?: ImportResource['readBack'];
}

/** As many numbers as one search names at the least, where they are no longer than 60 characters (`numberGroups`). */
const SEARCHED_AT_ONCE = 20;

/** The requests of an import: those of its runs, and of what is read back. */
export function priceOfImport(
  parts: readonly Pick<SpoolPart, 'first' | 'last'>[],
  rule: CommitRule,
  readBack: ReadBack = {},
): Range {
  const runs = parts.map(({ first, last }) => priceOfRun(last - first + 1, rule));
  const rows = parts.at(-1)?.last ?? 0;
  return [...runs, ...(rule === 'never' ? [] : priceOfReading(rows, readBack))].reduce((sum, { min, max }) => ({
    min: sum.min + min,
    max: sum.max + max,
  }));
}

/**
 * Rows that are read back cost a request an item, and two a parent of lines, which may all have the same. A before image is read
 * by searches, or by pages where those are fewer, which one more request finds out.
 */
function priceOfReading(rows: number, { verify = 'none', beforeImage = false, records }: ReadBack): Range[] {
  const checked = verify === 'sample' ? Math.min(rows, SAMPLE_ROWS) : rows;
  const parents = records === 'BOM lines' ? rows : 0;
  return [
    ...(beforeImage ? [{ min: 1, max: 1 + Math.ceil(rows / SEARCHED_AT_ONCE) + parents }] : []),
    ...(verify === 'none' ? [] : [{ min: 1, max: 2 * checked }]),
  ];
}

/**
 * The requests of one run: a post, polls, the report where rows fail, and unless the rule is `never` the commit with the
 * same again. The lowest counts one poll and a commit that answers with its result; nothing fails.
 */
function priceOfRun(rows: number, rule: CommitRule): Range {
  const polls = mostPolls(rows);
  const validation = { min: 2, max: 1 + polls + 1 };
  if (rule === 'never') return validation;
  return { min: validation.min + 1, max: validation.max + 1 + polls + 1 };
}
