import { DexsyncError } from '#base/errors.js';
import { isMoved } from './journal-name.js';
import type { JournalStore, WholeJournal } from './journal-store.js';

/** Limits of one batch: journals, and characters. */
const [MOST, LARGEST] = [200, 4_000_000];

/**
 * Copies the journals that `target` lacks, reads each back, and returns their number. Throws LEDGER_DAMAGED if the new
 * place has other applies.
 */
export async function copyJournals(
  names: readonly string[],
  source: JournalStore,
  target: JournalStore,
  onCopy: (count: number) => void,
): Promise<number> {
  const there = new Set(await target.names());
  const known = new Set(names);
  const strange = [...there].find((name) => !known.has(name) && !isMoved(name));
  if (strange !== undefined) throw otherLedger(target.place(strange));
  const missing = names.filter((name) => !there.has(name));
  let done = 0;
  while (done < missing.length) {
    const batch = await nextBatch(source, missing.slice(done));
    await target.putWhole(batch);
    for (const { name, text } of batch) {
      if ((await target.read(name)) !== text) throw notTheSame(target.place(name));
    }
    done += batch.length;
    // What each command lists must not grow with the history.
    if (done < missing.length) await target.putAside(batch.map(({ name }) => name));
    onCopy(done);
  }
  return done;
}

async function nextBatch(source: JournalStore, names: readonly string[]): Promise<readonly WholeJournal[]> {
  const batch: WholeJournal[] = [];
  let size = 0;
  for (const name of names) {
    if (batch.length === MOST || size > LARGEST) break;
    const text = await source.read(name);
    size += text.length;
    batch.push({ name, text });
  }
  return batch;
}

const otherLedger = (journal: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `The new place has an apply that the old one does not know: ${journal}.`, {
    hint: 'The two ledgers cannot be joined. Move to a place that is empty for this workspace, such as another branch or database.',
  });

const notTheSame = (journal: string): DexsyncError =>
  new DexsyncError('LEDGER_DAMAGED', `${journal} is not the same as in the old place.`, {
    hint: 'The old place was not closed. Move to an empty place.',
  });
