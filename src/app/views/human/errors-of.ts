import type { Event } from '#core/stream/event.js';
import type { WatchEvent } from '#core/stream/watch-event.js';

/** What `--quiet` leaves of an event: the event itself, its part that is an error, or nothing. */
export function errorsOf(event: Event): readonly Event[] {
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
    default:
      return [];
  }
}

/** Rounds begin all the same: a watch tells by them what it says again. */
const isTrouble = (event: WatchEvent): boolean =>
  event.is === 'round' || (event.is === 'round-ended' && event.result !== 'unchanged' && event.result !== 'applied');

type Findings = Extract<Event, { type: 'findings' }>['findings'];

const errorsAmong = (findings: Findings): Findings => ({
  ...findings,
  kept: findings.kept.filter(({ severity }) => severity === 'error'),
  warnings: 0,
});
