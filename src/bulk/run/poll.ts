import type { ImportRun } from '../../service/import-runs.js';

const SHORTEST = 200;
const LONGEST = 30_000;
const GROWTH = 1.6;
/** Rows that a quick service is through in a millisecond: what the first wait reckons with. */
const QUICK = 20;
/** Rows that a slow service is through in a second: what the highest price reckons with. */
const SLOW = 50;

/** Milliseconds to wait before the first poll of a run of so many rows. */
const firstWait = (rows: number): number => clamp(rows / QUICK);

export interface Pace {
  /** How long to wait now, by what the last poll showed. Every poll is a request out of a quota. */
  next(run: ImportRun): number;
}

/**
 * Waits grow by themselves; where the run shows how fast its rows go, no longer than the remaining rows should take. Time
 * is the sum of the waits: no clock is read.
 */
export function pace(rows: number): Pace {
  let wait: number | undefined;
  let waited = 0;
  return {
    next(run) {
      waited += wait ?? 0;
      const processed = processedOf(run);
      const grown = wait === undefined ? firstWait(rows) : wait * GROWTH;
      const remaining = processed > 0 && waited > 0 ? ((rows - processed) * waited) / processed : grown;
      wait = clamp(Math.min(grown, remaining));
      return wait;
    },
  };
}

/** The wait after another one, where nothing tells how far a run is: it grows by itself. */
export const nextWait = (wait: number | undefined): number => (wait === undefined ? SHORTEST : clamp(wait * GROWTH));

export const processedOf = ({ successCount, errorCount = 0 }: ImportRun): number => successCount + errorCount;

/** The most polls that a run of so many rows is reckoned to take: a slow service that shows no progress. */
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
