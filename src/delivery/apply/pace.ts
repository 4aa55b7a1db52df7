/** How many steps may run at once, and the measurements that decide it. Only {@link afterWrite} changes it. */
export interface Pace {
  readonly width: number;
  readonly widest: number;
  /** The shortest time that a write of each verb took, in milliseconds. */
  readonly fastest: Readonly<Record<string, number>>;
  /** Writes about as fast as the fastest since the width changed; below 0: those that began before it shrank. */
  readonly good: number;
  /** Whether the width grows with each good write, as it does until it was too large once. */
  readonly isNew: boolean;
}

const FIRST = 8;
/** The default limit: a service has other users. */
const WIDEST = 32;

/** The pace at the beginning of an apply, never beyond `widest` steps. */
export const firstPace = (widest = WIDEST): Pace => ({
  width: Math.min(FIRST, widest),
  widest,
  fastest: {},
  good: 0,
  isNew: true,
});

/** A write slower than both limits, in milliseconds and times the fastest, waited for others in the service. */
const SLOW_MS = 250;
const SLOW_TIMES = 3;
/** A write within the larger of these limits shows that the service has room for more. */
const QUICK_TIMES = 1.5;
const QUICK_MS = 5;

/**
 * Returns the pace after a write that took some milliseconds, with the pauses that the service asked for (429): one
 * step more while writes are as fast as the fastest, half as many once they take far longer.
 */
export function afterWrite(pace: Pace, verb: string, took: number): Pace {
  const fastest = Math.min(pace.fastest[verb] ?? took, took);
  const known = { ...pace, fastest: { ...pace.fastest, [verb]: fastest } };
  if (pace.good < 0) return { ...known, good: pace.good + 1 };
  if (took > Math.max(SLOW_MS, fastest * SLOW_TIMES)) {
    const width = Math.max(1, Math.floor(pace.width / 2));
    return { ...known, width, good: -pace.width, isNew: false };
  }
  if (took > Math.max(QUICK_MS, fastest * QUICK_TIMES) || pace.width === pace.widest) return known;
  const good = pace.good + 1;
  if (good < (pace.isNew ? 1 : pace.width)) return { ...known, good };
  return { ...known, width: pace.width + 1, good: 0 };
}
