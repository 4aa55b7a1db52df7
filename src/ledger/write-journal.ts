import { type FileHandle, open, rename } from 'node:fs/promises';
import { throwAsDisk } from '../errors.js';
import { makeFolder } from '../files/make-folder.js';
import { syncFolder } from '../files/sync-folder.js';
import type { Plan } from '../model/plan.js';
import type { ApplyFacts } from './apply-facts.js';
import { type PreviousJournal, toChainedLine } from './chain.js';
import type { JournalRecord } from './journal-record.js';
import type { Journal } from './ledger.js';

/** What the first line of a journal says. */
export interface JournalBeginning {
  readonly plan: Plan;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly apply: ApplyFacts | undefined;
  readonly previous: PreviousJournal | undefined;
}

/** Begins a journal, whose plan is on the disk when this returns. `mayWrite` is asked before each further write. */
export async function beginJournal(
  folder: string,
  path: string,
  beginning: JournalBeginning,
  mayWrite: () => Promise<void>,
): Promise<Journal> {
  const first = toChainedLine(firstRecord(beginning), '');
  const file = await openFirst(folder, path, first.line).catch((error: unknown) =>
    throwAsDisk(error, `The ledger in ${folder}`),
  );
  return openJournal(file, path, first.chain, mayWrite);
}

/** The facts come first: they are read without the plan, which may be large. */
const firstRecord = ({ plan, at, apply, previous }: JournalBeginning): JournalRecord => ({
  type: 'plan',
  at,
  ...(previous === undefined ? {} : { previous }),
  ...(apply === undefined ? {} : { apply }),
  plan,
});

async function openFirst(folder: string, path: string, plan: string): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const file = await open(`${path}.new`, 'ax', 0o600);
  try {
    await file.appendFile(plan);
    await file.sync();
    await rename(`${path}.new`, path);
  } catch (error) {
    await file.close();
    throw error;
  }
  await syncFolder(folder);
  return file;
}

/** Records that are appended while the disk is busy share the next sync. After one that failed, none is written any more. */
function openJournal(file: FileHandle, path: string, first: string, mayWrite: () => Promise<void>): Journal {
  let chain = first;
  let waiting: string[] = [];
  let flushing: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    const lines = waiting.join('');
    waiting = [];
    scheduled = undefined;
    try {
      await mayWrite();
      await file.appendFile(lines);
      await file.datasync();
    } catch (error) {
      throwAsDisk(error, `The journal ${path}`);
    }
  };
  return {
    append(record) {
      const written = toChainedLine(record, chain);
      chain = written.chain;
      waiting.push(written.line);
      scheduled ??= flushing = flushing.then(flush);
      return scheduled;
    },
    async close() {
      // Whoever appended was told of a failure.
      await flushing.catch(() => undefined);
      await file.close();
    },
  };
}
