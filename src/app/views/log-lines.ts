import type { Event } from '#core/stream/event.js';
import type { PageEvent } from '#core/stream/page-event.js';
import type { RoundEnd } from '#core/stream/watch-event.js';
import type { Output, View } from './view.js';

/** Writes one event on each line, with time and level, for log collectors. */
export const logLines = (out: Output, clock: () => Date): View => ({
  event: (event) => out.write(`${JSON.stringify({ time: clock().toISOString(), level: levelOf(event), ...event })}\n`),
  close: async () => undefined,
});

function levelOf(event: Event): 'info' | 'warn' | 'error' {
  if (event.type === 'diagnostic') return event.diagnostic.severity === 'error' ? 'error' : 'warn';
  if (event.type === 'step') return event.status.is === 'failed' || event.status.is === 'unknown' ? 'error' : 'info';
  if (event.type === 'page') return isRefused(event.event) ? 'warn' : 'info';
  return event.type === 'watch' && event.event.is === 'round-ended' ? levelOfRound(event.event) : 'info';
}

function levelOfRound({ result, drifted }: RoundEnd): 'info' | 'warn' | 'error' {
  if (result === 'failed' || result === 'partial') return 'error';
  return result === 'held' || result === 'blocked' || drifted.length > 0 ? 'warn' : 'info';
}

const isRefused = (event: PageEvent): boolean =>
  event.is === 'login-refused' || (event.is === 'action' && event.error !== undefined);
