import { timeText } from './time-text.js';

/** The common parts of a saved plan and a review. */
interface Signed {
  readonly at: string;
  readonly by: string;
  readonly reason?: string | undefined;
}

/** `by ann@example.com (ann), 2026-11-22 10:16:08 UTC: release 12` */
export const signedText = ({ by, at, reason }: Signed): string =>
  `by ${by}, ${timeText(at)}${reason === undefined ? '' : `: ${reason}`}`;
