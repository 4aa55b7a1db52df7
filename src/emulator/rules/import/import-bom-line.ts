import type { ItemName } from '../../store/item-draft.js';
import type { BomLineRecord, FieldValue } from '../../store/items.js';
import { isGuid } from '../guid-source.js';
import { refusal, refuse, ServiceError } from '../service-error.js';
import type { BomMemory } from './bom-memory.js';
import { duplicate, itemsNamed, noItem, type RowContext } from './import-context.js';
import type { ItemsByName } from './items-by-name.js';
import { type ImportRow, parseRowValues } from './read-row.js';
import { requiredError } from './values.js';

const DUPLICATE_LINE = 3234;

/**
 * Applies one row of an ITEM_BOM run to the draft. A row is one line: its parent by `guid` or `number`, its child by
 * `item.guid` or `item.number` (see BOM_FIELDS).
 */
export function importBomLine(row: ImportRow, context: RowContext, memory: BomMemory): void {
  const parents = parentsOf(row, context, memory.items);
  const child = childOf(row, memory.items);
  for (const parent of parents) importUnder(parent, child, row, context, memory);
}

function importUnder(parent: ItemName, child: ItemName, row: ImportRow, context: RowContext, memory: BomMemory): void {
  if (context.mode === 'REPLACE') memory.emptyOnce(parent.guid);
  const matches = memory.linesOf(parent, child);
  switch (context.mode) {
    case 'CREATE':
    case 'REPLACE':
      if (matches.length > 0 && context.options.createDuplicates !== 'ALLOW') throw duplicateLine(parent, child);
      addLine(parent, child, row, context, memory);
      break;
    case 'OVERWRITE':
      if (matches.length === 0) addLine(parent, child, row, context, memory);
      else change(matches, parent, child, row, context, memory);
      break;
    case 'EDIT':
    case 'DELETE':
      change(matches, parent, child, row, context, memory);
      break;
    default:
      context.mode satisfies never;
  }
}

function parentsOf(row: ImportRow, context: RowContext, items: ItemsByName): readonly ItemName[] {
  const guid = row.texts.get('guid');
  const number = row.texts.get('number');
  if (guid === undefined && number === undefined) throw refuse.required('number');
  const parents = itemsNamed(items, guid, number);
  if (parents.length === 0) throw noItem(number ?? '');
  if (parents.length > 1 && context.options.matchDuplicateParents !== 'ALLOW') {
    throw duplicate(`${parents.length} items have the parent's number "${number}".`);
  }
  return parents;
}

function childOf(row: ImportRow, items: ItemsByName): ItemName {
  const guid = row.texts.get('item.guid');
  const number = row.texts.get('item.number');
  if (guid === undefined && number === undefined) throw refuse.required('item.number');
  const [child, ...others] = itemsNamed(items, guid, number);
  if (!child) throw noItem(number ?? '');
  if (others.length > 0) throw duplicate(`${others.length + 1} items have the number "${number}".`);
  return child;
}

/** Adds a line to the BOM of a parent. */
export function addLine(
  parent: ItemName,
  child: ItemName,
  row: ImportRow,
  context: RowContext,
  memory: BomMemory,
): BomLineRecord {
  if (memory.closesCircle(parent, child)) {
    throw refuse.invalid('item.number', `"${parent.number}" is or contains "${child.number}" the other way round.`);
  }
  const values = parseRowValues(row, context.options);
  const missing = context.required.find((target) => !values.has(target.key));
  if (missing) throw requiredError(missing);
  const blank: BomLineRecord = {
    guid: context.chance.guid(),
    parent: parent.guid,
    child: child.guid,
    lineNumber: null,
    quantity: 1,
    refDes: null,
    notes: null,
    additional: {},
  };
  const line = withValues(blank, values);
  if (context.options.checkRefDes === 'CHECK') memory.designators.check(line);
  memory.add(line);
  return line;
}

function change(
  matches: readonly BomLineRecord[],
  parent: ItemName,
  child: ItemName,
  row: ImportRow,
  context: RowContext,
  memory: BomMemory,
): void {
  if (matches.length === 0) {
    const message = `"${child.number}" is not in the BOM of "${parent.number}".`;
    throw new ServiceError({ code: 3012, message });
  }
  if (matches.length > 1 && context.options.matchDuplicates !== 'APPLY_TO_ALL') throw duplicateLine(parent, child);
  for (const line of matches) {
    if (context.mode === 'DELETE') memory.remove(line);
    else editLine(line, row, context, memory);
  }
}

/** Changes a line as a row says. */
export function editLine(line: BomLineRecord, row: ImportRow, context: RowContext, memory: BomMemory): void {
  for (const key of row.removed) {
    const target = row.targets.get(key);
    if (target?.required) throw requiredError(target);
  }
  const edited = withValues(without(line, row.removed), parseRowValues(row, context.options));
  const touched = edited.refDes !== line.refDes || edited.quantity !== line.quantity;
  if (touched && context.options.checkRefDes === 'CHECK') memory.designators.check(edited);
  memory.change(edited);
}

/** Builds the refusal with 3234 of a second line with the same child. */
export function duplicateLine(parent: ItemName, child: ItemName): ServiceError {
  const message = `"${child.number}" is in the BOM of "${parent.number}" already, or more than once.`;
  return new ServiceError({ code: DUPLICATE_LINE, message });
}

function without(line: BomLineRecord, removed: ReadonlySet<string>): BomLineRecord {
  if (removed.size === 0) return line;
  return {
    ...line,
    lineNumber: removed.has('lineNumber') ? null : line.lineNumber,
    quantity: removed.has('quantity') ? 1 : line.quantity,
    refDes: removed.has('refDes') ? null : line.refDes,
    notes: removed.has('notes') ? null : line.notes,
    additional: Object.fromEntries(Object.entries(line.additional).filter(([key]) => !removed.has(key))),
  };
}

const DIRECT = new Set(['lineNumber', 'quantity', 'refDes', 'notes']);

function withValues(line: BomLineRecord, values: ReadonlyMap<string, FieldValue>): BomLineRecord {
  const direct: Record<string, FieldValue> = {};
  const additional: Record<string, FieldValue> = { ...line.additional };
  for (const [key, value] of values) {
    if (DIRECT.has(key)) direct[key] = value;
    else if (isGuid(key)) additional[key] = value;
  }
  if (direct.lineNumber !== undefined && !Number.isInteger(direct.lineNumber)) {
    throw refusal(3231, `The line number ${String(direct.lineNumber)} is not a whole number.`);
  }
  return { ...line, ...direct, additional };
}
