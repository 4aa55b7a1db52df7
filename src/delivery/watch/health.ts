import type { Event } from '#core/stream/event.js';
import type { RoundEnd } from '#core/stream/watch-event.js';

/** Answers the probes of a supervisor. */
export interface Health {
  event(event: Event): void;
  /** Whether rounds begin and end; if not, the process should be replaced. */
  alive(): HealthAnswer;
  /** Whether the last round could compare the workspace with the manifests. */
  ready(): HealthAnswer;
}

/** An answer as JSON; `ok: false` is sent as an HTTP error. */
export interface HealthAnswer {
  readonly ok: boolean;
  readonly reason: string;
  readonly round?: Omit<RoundEnd, 'drifted' | 'held'>;
}

/** Milliseconds. Reading, validating and committing large files takes long, as does a wait for the quota. */
const LONGEST_ROUND = 26 * 60 * 60 * 1000;
const LATE = 5 * 60 * 1000;

/** Tracks the health of one watch; `now` in milliseconds since 1970. */
export function openHealth(now: () => number): Health {
  let begun: number | undefined = now();
  let last: RoundEnd | undefined;
  const answer = (ok: boolean, reason: string): HealthAnswer => {
    if (last === undefined) return { ok, reason };
    const { drifted: _, held: __, ...round } = last;
    return { ok, reason, round };
  };
  return {
    event(event) {
      if (event.type !== 'watch') return;
      if (event.event.is === 'round') begun = now();
      if (event.event.is !== 'round-ended') return;
      begun = undefined;
      last = event.event;
    },
    alive() {
      if (begun !== undefined) {
        return now() - begun > LONGEST_ROUND
          ? answer(false, 'The current round does not end.')
          : answer(true, 'A round is in progress.');
      }
      const due = Date.parse(last?.next ?? '');
      return now() > due + LATE
        ? answer(false, 'The next round is overdue.')
        : answer(true, 'Waiting for the next round.');
    },
    ready() {
      if (last === undefined) return answer(false, 'No round has ended yet.');
      return last.result === 'failed'
        ? answer(false, 'The last round failed.')
        : answer(true, 'The last round compared the workspace with the manifests.');
    },
  };
}
