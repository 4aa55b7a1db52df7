import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { recordFinder } from '../../bulk/compare/find-records.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { RELATED_KINDS, type RelatedKind, writeRestored } from '../../bulk/read-back/related-records.js';
import { KeyIndex } from '../../bulk/rows/key-index.js';
import { type KeptSides, keepSides } from '../../bulk/undo/keep-rows.js';
import { columnsNow, type UndoKind } from '../../bulk/undo/undo-context.js';
import { openUndoFiles, type UndoFiles, undoFile } from '../../bulk/undo/undo-files.js';
import { undoRows } from '../../bulk/undo/undo-rows.js';
import { type Job, jobDefinition } from '../job.js';
import { comparingEvents, readRecords } from '../preview/read-records.js';
import { openBudget } from '../preview/request-budget.js';

/** A committed import with its rows, and where its undo is computed. */
export interface UndoInput {
  readonly job: Job;
  /** Its data rows that took no effect. */
  readonly failed: ReadonlySet<number>;
  /** The name of the import in messages. */
  readonly called: string;
  /** The folder of the before image. */
  readonly image: string;
  /** The folder for the rows of the undo; created if missing. */
  readonly folder: string;
  /** What an earlier, interrupted undo restored. */
  readonly resumed: {
    /** `there`: it created the items again, so their related records can be added. */
    readonly items: 'there' | 'not yet';
    readonly related: readonly RelatedKind[];
  };
  /** A folder of this command alone. */
  readonly spool: string;
  readonly reader: Reader;
  readonly identities: Identities;
  readonly host: Host;
}

/** What undoing an import would do. */
export interface ComputedUndo {
  readonly files: UndoFiles;
  /** The records as they are in the workspace; the caller closes them. */
  readonly present: KeyedRows;
  readonly by: string;
  readonly requests: number;
}

/** Compares the rows of an import with the records before it and now, and writes the rows that undo it. */
export async function computeUndo(input: UndoInput): Promise<ComputedUndo> {
  const { job, failed, image, folder, spool, host } = input;
  const { prepared: sent } = job;
  const definition = jobDefinition(job);
  const content = sent.files === undefined ? 'none' : 'sent';
  await makeFolder(folder, 0o700);
  const sides = await keepSides({ sent, definition, failed, image, folder: spool });
  const read = await presentRows(sides, input).catch((error: unknown) => {
    closeSides(sides);
    throw error;
  });
  const { records: present } = read;
  try {
    const context = { sent, failed, definition, content, ...sides, present, signal: host.signal } as const;
    const files = await writeUndo(context, input);
    present.forgetMarks();
    return { files, present, by: read.by, requests: read.requests };
  } catch (error) {
    present.close();
    throw error;
  }
}

/** Reads the records as they are in the workspace. */
async function presentRows({ absent, lost }: KeptSides, { job, called, spool, reader, identities, host }: UndoInput) {
  const { prepared: sent, facts } = job;
  const definition = jobDefinition(job);
  const budget = openBudget(reader, Number.POSITIVE_INFINITY);
  const before = [...sent.columns, ...lost];
  // Finding out whether a record can be deleted takes a request for each file; only new ones are deleted.
  const columns = absent.count > 0 ? columnsNow(before, definition) : before;
  const read = await readRecords({
    ...{ prepared: { ...sent, columns }, definition, folder: spool, reader, identities, budget, signal: host.signal },
    onRead: comparingEvents(facts.address, host),
    mostSearched: Number.POSITIVE_INFINITY,
  });
  if ('why' in read) throw unreadable(called, read.why);
  return { ...read, requests: budget.spent() };
}

async function writeUndo(
  undoing: Parameters<typeof undoRows>[0],
  { image, folder, resumed }: Pick<UndoInput, 'image' | 'folder' | 'resumed'>,
): Promise<UndoFiles> {
  const writer = await openUndoFiles(folder, undoing);
  const created = new KeyIndex();
  const { identity } = recordFinder([...undoing.sent.columns, ...undoing.lost], undoing.definition);
  try {
    await undoRows(undoing, {
      left: writer.left,
      async row(row) {
        if (row.kind === 'create') created.firstRow(identity(row.cells).key[0] ?? '', 1);
        await writer.row(row);
      },
    });
    const files = await writer.finish();
    const isRestored = (number: string): boolean => resumed.items === 'there' || created.has(number);
    const related = await relatedRows({ image, folder, isRestored, without: resumed.related });
    return { ...files, rows: new Map([...files.rows, ...related]) };
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    closeSides(undoing);
  }
}

interface RelatedRows {
  readonly image: string;
  readonly folder: string;
  readonly isRestored: (number: string) => boolean;
  /** Those that an earlier undo restored. */
  readonly without: readonly RelatedKind[];
}

/** Writes the related records of restored items, and removes files that an earlier undo left. */
async function relatedRows({ image, folder, isRestored, without }: RelatedRows) {
  const files = new Map<UndoKind, { readonly path: string; readonly rows: number }>();
  for (const kind of RELATED_KINDS) {
    const path = undoFile(folder, kind);
    const rows = without.includes(kind) ? 0 : await writeRestored({ image, kind, path }, isRestored);
    if (rows === 0) await rm(path, { force: true });
    else files.set(kind, { path, rows });
  }
  return files;
}

function closeSides({ sentByKey, sentTogether, before, absent }: KeptSides): void {
  for (const rows of [sentByKey, sentTogether, before, absent]) rows.close();
}

const unreadable = (called: string, why: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `${called} cannot be undone now: ${why}.`, {
    hint: 'Nothing was sent. Repeat the command.',
  });

/** The folder of an undo, within the report folder of its import. */
export const undoFolder = (report: string): string => join(report, 'undo');
