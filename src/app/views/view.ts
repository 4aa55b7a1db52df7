import type { Event } from '#core/stream/event.js';

/** Shows events. Views know only types and decide nothing. */
export interface View {
  event(event: Event): void;
  /** Shows an urgent text that is not an event, such as the effect of Ctrl-C. Views for programs lack this. */
  notice?(text: string): void;
  /** Returns once everything that was passed is written. */
  close(): Promise<void>;
}

/** A place to write to. Bytes are for content that is not our text. */
export interface Output {
  write(text: string | Uint8Array): void;
  /** Resolves once all output has left the memory, even if nobody reads it; absent if it is never kept there. */
  drained?(): Promise<void>;
}

/** How much people want to see: `summary` leaves out the changes of each object, `errors` all but errors. */
export type Shown = 'all' | 'summary' | 'errors';
