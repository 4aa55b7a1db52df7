/** Longer, a timer of Node ends at once. */
const LONGEST = 2 ** 31 - 1;

/** Waits that a change ends. */
export interface Bell {
  /** Ends the wait, or the next one where nobody waits. */
  ring(): void;
  /** Waits at most this long, in milliseconds. */
  wait(most: number): Promise<'rung' | 'time' | 'stopped'>;
}

/** A bell that falls silent with the signal. */
export function openBell(signal: AbortSignal): Bell {
  let isRung = false;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.());
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(most) {
      if (!isRung && !signal.aborted) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, Math.min(Math.max(0, most), LONGEST));
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
        wake = undefined;
      }
      if (signal.aborted) return 'stopped';
      const rung = isRung;
      isRung = false;
      return rung ? 'rung' : 'time';
    },
  };
}
