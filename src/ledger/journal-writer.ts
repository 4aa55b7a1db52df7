import type { Durable, JournalWriter } from './journal-store.js';

/** How lines of one journal are written: `number` counts the writes from 1; lines are durable when `write` returns. */
export interface JournalSink {
  write(lines: string, number: number): Promise<void>;
  close?(): Promise<void>;
  /** Milliseconds for which lines that need not be durable at once are buffered; if absent, each is written at once. */
  readonly patience?: number;
}

/** Writes lines together that are appended during an earlier write. After a failure, nothing more is written. */
export function journalWriter({ write, close, patience }: JournalSink): JournalWriter {
  let waiting: string[] = [];
  let number = 0;
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let isKnown = false;
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
  const report = (error: unknown): never => {
    isKnown = true;
    throw error;
  };
  return {
    async append(line, when: Durable = 'now') {
      waiting.push(line);
      if (when === 'now' || patience === undefined) return writeNow().catch(report);
      if (failure !== undefined) report(failure.error);
      // The next line that must be durable throws a failure of this, at the latest the journal's end.
      timer ??= setTimeout(() => void writeNow().catch(() => undefined), patience);
    },
    async close() {
      clearTimeout(timer);
      if (waiting.length > 0) writeNow();
      await flushing.catch(() => undefined);
      await close?.();
      if (failure !== undefined && !isKnown) throw failure.error;
    },
  };
}
