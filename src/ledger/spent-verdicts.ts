import { journalTime } from './journal-name.js';
import type { JournalStore } from './journal-store.js';
import { parseJournal } from './parse-journal.js';

/** Finds the verdicts that let an apply through since a time, all of which was done: each lets one through. */
export async function spentVerdicts(
  journals: Pick<JournalStore, 'names' | 'read'>,
  since: string,
): Promise<ReadonlySet<string>> {
  const spent = new Set<string>();
  for (const name of await journals.names()) {
    if ((journalTime(name) ?? since) < since) continue;
    const { apply, records } = parseJournal(await journals.read(name));
    const end = records.findLast((record) => record.type === 'end');
    if (apply?.reviewed === undefined || end?.counts === undefined) continue;
    const { failed, unknown, partly, skipped } = end.counts;
    if (failed + unknown + partly + skipped === 0) for (const one of apply.reviewed.approvals) spent.add(one);
  }
  return spent;
}
