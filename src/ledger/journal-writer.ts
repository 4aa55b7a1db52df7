import type { JournalWriter } from './journal-store.js';

/** How one journal is written; numbered from 1, what is given at once is durable when `write` returns. */
export interface WritingTo {
  write(lines: string, number: number): Promise<void>;
  close?(): Promise<void>;
}

/** Lines that are appended while the last ones are on their way go together. After a failure nothing is written any more. */
export function journalWriter({ write, close }: WritingTo): JournalWriter {
  let waiting: string[] = [];
  let number = 0;
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  const flush = (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    scheduled = undefined;
    number += 1;
    return write(lines, number);
  };
  return {
    append(line) {
      waiting.push(line);
      scheduled ??= flushing = flushing.then(flush);
      return scheduled;
    },
    async close() {
      // Whoever appended knows of a failure.
      await flushing.catch(() => undefined);
      await close?.();
    },
  };
}
