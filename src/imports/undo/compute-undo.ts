import { join } from 'node:path';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { columnsBefore } from '../../bulk/read-back/line-columns.js';
import { keepSides } from '../../bulk/undo/keep-rows.js';
import { openUndoFiles, type UndoFiles } from '../../bulk/undo/undo-files.js';
import { undoRows } from '../../bulk/undo/undo-rows.js';
import { columnsNow } from '../../bulk/undo/undoing.js';
import { DexsyncError } from '../../errors.js';
import { makeFolder } from '../../files/make-folder.js';
import type { Host } from '../../host.js';
import type { Reader } from '../../service/client.js';
import type { Identities } from '../../service/identities.js';
import { definitionOf, type Job } from '../job.js';
import { comparingEvents, readRecords } from '../preview/records.js';
import { openBudget } from '../preview/request-budget.js';

/** A committed import with its rows, and where its undo is worked out. */
export interface UndoInput {
  readonly job: Job;
  /** How messages call the import. */
  readonly called: string;
  /** The folder of the before image. */
  readonly image: string;
  /** Where the rows of the undo go; it is made. */
  readonly folder: string;
  /** A folder of this command alone. */
  readonly spool: string;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly host: Host;
}

/** What undoing an import comes to. */
export interface ComputedUndo {
  readonly files: UndoFiles;
  /** What the workspace has of the records; the caller closes it. */
  readonly present: KeyedRows;
  readonly by: string;
  readonly requests: number;
}

/** Compares what an import sent, what there was before and what there is now, and writes what has to be sent to undo it. */
export async function computeUndo({ job, called, image, folder, spool, ...ports }: UndoInput): Promise<ComputedUndo> {
  const { reader, identities, host } = ports;
  const { prepared: sent, facts } = job;
  const definition = definitionOf(job);
  const { signal } = host;
  await makeFolder(folder, 0o700);
  const budget = openBudget(reader, Number.POSITIVE_INFINITY);
  const columns = columnsNow(columnsBefore(sent.columns, definition));
  const onRead = comparingEvents(facts.address, host);
  const read = await readRecords({
    ...{ prepared: { ...sent, columns }, definition, folder: spool, reader, identities, budget, signal, onRead },
    mostSearched: Number.POSITIVE_INFINITY,
  });
  if ('why' in read) throw unreadable(called, read.why);
  const { by, records: present } = read;
  try {
    const sides = await keepSides({ sent, definition, image, folder: spool });
    const files = await writeUndo({ sent, definition, ...sides, present, signal }, folder);
    present.forgetMarks();
    return { files, present, by, requests: budget.spent() };
  } catch (error) {
    present.close();
    throw error;
  }
}

async function writeUndo(undoing: Parameters<typeof undoRows>[0], folder: string): Promise<UndoFiles> {
  const writer = await openUndoFiles(folder, undoing);
  try {
    await undoRows(undoing, writer);
    return await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    for (const rows of [undoing.sentByKey, undoing.before, undoing.absent]) rows.close();
  }
}

const unreadable = (called: string, why: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `${called} cannot be undone now: ${why}.`, {
    hint: 'Nothing was sent. Repeat the command.',
  });

/** The folder of an undo, in that of the report of its import. */
export const undoFolder = (report: string): string => join(report, 'undo');
