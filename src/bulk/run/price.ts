import type { CommitRule } from '../../jobs/import.js';
import type { Range } from '../../model/plan.js';
import type { Part } from '../rows/normalise.js';
import { mostPolls } from './poll.js';

/** The requests of an import: those of its runs. */
export const priceOfImport = (parts: readonly Pick<Part, 'first' | 'last'>[], rule: CommitRule): Range =>
  parts
    .map(({ first, last }) => priceOfRun(last - first + 1, rule))
    .reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }));

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
