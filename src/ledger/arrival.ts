import { lastLink } from './chain.js';
import { isMoved } from './journal-name.js';
import type { JournalStore } from './journal-store.js';
import { parseJournal } from './parse-journal.js';
import { readJournalState } from './read-journal.js';

/** The reason in the first journal that a ledger gets in its new place. */
export const arrivalFrom = (place: string): string => `moved from ${place}`;

/**
 * Whether the whole ledger is already in the new place, so that only the old place must still be closed: the first
 * journal that only the new place has records this very move, and follows the last line that the old place has now.
 */
export async function hasArrived(
  names: readonly string[],
  source: JournalStore,
  target: JournalStore,
  place: string,
): Promise<boolean> {
  const known = new Set(names);
  const first = (await target.names()).find((name) => !known.has(name) && !isMoved(name));
  const last = names.at(-1);
  if (first === undefined || last === undefined) return false;
  if (parseJournal(await target.read(first)).apply?.reason !== arrivalFrom(place)) return false;
  const { previous } = await readJournalState(target, first);
  return previous?.journal === last && previous.chain === lastLink(await source.read(last));
}
