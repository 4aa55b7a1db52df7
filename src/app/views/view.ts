import type { Event } from '#core/stream/event.js';

/** Shows what happens. Views know types only; they decide nothing. */
export interface View {
  event(event: Event): void;
  /** Shows a text that is no event and cannot wait, such as what Ctrl-C does. A view for programs has no place for it. */
  notice?(text: string): void;
  /** Everything that was handed over is written when this returns. */
  close(): Promise<void>;
}

/** A place to write to. Bytes are for what is no text of ours. */
export interface Output {
  write(text: string | Uint8Array): void;
  /** Resolves once what was written has left the memory, also where nobody reads it; absent where nothing is kept there. */
  drained?(): Promise<void>;
}

/** How much of what happens people want to see: `summary` leaves out what changes about each object, `errors` all else. */
export type Shown = 'all' | 'summary' | 'errors';
