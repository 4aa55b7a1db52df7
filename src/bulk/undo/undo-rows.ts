import type { RecordFinder, RowIdentity } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { isWhole } from '../read-back/line-columns.js';
import { linesOf, touchedBy } from '../read-back/touched.js';
import { parentUndoer } from './undo-parent.js';
import { finderOf, type RecordSides, recordUndoer } from './undo-record.js';
import { cellsIn, type Left, type LeftRow, type Undoing, type Undone, type UndoRow } from './undoing.js';

/** Takes what undoing comes to, in the order of the rows that were sent. */
export interface UndoSink {
  row(row: UndoRow): Promise<void>;
  left(row: LeftRow): Promise<void>;
}

/**
 * Undoes a committed import row by row, three-way: what it changed is put back where it still is as the import left it, what it
 * created is removed, and whatever else is different by now is named and stays. Memory does not follow the number of rows.
 */
export async function undoRows(undoing: Undoing, sink: UndoSink): Promise<void> {
  const { sent, signal, definition } = undoing;
  const whole = isWhole(definition);
  const undo = whole ? undoerOfParents(undoing) : undoerOfRecords(undoing, finderOf(undoing));
  for await (const { n, identity } of touchedBy(sent, definition, signal)) {
    const { rows, left } = undo(identity);
    for (const row of rows) await sink.row(row);
    const key = whole ? identity.key.slice(0, 1) : identity.key;
    for (const one of left) await sink.left(leftRow(one, key, sent.sourceRowOf(n)));
  }
}

const leftRow = ({ why, cells }: Left, key: readonly string[], row: number | undefined): LeftRow => ({
  ...{ change: 'kept', key: [...key], why },
  ...(row === undefined ? {} : { row }),
  ...(cells === undefined ? {} : { cells: [...cells] }),
});

type Undo = (identity: RowIdentity) => Undone;

function undoerOfRecords(undoing: Undoing, finder: RecordFinder): Undo {
  const undo = recordUndoer(undoing);
  const { before, absent, present, sentByKey } = undoing;
  return (identity) => {
    const prior = finder.find(identity, before);
    const was: RecordSides['was'] =
      prior.length > 0 ? 'there' : finder.find(identity, absent).length > 0 ? 'absent' : 'unknown';
    const cells = mergedCells(finder.find(identity, sentByKey));
    return undo({ identity, cells, before: prior, was, present: finder.find(identity, present) });
  };
}

function undoerOfParents(undoing: Undoing): Undo {
  const undo = parentUndoer(undoing);
  const { before, present, sentByKey } = undoing;
  return (identity) =>
    undo({
      sent: linesOf(identity, sentByKey),
      before: linesOf(identity, before),
      present: linesOf(identity, present),
    });
}

/** Of several rows of one record, the last one that fills a cell counts. */
const mergedCells = (rows: readonly KeptRow[]): readonly string[] =>
  rows
    .map(cellsIn)
    .reduce((all, cells) => cells.map((cell, column) => (cell.trim() === '' ? (all[column] ?? '') : cell)));
