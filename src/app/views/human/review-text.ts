import { omitUndefined } from '#base/omit-undefined.js';
import type { JudgedVerdict } from '#core/reviews/judge-reviews.js';
import { timeText } from './time-text.js';

/** The common parts of a saved plan and a review. */
interface Signed {
  readonly at: string;
  readonly by: string;
  readonly reason?: string | undefined;
  readonly key?: string;
  readonly damage?: string;
}

/** `by ann@example.com with the key SHA256:…, 2026-11-22 10:16:08 UTC: release 12` */
export function signedText({ by, at, reason, key, damage }: Signed): string {
  const how =
    damage === undefined ? (key === undefined ? '' : ` with the key ${key}`) : `, which is worth nothing: ${damage}`;
  return `by ${by}${how}, ${timeText(at)}${reason === undefined ? '' : `: ${reason.replaceAll(/\s+/g, ' ')}`}`;
}

/** What an apply asks beside signatures: `Its apply also asks GitHub for approvals.` */
export const forgesText = (forges: readonly string[] = []): string =>
  forges.length === 0 ? '' : ` Its apply also asks ${forges.join(' and ')} for approvals.`;

/** `approved by ann@example.com with the key SHA256:…, 2026-11-22 10:16:08 UTC: fine` */
export function verdictText({ verdict, signer, at, key, reason, through, problem }: JudgedVerdict): string {
  if (signer === undefined || at === undefined) return `a verdict that does not count: ${problem}`;
  const clicked = through === undefined ? '' : ', on the page';
  const text = `${verdict} ${signedText({ by: signer, at, ...omitUndefined({ key, reason }) })}${clicked}`;
  return problem === undefined ? text : `${text} (does not count: ${problem})`;
}
