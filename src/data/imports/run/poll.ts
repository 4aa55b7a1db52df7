import type { WaitReason } from '#core/stream/import-event.js';
import type { ImportRun } from '#service/import-runs.js';

const SHORTEST = 200;
const LONGEST = 30_000;
const GROWTH = 1.6;
/** Rows that a fast service processes in a millisecond; determines the first wait. */
const QUICK = 20;
/** Rows that a slow service processes in a second; determines the highest price. */
const SLOW = 50;

/** Milliseconds to wait before the first poll of a run of `rows` rows. */
const firstWait = (rows: number): number => clamp(rows / QUICK);

/** Decides when to poll next. */
export interface Pace {
  /** Decides how long to wait by what the last poll showed. Every poll is a request out of a quota. */
  next(run: ImportRun): Next;
}

/** The wait until the next poll, and the reason for its length. */
export interface Next {
  /** Milliseconds. */
  readonly wait: number;
  /** Rows per second. */
  readonly speed?: number;
  readonly because: WaitReason;
}

/** With fewer requests left than this, waits become longer in proportion. */
const PLENTY = 2000;

/**
 * Paces the polls of a run: waits grow, but not beyond what the remaining rows should take if the run shows its speed,
 * and are never shorter than the rest of the quota allows. Time is the sum of the waits: no clock is read.
 */
export function pace(rows: number, remaining: () => number | undefined = () => undefined): Pace {
  let wait: number | undefined;
  let waited = 0;
  return {
    next(run) {
      waited += wait ?? 0;
      const processed = countProcessed(run);
      const grown = wait === undefined ? firstWait(rows) : wait * GROWTH;
      const left = processed > 0 && waited > 0 ? ((rows - processed) * waited) / processed : grown;
      const byRows = clamp(Math.min(grown, left));
      const byQuota = clamp((SHORTEST * PLENTY) / Math.max(1, remaining() ?? PLENTY));
      wait = Math.max(byRows, byQuota);
      const speed = processed > 0 && waited > 0 ? { speed: (1000 * processed) / waited } : {};
      return { wait, ...speed, because: byQuota > byRows ? 'quota' : 'rows' };
    },
  };
}

/** The next wait if nothing shows how far a run is: each is longer than the one before. */
export const nextWait = (wait: number | undefined): number => (wait === undefined ? SHORTEST : clamp(wait * GROWTH));

/** Rows that the service has processed. */
export const countProcessed = ({ successCount, errorCount = 0 }: ImportRun): number => successCount + errorCount;

/** The most polls that a run of `rows` rows is expected to take: a slow service that shows no progress. */
export function mostPolls(rows: number): number {
  let [polls, wait, waited] = [1, firstWait(rows), firstWait(rows)];
  while (waited < (rows / SLOW) * 1000) {
    wait = clamp(wait * GROWTH);
    waited += wait;
    polls += 1;
  }
  return polls;
}

const clamp = (milliseconds: number): number => Math.round(Math.min(LONGEST, Math.max(SHORTEST, milliseconds)));
