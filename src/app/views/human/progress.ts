import type { Plan } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import { countText } from './count-text.js';

/** What a person watches while waiting. */
export type ProgressEvent = Extract<Event, { type: (typeof WATCHED)[number] }>;

const WATCHED = ['read', 'price', 'step', 'import', 'transfer', 'waiting', 'locked'] as const;

/** Whether an event is shown while it lasts, instead of being printed. */
export const isProgress = (event: Event): event is ProgressEvent => WATCHED.some((type) => type === event.type);

/** What is going to be read, a request for each. */
export const priceText = ({ requests, of }: Extract<Event, { type: 'price' }>): string =>
  `reading ${
    of === 'children'
      ? `${countText(requests, 'list')} of members, administrators and triggers`
      : `${countText(requests, 'object')} of which ledger and lists disagree`
  }: ${countText(requests, 'request')}`;

/** Why nothing happens just now, and for how long: seconds, or minutes where the quota is waited for. */
export const waitingText = ({ seconds, because }: Extract<Event, { type: 'waiting' }>): string =>
  ({
    service: `waiting ${seconds} s, as the service requested`,
    quota: `waiting ${Math.ceil(seconds / 60)} min for the daily quota to reset`,
    password: `waiting up to ${seconds} s for the output of \`passwordCommand\``,
  })[because];

/** Who is waited for, and for how long at most. */
export const lockedText = ({ by, most, silent }: Extract<Event, { type: 'locked' }>): string =>
  `${silent === undefined ? 'waiting' : 'watching'}${most === null ? '' : ` up to ${most} s`} for ${silent === undefined ? '' : 'a sign of '}${by}`;

/** Shows long work while it goes on. */
export interface Progress {
  event(event: ProgressEvent): void;
  /** Text that belongs to what is shown, and must not break it. */
  note(text: string): void;
  /** Text that has to be read at once, although lines are written over. */
  notice(text: string): void;
  /** The plan that the following steps belong to. */
  showPlan(plan: Plan): void;
  /** Ends what is shown at the moment, so that text can follow it. */
  rest(): Promise<void>;
}
