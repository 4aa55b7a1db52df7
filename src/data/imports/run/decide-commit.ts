import type { CommitRule } from '#core/jobs/import.js';
import type { FindingSummary } from '#core/model/findings.js';

/** The verdict of a commit rule on rows. `limit`: how many may fail; absent if that does not matter. */
export type Decision =
  | { readonly decision: 'commit'; readonly limit?: number }
  | { readonly decision: 'reject'; readonly limit: number; readonly reason: string }
  | { readonly decision: 'leave' };

/** Decides on a validated run. A percentage is of the rows sent, rounded down. */
export function decide(rule: CommitRule, errors: number, rows: number): Decision {
  if (rule === 'never') return { decision: 'leave' };
  if (rule === 'always') return { decision: 'commit' };
  const limit = limitOf(rule, rows);
  if (errors <= limit) return { decision: 'commit', limit };
  const allowed = rule === 'clean' ? '`commit: clean` allows none' : `\`maxErrors: ${rule.maxErrors}\` allows ${limit}`;
  return { decision: 'reject', limit, reason: `${errors} of ${rows} rows failed, but ${allowed}.` };
}

function limitOf(rule: Exclude<CommitRule, 'never' | 'always'>, rows: number): number {
  if (rule === 'clean') return 0;
  const { maxErrors } = rule;
  return typeof maxErrors === 'number' ? maxErrors : Math.floor((rows * Number.parseFloat(maxErrors)) / 100);
}

/** Errors of columns, and of rows that the service accepts but loses part of: no rule on failed rows accepts them. */
const NEVER_ACCEPTED = [
  'column-repeated',
  'column-missing',
  'constant-collides',
  'key-overwritten',
  'key-unmapped',
  'no-rows',
  'original-unreadable',
  'parent-scattered',
  'rows-unexpected',
];

/**
 * Whether to send requests despite these findings: under `clean` an error stops the import before the first; under the
 * other rules it continues, unless no rule can accept the error.
 */
export function mayStart(findings: FindingSummary, rule: CommitRule, failOn: 'error' | 'warning' = 'error'): boolean {
  const { errors, warnings, errorCodes } = findings;
  if (failOn === 'warning' && errors + warnings > 0) return false;
  if (errors === 0) return true;
  return rule !== 'clean' && !NEVER_ACCEPTED.some((code) => errorCodes.has(code));
}
