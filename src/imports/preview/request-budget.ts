import type { Reader } from '../../service/client.js';

/** How many requests may be spent on comparing rows; nothing else is sent meanwhile. */
export interface RequestBudget {
  readonly left: () => number;
  /** Since it was opened. */
  readonly spent: () => number;
}

/** A budget of `most` requests, of which those that the reader makes from now on are taken. */
export function openBudget({ usage }: Pick<Reader, 'usage'>, most: number): RequestBudget {
  const before = usage.used;
  const spent = (): number => usage.used - before;
  return { spent, left: () => Math.max(0, most - spent()) };
}

/** `most` requests, and a tenth of those that are left today. */
export const smallBudget = (reader: Pick<Reader, 'usage'>, most: number): RequestBudget => {
  const { remaining } = reader.usage;
  return openBudget(reader, remaining === null ? most : Math.min(most, Math.floor(remaining / 10)));
};
