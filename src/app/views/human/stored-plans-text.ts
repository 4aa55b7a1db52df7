import type { OpenPlans } from '../../operations/list-plans.js';
import type { RecordedReview } from '../../operations/plan-to-review.js';
import type { RemovedPlan } from '../../operations/remove-plan.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { countPhrases } from './plan-text.js';
import { forgesText } from './review-text.js';
import { tableText } from './table.js';
import { columnTime } from './time-text.js';

type Entry = OpenPlans['plans'][number];
type Usable = Extract<Entry, { digest: string }>;

/** The saved plans of an environment, with the problems of those that cannot be used. */
export function openPlansText({ environment, plans }: OpenPlans, palette: Palette, width: number | undefined): string {
  if (plans.length === 0) return `Environment ${environment} has no saved plans in the ledger.\n`;
  const usable = plans.filter((one): one is Usable => 'digest' in one);
  const rows = usable.map((plan) => [
    plan.name,
    columnTime(plan.at),
    plan.by,
    countPhrases(plan).join(', '),
    reviewsText(plan),
    plan.reason ?? '',
  ]);
  const table = tableText(['NAME', 'SAVED (UTC)', 'BY', 'CHANGES', 'REVIEWS', 'REASON'], rows, width);
  const problems = plans.flatMap((one) =>
    'problem' in one ? [`${palette.red('✗')} ${palette.bold(one.name)}  ${one.problem}\n`] : [],
  );
  return `${rows.length === 0 ? '' : table}${problems.join('')}`;
}

function reviewsText({ approvedBy, rejectedBy, missing }: Usable): string {
  const parts = [
    ...(rejectedBy.length === 0 ? [] : [`rejected by ${rejectedBy.join(', ')}`]),
    ...(approvedBy.length === 0 ? [] : [`approved by ${approvedBy.join(', ')}`]),
    ...(missing === undefined ? [] : [`has ${missing}`]),
  ];
  return parts.length === 0 ? 'none' : parts.join('; ');
}

/** A recorded verdict. */
export function planReviewText(
  { name, verdict, by, steps, digest, signed, missing, forges }: RecordedReview,
  palette: Palette,
): string {
  const line = `${verdict === 'approved' ? 'Approved' : 'Rejected'} by ${by}: ledger:${name} (${countText(steps, 'step')}, digest ${digest.slice(0, 19)}).`;
  const key = signed?.key === undefined ? '' : `Signed with the key ${signed.key}.\n`;
  const left = signed === undefined || verdict === 'rejected' ? '' : leftText(missing, forgesText(forges));
  return `${verdict === 'approved' ? palette.green(line) : palette.yellow(line)}\n${key}${left}`;
}

const leftText = (missing: string | undefined, others: string): string =>
  missing === undefined
    ? `The plan has the approvals that it needs.${others}\n`
    : `The plan has ${missing}.${others}\n`;

/** A plan that was removed. */
export const removedPlanText = ({ name }: RemovedPlan): string =>
  `Removed ledger:${name} and its reviews from the ledger.\n`;
