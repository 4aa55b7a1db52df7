import type { CommitRule, ImportSpec } from '#core/jobs/import.js';
import type { RecordType } from '#core/model/import-resources.js';
import type { Range } from '#core/model/plan.js';
import { SAMPLE_ROWS } from '../../bulk/read-back/verify.js';
import type { SpoolPart } from '../../bulk/rows/spool.js';
import { mostPolls } from './poll.js';

/** The records that are read besides the runs. */
export interface ReadBack extends Pick<ImportSpec, 'verify' | 'beforeImage'> {
  readonly records?: RecordType;
  /** Whether records are removed, of which a before image has all values, and of items all that goes with them. */
  readonly isRemoving?: boolean;
}

/** The fewest numbers that one search names, if they have at most 60 characters (`numberGroups`). */
const SEARCHED_AT_ONCE = 20;

/** Estimates the requests of an import: those of its runs, and those of reading records back. */
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

/** Records are read by searches, or by pages if those are fewer, which one more request finds out. */
function priceOfReading(rows: number, readBack: ReadBack): Range[] {
  const { verify = 'none', beforeImage = false, records = 'items', isRemoving = false } = readBack;
  const checked = verify === 'sample' ? Math.min(rows, SAMPLE_ROWS) : rows;
  const sources = records === 'sourcing' ? 2 * rows : 0;
  return [
    ...(beforeImage ? [{ min: 1, max: mostReads(rows, records) + sources }] : []),
    ...(beforeImage && isRemoving ? priceOfRemoval(rows, records) : []),
    ...(verify === 'none' ? [] : [{ min: 1, max: mostReads(checked, records) }]),
  ];
}

/**
 * What a before image of a removal reads besides the records: lists of attributes and categories, and of items what
 * goes with them, which are searched for once. ESTIMATED: as many other parents as used items.
 */
function priceOfRemoval(rows: number, records: RecordType): Range[] {
  const lists: Partial<Record<RecordType, number>> = { items: 3, files: 2, 'BOM lines': 1 };
  const read = lists[records] ?? 0;
  if (records !== 'items') return [{ min: read, max: read }];
  const bomsAndUses = mostReads(rows, 'BOM lines') + 2 * rows;
  const filesAndSources = rows + 3 * rows;
  return [{ min: read + 1, max: read + bomsAndUses + filesAndSources }];
}

/** Searches find several items at once, or one file; parts of items take a request each, as all may be different. */
function mostReads(rows: number, records: RecordType): number {
  const items = 1 + Math.ceil(rows / SEARCHED_AT_ONCE);
  switch (records) {
    case 'items':
      return items;
    case 'BOM lines':
    case 'files of items':
      return items + rows;
    case 'sourcing':
      // A supplier item and its supplier, if the answer shows them only in part.
      return items + 3 * rows;
    case 'files':
      return 1 + 2 * rows;
    default:
      return records satisfies never;
  }
}

/**
 * Estimates the requests of one run: a post, polls, the report if rows fail, and, unless the rule is `never`, the
 * commit with the same again. The minimum has one poll of each and no failures.
 */
function priceOfRun(rows: number, rule: CommitRule): Range {
  const polls = mostPolls(rows);
  const validation = { min: 2, max: 1 + polls + 1 };
  if (rule === 'never') return validation;
  return { min: validation.min + 2, max: validation.max + 1 + polls + 1 };
}
