import type { Row } from '#base/sqlite/sqlite.js';
import { bodySchemas, endpointsAt } from '../documented/documented.js';
import { givenAttributesSchema } from '../family/attribute-values.js';
import type { Family, Writer } from '../family/family.js';
import type { WriteRequest } from '../family/field.js';
import { findRow } from '../family/records.js';
import { Type } from '../routes/type.js';
import { zulu } from '../rules/date-times.js';
import { recordEvents } from '../rules/events/record-events.js';
import { isGuid } from '../rules/guid-source.js';
import { BomMemory } from '../rules/import/bom-memory.js';
import { addLine, duplicateLine, editLine } from '../rules/import/import-bom-line.js';
import { openContext, type RowContext } from '../rules/import/import-context.js';
import { createItem, editItem, removeItem } from '../rules/import/import-item.js';
import type { ImportRow } from '../rules/import/row.js';
import { indexTargets, type Target } from '../rules/import/targets.js';
import { listImportFields, worldOf } from '../rules/import-fields.js';
import { formattedNumber, numberFor } from '../rules/item-number.js';
import { refusal, refuse, type ServiceError } from '../rules/service-error.js';
import type { StandardField } from '../rules/standard-field.js';
import type { Workspace } from '../rules/workspace.js';
import { trackDrafts } from '../store/extracts.js';
import type { Mode, Resource } from '../store/imports.js';
import type { ItemName } from '../store/item-draft.js';
import { EFFECTIVE, effectiveRevision, findRevision, readBomSettings } from '../store/item-revisions.js';
import { readAttributes } from '../store/item-settings.js';
import type { BomLineRecord } from '../store/items.js';
import { refuseDuringRun } from '../store/open-runs.js';
import { bomLines } from './bom-lines.js';
import { items } from './items.js';
import { itemCategory } from './number-reservations.js';

/** The fields of items that requests give, and imports do not. */
const REQUEST_FIELDS: readonly StandardField[] = [
  { apiName: 'revisionNumber', name: 'Revision', fieldType: 'SINGLE_LINE_TEXT', maxLength: 50 },
  { apiName: 'offTheShelf', name: 'Off the Shelf', fieldType: 'BOOLEAN' },
];

/** What `setnull` may remove (wire-facts 8). */
const CLEARABLE_SPECS = ['description', 'revisionNumber', 'standardCost', 'targetCost', 'targetPrice'];
const CLEARABLE_OF_LINE = ['refDes', 'notes'];

interface Drafts extends RowContext {
  readonly targets: ReadonlyMap<string, Target>;
}

/**
 * Writes as an import of one row does: with its checks, its events, and what extracts track. It waits for runs, since
 * those store what they checked against the items of their beginning.
 */
export function writeAsRow<T>(
  { workspace, caller }: WriteRequest,
  resource: Resource,
  { mode, checkRefDes = 'CHECK' }: { readonly mode: Mode; readonly checkRefDes?: 'CHECK' | 'DO_NOT_CHECK' },
  write: (drafts: Drafts) => T,
): T {
  const { settings, dialect, chance, clock } = workspace;
  refuseDuringRun(settings);
  const fields = [...listImportFields(resource), ...(resource === 'ITEM_SPECS' ? REQUEST_FIELDS : [])];
  const { all } = indexTargets(fields, readAttributes(settings, worldOf(resource)), dialect);
  const stamp = { at: zulu(clock()), by: caller.guid, chance };
  const required = all.filter((target) => target.required);
  const options = { checkRefDes, multiSelectDelimiter: ';' };
  const context = openContext(settings, resource, { mode, options, required, ...stamp });
  const result = write({ ...context, targets: new Map(all.map((target) => [target.key, target])) });
  context.data.keep();
  recordEvents(settings, { ...stamp, dialect });
  trackDrafts(settings);
  context.items.merge();
  context.lines.merge();
  return result;
}

/** The row that a body is. A null or an empty text removes the value of an attribute, or of what may be removed. */
function rowOf({ body, setsNull }: WriteRequest, { targets }: Drafts, clearable: readonly string[]): ImportRow {
  const cells = Object.entries(body).flatMap(cellsOf);
  const unknown = cells.find(([key]) => !targets.has(key))?.[0];
  if (unknown !== undefined) throw isGuid(unknown) ? refuse.guid(unknown) : refuse.unrecognized(unknown);
  const given = cells.filter(([, value]) => value !== null && value !== '');
  const isRemoved = ([key, value]: Cell): boolean =>
    value === '' || (value === null && (isGuid(key) || (setsNull === true && clearable.includes(key))));
  const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(';') : String(value));
  return {
    ...{ number: 1, targets, freeText: undefined },
    texts: new Map(given.map(([key, value]) => [key, textOf(value)])),
    removed: new Set(cells.filter(isRemoved).map(([key]) => key)),
  };
}

type Cell = readonly [key: string, value: unknown];

interface GivenAttribute {
  readonly guid: string;
  readonly value?: unknown;
}

function cellsOf([name, value]: Cell): readonly Cell[] {
  if (name === 'additionalAttributes') {
    return ((value ?? []) as readonly GivenAttribute[]).map((one) => [one.guid, one.value ?? null] as const);
  }
  if (typeof value !== 'object' || value === null) return [[name, value ?? null]];
  return Object.entries(value).map(([inner, own]) => [`${name}.${inner}`, own ?? null] as const);
}

/** Refuses to change a revision that is not the working one, or an item that is locked (3224). */
export function refuseEdit(row: Row): void {
  if (row.guid !== row.item) throw refusal(3224, 'Only the working revision of an item can be changed.');
  if (row.locked === 1) throw refusal(3224, 'The item is locked.');
}

/** The refusal of a deletion of what is not there; for items, it has a status of its own (wire-facts 8.1). */
const absent = (guid: string, status?: number): ServiceError =>
  refusal(3024, `There is no object with the GUID "${guid}" to delete.`, status);

/** Requests that write items (wire-facts 8.1). */
const itemWriter: Writer = {
  create: (writing) => {
    const { workspace, body } = writing;
    const { number: _, numberFormat: __, ...rest } = body;
    const category = itemCategory(workspace, (body.category as GivenAttribute).guid);
    const number = numberFor(workspace, category, body);
    const numbered = { ...writing, body: { ...rest, number } };
    return writeAsRow(writing, 'ITEM_SPECS', { mode: 'CREATE' }, (drafts) => {
      return createItem(rowOf(numbered, drafts, []), number, drafts).guid;
    });
  },
  update: (writing, row) => {
    refuseEdit(row);
    const { workspace } = writing;
    const { numberFormat, category, ...rest } = writing.body;
    if (category) itemCategory(workspace, (category as GivenAttribute).guid);
    const number = numberFormat ? { number: formattedNumber(workspace, numberFormat) } : {};
    const body = { ...rest, ...(category ? { category } : {}), ...number };
    writeAsRow(writing, 'ITEM_SPECS', { mode: 'EDIT' }, (drafts) => {
      const item = drafts.items.byGuid(String(row.guid));
      if (item) editItem(item, rowOf({ ...writing, body }, drafts, CLEARABLE_SPECS), drafts);
    });
  },
  remove: (writing, guid) => {
    const { settings } = writing.workspace;
    const row = settings.get(items.byGuid, guid);
    if (row === undefined) throw absent(guid, 404);
    refuseEdit(row);
    if (effectiveRevision(settings, guid)) throw refusal(3016, 'An item that was released cannot be deleted.');
    writeAsRow(writing, 'ITEM_SPECS', { mode: 'DELETE' }, (drafts) => {
      const item = drafts.items.byGuid(guid);
      if (item) removeItem(item, drafts);
    });
  },
};

/** Requests that write the BOM lines of working revisions (wire-facts 8.2). */
const lineWriter: Writer = {
  create: (writing) => {
    const { workspace, owner = '' } = writing;
    const { item, ...body } = writing.body;
    refuseEdit(findRow(workspace, items, owner));
    const child = childNamed(workspace, (item as GivenAttribute).guid);
    checkValues({ quantity: null, ...body }, owner, workspace);
    return writeLine(writing, owner, (drafts, memory) => {
      const [above, below] = [nameOf(owner, drafts), nameOf(child, drafts)];
      if (memory.closesCircle(above, below)) {
        throw refusal(3037, `"${below.number}" is at a higher level of the BOM of "${above.number}".`);
      }
      if (memory.linesOf(above, below).length > 0) throw duplicateLine(above, below);
      return addLine(above, below, rowOf({ ...writing, body }, drafts, []), drafts, memory).guid;
    });
  },
  update: (writing, row) => {
    const { workspace, body } = writing;
    const parent = String(row.owner);
    refuseEdit(findRow(workspace, items, parent));
    checkValues(body, parent, workspace);
    writeLine(writing, parent, (drafts, memory) => {
      for (const line of linesAt(row, drafts)) {
        editLine(line, rowOf(writing, drafts, CLEARABLE_OF_LINE), drafts, memory);
      }
    });
  },
  remove: (writing, guid, only) => {
    const { workspace } = writing;
    const row = workspace.settings.get(`${bomLines.byGuid} AND ${only?.sql ?? 'TRUE'}`, guid, ...(only?.values ?? []));
    if (row === undefined) throw absent(guid);
    refuseEdit(findRow(workspace, items, String(row.owner)));
    writeLine(writing, String(row.owner), (drafts, memory) => {
      for (const line of linesAt(row, drafts)) memory.remove(line);
    });
  },
};

function writeLine<T>(writing: WriteRequest, parent: string, write: (drafts: Drafts, memory: BomMemory) => T): T {
  const { checkReferenceDesignators } = readBomSettings(writing.workspace.settings, parent);
  const checkRefDes = checkReferenceDesignators ? 'CHECK' : 'DO_NOT_CHECK';
  return writeAsRow(writing, 'ITEM_BOM', { mode: 'CREATE', checkRefDes }, (drafts) =>
    write(drafts, new BomMemory(drafts.lines, drafts.items)),
  );
}

const linesAt = ({ guid, owner, child }: Row, { lines }: RowContext): readonly BomLineRecord[] =>
  lines.linesOf(String(owner), String(child)).filter((line) => line.guid === guid);

function nameOf(guid: string, { items: drafted }: RowContext): ItemName {
  const name = drafted.nameByGuid(guid);
  if (name === undefined) throw refuse.guid(guid);
  return name;
}

/** The item that a line names: by its effective revision (3035), or by its working one while it is unreleased. */
function childNamed(workspace: Workspace, guid: string): string {
  findRow(workspace, items, guid);
  const revision = findRevision(workspace.settings, guid);
  if (revision === undefined) {
    if (effectiveRevision(workspace.settings, guid)) throw refusal(3035, 'A BOM takes effective revisions of items.');
    return guid;
  }
  if (revision.status !== EFFECTIVE) throw refuse.guid(guid);
  return revision.item;
}

const MOST = 999_999_999;
const LONGEST_NOTES = 4000;
const LONGEST_DESIGNATORS = 32_000;
const DESIGNATOR = /^[A-Za-z_]+\d+(-[A-Za-z_]*\d+)?$/;

/** Checks what lines refuse with codes of their own (wire-facts 8.2); imports check the rest. */
function checkValues({ quantity, refDes, notes }: WriteRequest['body'], parent: string, { settings }: Workspace): void {
  if (quantity === null || quantity === '') throw refusal(3036, 'The quantity is required.');
  if (quantity !== undefined) checkQuantity(quantity);
  if (typeof notes === 'string' && notes.length > LONGEST_NOTES) {
    throw refusal(3233, `Notes take ${LONGEST_NOTES} characters at most.`);
  }
  if (typeof refDes !== 'string' || !readBomSettings(settings, parent).checkReferenceDesignators) return;
  if (refDes.length > LONGEST_DESIGNATORS) {
    throw refusal(3604, `Reference designators take ${LONGEST_DESIGNATORS} characters at most.`);
  }
  const wrong = refDes.split(/[\s,;]+/).find((part) => part !== '' && !DESIGNATOR.test(part));
  if (wrong !== undefined) throw refusal(3606, `"${wrong}" is no reference designator such as R1 or R1-R4.`);
}

function checkQuantity(quantity: unknown): void {
  if (typeof quantity !== 'number' || !(quantity > 0)) throw refusal(3227, 'The quantity must be positive.');
  if (quantity > MOST) throw refusal(3228, `The quantity is ${MOST} at most.`);
}

const { create: creation, ...others } = endpointsAt('/items');

/** The operations of items; a number may be a free text, which samples do not show (wire-facts 8.1). */
const ofItems = {
  ...others,
  ...(creation && { create: { ...creation, body: [...creation.body, { path: 'number', required: false }] } }),
};

/** Items with the requests that write them. */
export const writtenItems: Family = {
  ...items,
  endpoints: ofItems,
  clearable: CLEARABLE_SPECS,
  given: { ...bodySchemas(ofItems), additionalAttributes: givenAttributesSchema },
  writer: itemWriter,
};

const ofLines = bomLines.endpoints ?? {};

/** BOM lines with the requests that write them; a line without a quantity has a code of its own. */
export const writtenLines: Family = {
  ...bomLines,
  clearable: CLEARABLE_OF_LINE,
  given: {
    ...bodySchemas(ofLines),
    quantity: Type.Optional(Type.Unknown()),
    additionalAttributes: givenAttributesSchema,
  },
  writer: lineWriter,
};
