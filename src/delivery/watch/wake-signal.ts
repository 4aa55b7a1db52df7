/** The longest delay of a timer in Node, in milliseconds: a longer one ends at once. */
const LONGEST = 2 ** 31 - 1;

/** A wait that a change can end early. */
export interface WakeSignal {
  /** Ends the current wait, or the next one if nobody waits. */
  ring(): void;
  /** Waits at most `most` milliseconds. */
  wait(most: number): Promise<'rung' | 'time' | 'stopped'>;
}

/** Creates a bell; once the signal aborts, every wait ends with `stopped`. */
export function createWakeSignal(signal: AbortSignal): WakeSignal {
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
