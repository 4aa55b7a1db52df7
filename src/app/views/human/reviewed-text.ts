import type { Event } from '#core/stream/event.js';
import { timeText } from './time-text.js';

/** Says that another reviewed plan is applied first, or that the named plan was applied before. */
export function reviewedText(event: Extract<Event, { type: 'reviewed' }>): string {
  if (event.is === 'applied first')
    return `${event.plan} is applied first: it was reviewed too, and the manifests ask for its changes.`;
  const by = event.by === undefined ? '' : ` by ${event.by}`;
  const at = event.at === undefined ? '' : ` on ${timeText(event.at)}`;
  return `${event.plan} was already applied${at}${by}. Nothing was sent.`;
}
