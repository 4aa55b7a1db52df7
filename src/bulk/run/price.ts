import type { CommitRule } from '../../jobs/import.js';
import type { Range } from '../../model/plan.js';
import { mostPolls } from './poll.js';

/**
 * The requests of one import: a post, polls, the report where rows fail, and unless the rule is `never` the commit with
 * the same again. The lowest counts one poll and a commit that answers with its result; nothing fails.
 */
export function priceOfImport(rows: number, rule: CommitRule): Range {
  const polls = mostPolls(rows);
  const validation = { min: 2, max: 1 + polls + 1 };
  if (rule === 'never') return validation;
  return { min: validation.min + 1, max: validation.max + 1 + polls + 1 };
}
