import { SAMPLE_ROWS } from '../../bulk/read-back/verify.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';
import type { CommitRule, ImportSpec } from '../../jobs/import.js';
import type { Range } from '../../model/plan.js';
import { mostPolls } from './poll.js';

/** What is read of records beside the runs. */
export type ReadBack = Pick<ImportSpec, 'verify' | 'beforeImage'>;

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

/** An item is one request; a BOM is two for each parent, and its rows may all have the same. */
function priceOfReading(rows: number, { verify = 'none', beforeImage = false }: ReadBack): Range[] {
  const checked = verify === 'sample' ? Math.min(rows, SAMPLE_ROWS) : rows;
  return [
    ...(beforeImage ? [{ min: 1, max: 2 * rows }] : []),
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
