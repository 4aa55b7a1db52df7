import { lastLink } from './chain.js';
import { isMoved } from './journal-name.js';
import type { JournalStore } from './journal-store.js';
import { parseJournal } from './parse-journal.js';
import { readJournalState } from './read-journal.js';

/** Why a journal begins the life of a ledger in a new place. */
export const arrivalFrom = (place: string): string => `moved from ${place}`;

/**
 * Whether all of a ledger has arrived in another place already, so that only its old place is left to be closed: what the new
 * place has more begins with the record of this very move, made when the old one ended as it does now.
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
