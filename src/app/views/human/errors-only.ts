import type { Event } from '#core/stream/event.js';
import type { WatchEvent } from '#core/stream/watch-event.js';

/** Reduces an event to what `--quiet` shows: the event itself, its errors, or nothing. */
export function errorsOnly(event: Event): readonly Event[] {
  switch (event.type) {
    case 'diagnostic':
      return event.diagnostic.severity === 'error' ? [event] : [];
    case 'step':
      return event.status.is === 'failed' || event.status.is === 'unknown' ? [event] : [];
    case 'rows':
      return event.outcome.errors.count > 0 ? [event] : [];
    case 'findings':
      return event.findings.errors > 0 ? [{ ...event, findings: errorsAmong(event.findings) }] : [];
    case 'plan':
      return event.plan.summary.blocked > 0 ? [event] : [];
    case 'watch':
      return isTrouble(event.event) ? [event] : [];
    case 'page':
      return [event];
    default:
      return [];
  }
}

/** Includes the beginning of a round, by which the view of a watch recognizes repetitions. */
const isTrouble = (event: WatchEvent): boolean =>
  event.is === 'round' || (event.is === 'round-ended' && event.result !== 'unchanged' && event.result !== 'applied');

type Findings = Extract<Event, { type: 'findings' }>['findings'];

const errorsAmong = (findings: Findings): Findings => ({
  ...findings,
  kept: findings.kept.filter(({ severity }) => severity === 'error'),
  warnings: 0,
});
