import type { Event } from '../../stream/event.js';

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
    default:
      return [];
  }
}

type Findings = Extract<Event, { type: 'findings' }>['findings'];

const errorsAmong = (findings: Findings): Findings => ({
  ...findings,
  kept: findings.kept.filter(({ severity }) => severity === 'error'),
  warnings: 0,
});
