import { vi } from 'vitest';
import { atEnd } from './at-end.js';

/** Until the test has ended, commands in this process see a clock that is so far ahead. */
export function minutesLater(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  atEnd(() => {
    vi.useRealTimers();
  });
}
