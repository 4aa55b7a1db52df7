import type { Plan } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import { countText } from './count-text.js';

/** Events that are shown while a person waits. */
export type ProgressEvent = Extract<Event, { type: (typeof WATCHED)[number] }>;

const WATCHED = ['read', 'price', 'step', 'import', 'transfer', 'waiting', 'locked'] as const;

/** Whether an event is shown while it lasts, instead of being printed. */
export const isProgress = (event: Event): event is ProgressEvent => WATCHED.some((type) => type === event.type);

/** The reads that follow, at one request each. */
export const priceText = ({ requests, of }: Extract<Event, { type: 'price' }>): string =>
  `reading ${
    of === 'children'
      ? `${countText(requests, 'list')} of members, triggers, addresses and the like`
      : `${countText(requests, 'object')} of which ledger and lists disagree`
  }: ${countText(requests, 'request')}`;

/** The reason for a wait, and how long it takes: in seconds, or in minutes for the quota. */
export const waitingText = ({ seconds, because }: Extract<Event, { type: 'waiting' }>): string =>
  ({
    service: `waiting ${seconds} s, as the service requested`,
    quota: `waiting ${Math.ceil(seconds / 60)} min for the daily quota to reset`,
    password: `waiting up to ${seconds} s for the output of \`passwordCommand\``,
  })[because];

/** The holder that is waited for, and the maximum wait. */
export const lockedText = ({ by, most, silent }: Extract<Event, { type: 'locked' }>): string =>
  `${silent === true ? 'watching' : 'waiting'}${most === null ? '' : ` up to ${most} s`} for ${silent === true ? 'a sign of ' : ''}${by}`;

/** Shows the progress of long work. */
export interface Progress {
  event(event: ProgressEvent): void;
  /** Shows text that belongs to the current lines without breaking them. */
  note(text: string): void;
  /** Shows text that must be seen at once, although lines are redrawn. */
  notice(text: string): void;
  /** Sets the plan that the following steps belong to. */
  showPlan(plan: Plan): void;
  /** Ends the current display, so that text can follow it. */
  rest(): Promise<void>;
}
