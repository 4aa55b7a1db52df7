import type { Durable, JournalWriter } from './journal-store.js';

/** How one journal is written; numbered from 1, what is given at once is durable when `write` returns. */
export interface WritingTo {
  write(lines: string, number: number): Promise<void>;
  close?(): Promise<void>;
  /** Milliseconds for which lines that need not be durable at once are kept back; each is written at once where it is absent. */
  readonly patience?: number;
}

/** Lines that are appended while the last ones are on their way go together. After a failure nothing is written any more. */
export function journalWriter({ write, close, patience }: WritingTo): JournalWriter {
  let waiting: string[] = [];
  let number = 0;
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    scheduled = undefined;
    number += 1;
    await write(lines, number);
  };
  const writeNow = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    scheduled ??= flushing = flushing.then(flush).catch((error: unknown) => {
      failure ??= { error };
      throw error;
    });
    return scheduled;
  };
  return {
    async append(line, when: Durable = 'now') {
      waiting.push(line);
      if (when === 'now' || patience === undefined) return writeNow();
      if (failure !== undefined) throw failure.error;
      // What fails then is thrown by the next line that has to be durable, at the latest the journal's end.
      timer ??= setTimeout(() => void writeNow().catch(() => undefined), patience);
    },
    async close() {
      clearTimeout(timer);
      if (waiting.length > 0) writeNow();
      // Whoever appended knows of a failure.
      await flushing.catch(() => undefined);
      await close?.();
    },
  };
}
