import type { FindingSummary } from '../../bulk/preflight/findings.js';
import type { CommitRule } from '../../jobs/import.js';

/** What a commit rule says of rows of which some fail. `limit`: how many may fail; absent where it does not matter. */
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
  return { decision: 'reject', limit, reason: `${errors} of ${rows} rows failed, and ${allowed}.` };
}

function limitOf(rule: Exclude<CommitRule, 'never' | 'always'>, rows: number): number {
  if (rule === 'clean') return 0;
  const { maxErrors } = rule;
  return typeof maxErrors === 'number' ? maxErrors : Math.floor((rows * Number.parseFloat(maxErrors)) / 100);
}

/** Errors of columns, not of rows: no rule about rows can accept them. */
const OF_THE_TABLE = [
  'column-repeated',
  'column-missing',
  'constant-collides',
  'key-unmapped',
  'no-rows',
  'original-unreadable',
  'parent-scattered',
  'rows-unexpected',
];

/**
 * Whether a request is worth sending with these findings: under `clean` an error stops the import before any; under the
 * other rules it goes on, with `reason` saying so.
 */
export function mayStart(
  findings: FindingSummary,
  rule: CommitRule,
  failOn: 'error' | 'warning' = 'error',
): { readonly start: 'yes' | 'no'; readonly reason?: string } {
  const { errors, warnings, byCode } = findings;
  if (failOn === 'warning' && errors + warnings > 0) {
    return {
      start: 'no',
      reason: 'There are findings in the file, and `failOn: warning` lets none pass. Nothing was sent.',
    };
  }
  if (errors === 0) return { start: 'yes' };
  if (OF_THE_TABLE.some((code) => byCode.has(code))) {
    return { start: 'no', reason: 'The columns of the file do not fit the definition. Nothing was sent.' };
  }
  const found = errors === 1 ? '1 error was' : `${errors} errors were`;
  return rule === 'clean'
    ? { start: 'no', reason: `${found} found in the file, and \`commit: clean\` allows none. Nothing was sent.` }
    : {
        start: 'yes',
        reason: `${found} found in the file; the import goes on, since its commit rule is not \`clean\`.`,
      };
}
