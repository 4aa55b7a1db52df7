import { resourceNamed } from '#core/model/import-resources.js';
import type { RowIdentity } from '../compare/find-records.js';
import { cellsIn, mergedCells } from '../compare/shared-cells.js';
import { sharedBefore } from '../read-back/before-image.js';
import { isWhole } from '../read-back/lost-columns.js';
import { creatingRows, parentLines, type TouchedRow, touchedRows } from '../read-back/touched-rows.js';
import { type RowPlace, rowPlace } from '../source/row-place.js';
import { createRecordFinder, type RecordSides } from './record-context.js';
import { type IsPutBack, sharedPutBack } from './shared-put-back.js';
import {
  type KeptAsIs,
  type LeftRow,
  NOTHING,
  type UndoContext,
  type UndoResult,
  type UndoRow,
} from './undo-context.js';
import { ItemFilesUndoer } from './undo-item-files.js';
import { BomUndoer } from './undo-parent.js';
import { recordUndoer } from './undo-record.js';

/** Receives the results of an undo. */
export interface UndoSink {
  row(row: UndoRow): Promise<void>;
  left(row: LeftRow): Promise<void>;
}

/**
 * Undoes a committed import row by row, three-way: restores changes that are still as the import left them, removes
 * what it created, and reports and keeps everything else that differs. Memory does not follow the number of rows.
 */
export async function undoRows(undoing: UndoContext, sink: UndoSink): Promise<void> {
  const { sent, signal, definition } = undoing;
  if (isWhole(definition)) return undoParents(undoing, sink);
  const undo = undoerOfRecords(undoing, await sharedPutBack(undoing));
  await keepCreatedRows(undoing, sink);
  for await (const { n, identity } of touchedRows(sent, definition, signal)) {
    const { rows, left } = undo(identity);
    for (const row of rows) await sink.row(row);
    for (const one of left) await sink.left(leftRow(one, identity.key, rowPlace(sent, sent.sourceRowOf(n))));
  }
}

/**
 * Undoes parents in reverse order: each then meets what existed when it was sent, so that no item becomes a part of
 * itself on the way. Memory holds only the keys of parents, and the rows that stay.
 */
async function undoParents(undoing: UndoContext, sink: UndoSink): Promise<void> {
  const { sent, signal, definition } = undoing;
  const undo = undoerOfParents(undoing);
  const parents: Pick<TouchedRow, 'n' | 'identity'>[] = [];
  for await (const { n, identity } of touchedRows(sent, definition, signal)) parents.push({ n, identity });
  const kept: LeftRow[] = [];
  for (const { n, identity } of parents.reverse()) {
    const { rows, left } = undo(identity);
    for (const row of rows) await sink.row(row);
    kept.push(...left.map((one) => leftRow(one, identity.key.slice(0, 1), rowPlace(sent, sent.sourceRowOf(n)))));
  }
  for (const row of kept.reverse()) await sink.left(row);
}

const leftRow = ({ why, cells }: KeptAsIs, key: readonly string[], place: RowPlace): LeftRow => ({
  ...{ change: 'kept', key: [...key], why },
  ...place,
  ...(cells === undefined ? {} : { cells: [...cells] }),
});

/** Reports rows without a key: each created a record that cannot be distinguished from others. */
async function keepCreatedRows({ sent, failed, signal, definition }: UndoContext, sink: UndoSink): Promise<void> {
  const isOfFiles = resourceNamed(definition.resource).lacking !== undefined;
  for await (const { n, identity } of creatingRows(sent, definition, signal)) {
    if (failed.has(n)) continue;
    const key = identity.key.filter((part) => part !== '');
    await sink.left(
      leftRow({ why: isOfFiles ? FILE_CREATED : ITEM_CREATED }, key, rowPlace(sent, sent.sourceRowOf(n))),
    );
  }
}

const FILE_CREATED =
  'The row has no file number, so it created a file, whose number the service chose. Remove it from the item manually.';

const ITEM_CREATED = 'The row created an item, whose number the service chose. Delete it manually.';

type Undo = (identity: RowIdentity) => UndoResult;

function undoerOfRecords(undoing: UndoContext, isPutBack: IsPutBack): Undo {
  const finder = createRecordFinder(undoing);
  const undo = recordUndoer(undoing);
  const { before, absent, present, sentByKey, sentTogether } = undoing;
  const { columns } = undoing.sent;
  return (identity) => {
    const rows = finder.find(identity, sentByKey);
    if (rows.length === 0) return NOTHING;
    const prior = finder.find(identity, before);
    const [missing] = finder.find(identity, absent);
    const was: RecordSides['was'] = prior.length > 0 ? 'there' : missing === undefined ? 'unknown' : 'absent';
    const cells = sentTogether.of(mergedCells(rows));
    const shared = missing === undefined ? 'unknown' : sharedBefore(cellsIn(missing), columns);
    return undo({ identity, cells, before: prior, was, shared, isPutBack, present: finder.find(identity, present) });
  };
}

function undoerOfParents(undoing: UndoContext): Undo {
  const { isTree } = resourceNamed(undoing.definition.resource);
  const undoer = isTree === true ? new BomUndoer(undoing) : new ItemFilesUndoer(undoing);
  const { before, present, sentByKey } = undoing;
  return (identity) =>
    undoer.undo({
      sent: parentLines(identity, sentByKey),
      before: parentLines(identity, before),
      present: parentLines(identity, present),
    });
}
