import type { Event } from '../../apply/events.js';
import type { Plan } from '../../model/plan.js';

/** What a person watches while waiting. */
export type ProgressEvent = Extract<Event, { type: (typeof WATCHED)[number] }>;

const WATCHED = ['read', 'step', 'import', 'transfer', 'waiting'] as const;

export const isProgress = (event: Event): event is ProgressEvent => WATCHED.some((type) => type === event.type);

export const waitingText = ({ seconds }: Extract<Event, { type: 'waiting' }>): string =>
  `waiting ${seconds} s: the service asked to`;

/** Shows long work while it goes on. */
export interface Progress {
  event(event: ProgressEvent): void;
  /** Text that belongs to what is shown, and must not break it. */
  note(text: string): void;
  /** The plan that the following steps belong to. */
  planned(plan: Plan): void;
  /** Ends what is shown at the moment, so that text can follow it. */
  rest(): Promise<void>;
}
