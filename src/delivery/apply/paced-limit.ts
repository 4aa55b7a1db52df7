import pLimit, { type LimitFunction } from 'p-limit';
import type { Write } from '#core/model/plan.js';
import { afterWrite, firstPace } from './pace.js';

/** A limit that adapts to the duration of writes. */
export interface PacedLimit {
  readonly run: LimitFunction;
  took(write: Write, milliseconds: number): void;
}

/** Creates a limit of at most `widest` at once. */
export function pacedLimit(widest: number | undefined): PacedLimit {
  let pace = firstPace(widest);
  const run = pLimit(pace.width);
  return {
    run,
    took({ verb }, milliseconds) {
      // An import takes as long as its rows do; a record is not sent.
      if (verb === 'import' || verb === 'record') return;
      pace = afterWrite(pace, verb, milliseconds);
      if (run.concurrency !== pace.width) run.concurrency = pace.width;
    },
  };
}
