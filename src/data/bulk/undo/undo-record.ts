import { resourceNamed } from '#core/model/import-resources.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { type CellChange, UNREMOVABLE } from '../compare/row-difference.js';
import { cellsIn } from '../compare/shared-cells.js';
import type { Target } from '../compare/targets.js';
import type { ValueForm } from '../compare/value-form.js';
import { type RecordContext, type RecordSides, recordContext } from './record-context.js';
import { type KeptAsIs, keepAsIs, NOTHING, type UndoContext, type UndoResult } from './undo-context.js';
import { afterCreate, CHANGED, NO_NUMBER } from './undo-created.js';

/** Decides how to undo what an import did to one record, in any mode but REPLACE. */
export type RecordUndoer = (sides: RecordSides) => UndoResult;

const CONTENT_LOST =
  'The import deleted this file, and no import can bring back its content and editions. Send the file again if you need it.';
const VALUES_LOST = 'The import deleted this record, and the before image does not have its values.';
const GONE = 'The record is no longer in the workspace.';
const UNKNOWN = 'The before image does not have this row.';
const CONTENT =
  'The import sent the content of this file, and no import can put earlier content back. Send the earlier file again if you need it.';
const NOT_STORED = 'An import cannot make it a stored file again without its content.';
const LEFT_TO_SERVICE = 'The import left the value to the service, so it stays as it is.';
const NO_VALUE = 'The before image does not have the value.';
const NOT_SHOWN = 'The workspace does not show the value.';
const WAS_EMPTY = 'It was empty before, and an import cannot empty it.';

/** Fields that depend on the content of a file. */
const OF_CONTENT = /^(name|edition|format|storagemethodname|location)$/;

/** Creates the undoer of an import's records. Restores a cell only if it still has the value that the import wrote. */
export function recordUndoer(undoing: Pick<UndoContext, 'sent' | 'lost' | 'definition' | 'content'>): RecordUndoer {
  const context = recordContext(undoing);
  const { resource, mode: named } = undoing.definition;
  const mode = named.toUpperCase();
  // Rows with a file refer to one that their item has (wire-facts 4, "ITEM_FILES semantics").
  const makesNone = mode === 'EDIT' || (mode === 'OVERWRITE' && resourceNamed(resource).lacking !== undefined);
  return (sides) => {
    if (sides.was === 'unknown') return keepAsIs(UNKNOWN);
    if (mode === 'DELETE') return afterDelete(sides, context);
    if (sides.was === 'there') return afterEdit(sides, context);
    // A record that did not exist cannot have been edited.
    return makesNone ? NOTHING : afterCreate(sides, context);
  };
}

function afterDelete({ was, before, present }: RecordSides, context: RecordContext): UndoResult {
  if (was === 'absent' || present.length > 0) return NOTHING;
  const { columns, targets, isOwn } = context;
  const why = before.map((record) => whyLost(record, context)).find((one) => one !== undefined);
  if (why !== undefined) return keepAsIs(why);
  // The deletion did not touch the objects that the record shared with others.
  const others = new Set(targets.filter((target) => !isOwn(target)).map(({ column }) => column));
  if (isNamedByItself(context))
    for (const [column, { fields }] of columns.entries()) if (fields.includes('guid')) others.add(column);
  const again = (record: KeptRow): string[] => cellsIn(record).map((cell, column) => (others.has(column) ? '' : cell));
  return { rows: before.map((record) => ({ kind: 'create', cells: again(record) })), left: [] };
}

/** Whether a GUID of a row is that of the record itself, which the service gives; lines and files of items have a parent. */
const isNamedByItself = ({ resource: { keys } }: RecordContext): boolean => keys.length === 1;

/** Reason why a deleted record stays deleted. */
function whyLost(record: KeptRow, context: RecordContext): string | undefined {
  if (!isNamedByItself(context)) return undefined;
  const [required = ''] = context.resource.requiredToCreate;
  if (context.cellBefore(record, required) === undefined) return VALUES_LOST;
  const stored = context.cellBefore(record, 'storagemethodname');
  return context.resource.compared === 'files' && (stored ?? '') in STORED ? CONTENT_LOST : undefined;
}

/** Storage methods of files that have content; FILE is the default. */
const STORED = { FILE: true, '': true };

/** Restores the cells that still have the imported value. */
function afterEdit(sides: RecordSides, context: RecordContext): UndoResult {
  const { before, present, identity } = sides;
  if (present.length === 0) return keepAsIs(GONE);
  const content = context.hasContent(sides.cells) ? [{ why: CONTENT }] : [];
  const isJudged = (target: Target): boolean =>
    context.isRead(target) && (content.length === 0 || !OF_CONTENT.test(target.field));
  const judged = context.targets.flatMap((target, place) =>
    isJudged(target) ? (judgeCell(target, place, sides, context) ?? []) : [],
  );
  const cells = context.naming(identity);
  if (judged.length === 0) return { rows: [], left: content };
  if (cells === undefined) return keepAsIs(NO_NUMBER);
  const differing = new Set(before.map((record) => cellsIn(record).join('\u0000'))).size > 1;
  if (present.length !== before.length || differing)
    return keepAsIs(`${before.length} records had this key, and an import cannot distinguish them.`);
  for (const { target, back } of judged) if (back !== undefined) cells[target.column] = back;
  return {
    rows: judged.some(({ back }) => back !== undefined) ? [{ kind: 'edit', cells }] : [],
    left: [
      ...content,
      ...gathered(judged.flatMap(({ why, change }) => (why === undefined ? [] : [{ why, cells: [change] }]))),
    ],
  };
}

/** One cell that the import filled: `back` is the value to restore, otherwise `why` is the reason why it stays. */
interface JudgedCell {
  readonly target: Target;
  readonly back?: string;
  readonly why?: string;
  readonly change: CellChange;
}

/** Undefined if the cell is as it was before. */
function judgeCell(target: Target, place: number, sides: RecordSides, context: RecordContext): JudgedCell | undefined {
  const { cells, before, present } = sides;
  const { reader } = context;
  const asked = reader.after(target, cells);
  if (asked === undefined) return undefined;
  const kept = before[0] === undefined ? '' : (cellsIn(before[0])[target.column] ?? '');
  const prior = kept === context.marker ? '' : kept;
  const values = present.map((record) => record.values[place] ?? null);
  const now = values.find((value) => value !== null && !reader.isSame(value[0], value[1], prior)) ?? values[0];
  const change = { column: target.header, before: now?.[1] ?? '', after: prior };
  if (now === null || now === undefined) return { target, change, why: NOT_SHOWN };
  if (kept === '') return reader.isSame(now[0], now[1], '') ? undefined : { target, change, why: NO_VALUE };
  if (reader.isSame(now[0], now[1], prior)) return undefined;
  const why = whyKept(target, { now, prior, asked }, context);
  return why === undefined ? { target, change, back: kept } : { target, change, why };
}

interface Values {
  readonly now: readonly [form: ValueForm, text: string];
  readonly prior: string;
  readonly asked: string | null;
}

/** Reason why a cell that differs from before is not restored. */
function whyKept({ field }: Target, { now: [form, text], prior, asked }: Values, { reader }: RecordContext) {
  if (asked === null) return LEFT_TO_SERVICE;
  if (!reader.isSame(form, text, asked)) return CHANGED;
  if (field === 'storagemethodname' && reader.isSame(form, prior, 'FILE')) return NOT_STORED;
  return prior === '' && UNREMOVABLE.test(field) ? WAS_EMPTY : undefined;
}

/** Combines the cells of each reason into one entry. */
function gathered(each: readonly Required<KeptAsIs>[]): KeptAsIs[] {
  const cells = new Map<string, CellChange[]>();
  for (const one of each) cells.set(one.why, [...(cells.get(one.why) ?? []), ...one.cells]);
  return [...cells].map(([why, those]) => ({ why, cells: those }));
}
