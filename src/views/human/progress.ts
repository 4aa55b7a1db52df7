import type { Event } from '../../apply/events.js';
import type { Plan } from '../../model/plan.js';

/** What a person watches while waiting. */
export type ProgressEvent = Extract<Event, { type: 'read' | 'step' | 'import' | 'transfer' }>;

export const isProgress = (event: Event): event is ProgressEvent =>
  event.type === 'read' || event.type === 'step' || event.type === 'import' || event.type === 'transfer';

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
