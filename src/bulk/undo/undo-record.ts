import { resourceNamed } from '../../model/import-resources.js';
import { type RowIdentity, recordFinder } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { type CellChange, rowReader, UNREMOVABLE } from '../compare/row-difference.js';
import { type Target, targetsOf } from '../compare/targets.js';
import { normalValue, readingOf, type ValueForm } from '../compare/value-form.js';
import type { Column } from '../preflight/columns.js';
import { guidFor, removeMarker } from '../preflight/row-fields.js';
import { cellsIn, isInAssembly, type Left, left, NOTHING, type Undoing, type Undone } from './undoing.js';

/** What the three sides have of one record. */
export interface RecordSides {
  readonly identity: RowIdentity;
  /** What the rows of the import asked for, as one row. */
  readonly cells: readonly string[];
  readonly before: readonly KeptRow[];
  readonly was: 'there' | 'absent' | 'unknown';
  readonly present: readonly KeptRow[];
}

/** Says how to undo what an import did to one record. Its mode is any but REPLACE. */
export type RecordUndoer = (sides: RecordSides) => Undone;

const GONE = 'The record is no longer in the workspace.';
const UNKNOWN = 'The before image does not have this row.';
const ITEM_GONE = 'The import deleted this item, and no import can bring back an item with its revisions and files.';
const IN_BOM = 'The import created this item, and it is in a BOM by now. Undo the import of that BOM first.';
const CHANGED = 'Changed since the import, so it stays as it is.';
const LEFT_TO_SERVICE = 'The import left the value to the service, so it stays as it is.';
const NO_VALUE = 'The before image does not have the value.';
const NOT_SHOWN = 'The workspace does not show the value.';
const WAS_EMPTY = 'It was empty before, and an import cannot empty it.';
const NO_NUMBER = 'No column of the import contains its number.';

/** What the service fills in where a row does not say it. */
const FILLED_IN =
  /^((category|lifecyclephase|owner)(\..*)?|uom|procurementtype|shared|offtheshelf|quantity|linenumber|revisionnumber|inassembly)$/;

/** The undoer of an import's records. A cell is put back only where it still holds what the import wrote. */
export function recordUndoer({ sent: { columns }, definition }: Pick<Undoing, 'sent' | 'definition'>): RecordUndoer {
  const context = contextOf(columns, definition);
  const mode = definition.mode.toUpperCase();
  return (sides) => {
    if (sides.was === 'unknown') return left(UNKNOWN);
    if (mode === 'DELETE') return afterDelete(sides, context);
    if (sides.was === 'there') return afterEdit(sides, context);
    // A record that was not there cannot have been edited.
    return mode === 'EDIT' ? NOTHING : afterCreate(sides, context);
  };
}

type Context = ReturnType<typeof contextOf>;

function contextOf(columns: readonly Column[], definition: Undoing['definition']) {
  const reading = readingOf(definition);
  const marker = removeMarker(definition);
  const targets = targetsOf(columns, definition.resource);
  const { after } = rowReader(targets, definition);
  const { keys, readBack } = resourceNamed(definition.resource);
  return {
    ...{ columns, targets, marker, after, isItem: readBack === 'items' },
    isSame: (form: ValueForm, one: string, other: string): boolean =>
      normalValue(form, one, reading) === normalValue(form, other, reading),
    /** A row that names the record and nothing else; undefined where no column does. */
    naming: ({ key, guid }: RowIdentity): string[] | undefined => {
      const finding = columns.map(({ fields }) => {
        if (guid !== '' && fields.includes(guidFor(keys[0] ?? ''))) return guid;
        const place = keys.findIndex((name) => fields.includes(name));
        return place < 0 || (place === 0 && guid !== '') ? '' : (key[place] ?? '');
      });
      return finding.some((cell) => cell !== '') ? finding : undefined;
    },
  };
}

/** A record that the import made goes away, unless it was changed or is in use. */
function afterCreate({ present, cells, identity }: RecordSides, context: Context): Undone {
  const [record, ...others] = present;
  if (record === undefined) return NOTHING;
  if (others.length > 0) return left(`${present.length} records have this key by now, of which one is the import's.`);
  const changed = context.targets.flatMap((target, place): CellChange[] => {
    const value = record.values[place];
    const asked = context.after(target, cells) ?? (FILLED_IN.test(target.field) ? undefined : '');
    // What the service fills in tells nothing.
    if (value === null || value === undefined || asked === undefined) return [];
    return context.isSame(value[0], value[1], asked) ? [] : [{ column: target.header, before: value[1], after: asked }];
  });
  if (changed.length > 0) return left(`The import created it. ${CHANGED}`, changed);
  if (context.isItem && isInAssembly(record)) return left(IN_BOM);
  return inRow('delete', context.naming(identity));
}

function afterDelete({ was, before, present }: RecordSides, { isItem, columns }: Context): Undone {
  if (was === 'absent' || present.length > 0) return NOTHING;
  if (isItem) return left(ITEM_GONE);
  return {
    rows: before.map((record) => ({ kind: 'create', cells: cellsIn(record).slice(0, columns.length) })),
    left: [],
  };
}

/** Cells that still hold what the import wrote are put back. */
function afterEdit(sides: RecordSides, context: Context): Undone {
  const { before, present, identity } = sides;
  if (present.length === 0) return left(GONE);
  const judged = context.targets.flatMap((target, place) => judgeCell(target, place, sides, context) ?? []);
  const cells = context.naming(identity);
  if (judged.length === 0) return NOTHING;
  if (cells === undefined) return left(NO_NUMBER);
  const differing = new Set(before.map((record) => cellsIn(record).join('\u0000'))).size > 1;
  if (present.length !== before.length || differing)
    return left(`${before.length} records had this key, and an import cannot distinguish them.`);
  for (const { target, back } of judged) if (back !== undefined) cells[target.column] = back;
  return {
    rows: judged.some(({ back }) => back !== undefined) ? [{ kind: 'edit', cells }] : [],
    left: gathered(judged.flatMap(({ why, change }) => (why === undefined ? [] : [{ why, cells: [change] }]))),
  };
}

/** One cell that the import filled: `back` is what puts it back, otherwise `why` it stays. */
interface JudgedCell {
  readonly target: Target;
  readonly back?: string;
  readonly why?: string;
  readonly change: CellChange;
}

/** Undefined where the cell is as it was before. */
function judgeCell(target: Target, place: number, sides: RecordSides, context: Context): JudgedCell | undefined {
  const { cells, before, present } = sides;
  const asked = context.after(target, cells);
  if (asked === undefined) return undefined;
  const kept = before[0] === undefined ? '' : (cellsIn(before[0])[target.column] ?? '');
  const prior = kept === context.marker ? '' : kept;
  const values = present.map((record) => record.values[place] ?? null);
  const now = values.find((value) => value !== null && !context.isSame(value[0], value[1], prior)) ?? values[0];
  const change = { column: target.header, before: now?.[1] ?? '', after: prior };
  if (now === null || now === undefined) return { target, change, why: NOT_SHOWN };
  if (kept === '') return context.isSame(now[0], now[1], '') ? undefined : { target, change, why: NO_VALUE };
  if (context.isSame(now[0], now[1], prior)) return undefined;
  const why = whyKept(target, { now, prior, asked }, context);
  return why === undefined ? { target, change, back: kept } : { target, change, why };
}

interface Values {
  readonly now: readonly [form: ValueForm, text: string];
  readonly prior: string;
  readonly asked: string | null;
}

/** Why a cell is not put back that is not as it was before. */
function whyKept({ field }: Target, { now: [form, text], prior, asked }: Values, { isSame }: Context) {
  if (asked === null) return LEFT_TO_SERVICE;
  if (!isSame(form, text, asked)) return CHANGED;
  return prior === '' && UNREMOVABLE.test(field) ? WAS_EMPTY : undefined;
}

const inRow = (kind: 'delete' | 'edit', cells: readonly string[] | undefined): Undone =>
  cells === undefined ? left(NO_NUMBER) : { rows: [{ kind, cells }], left: [] };

/** One entry for each reason. */
function gathered(each: readonly Required<Left>[]): Left[] {
  const cells = new Map<string, CellChange[]>();
  for (const one of each) cells.set(one.why, [...(cells.get(one.why) ?? []), ...one.cells]);
  return [...cells].map(([why, those]) => ({ why, cells: those }));
}

/** The finder of the rows of all sides. */
export const finderOf = ({ sent: { columns }, definition }: Pick<Undoing, 'sent' | 'definition'>) =>
  recordFinder(columns, definition);
