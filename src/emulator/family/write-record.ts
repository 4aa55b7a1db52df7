import type { Row } from '#base/sqlite/sqlite.js';
import { zulu } from '../rules/date-times.js';
import type { Workspace } from '../rules/workspace.js';
import { refuseDuringRun } from '../store/open-runs.js';
import type { Clause } from '../store/search.js';
import type { Family } from './family.js';
import { type Field, type Stamp, type StoredRecord, valueIn, type WriteRequest } from './field.js';
import { deleteRecord, findHolder, findRow, insertRecord, updateRecord } from './records.js';

/** Creates a record from a request and returns its row. Call it in a transaction. */
export function createRecord<R extends StoredRecord>(family: Family<R>, writing: WriteRequest): Row {
  const { workspace } = writing;
  refuseDuringImport(family, workspace);
  if (family.writer) return findRow(workspace, family, family.writer.create(writing));
  const guid = workspace.chance.guid();
  const draft: Draft = { guid, [family.ownedBy ?? 'ownerGuid']: writing.owner };
  for (const { name, initial } of family.having.initial) draft[name] = initial;
  const record = checkRecord(family, writing, applyStamps(family, writing, draft, 'made'));
  insertRecord(workspace.settings, family, record);
  storeParts(family, record, writing);
  return findRow(workspace, family, guid);
}

/**
 * Updates a record: in full, so that a field that the body leaves out gets its default (the strict reading of wire-facts
 * 0, "user groups"), or in part, if the family says what an update may remove (wire-facts 8). Fields that requests
 * cannot set stay as they are.
 */
export function replaceRecord<R extends StoredRecord>(
  family: Family<R>,
  writing: WriteRequest,
  guid: string,
  only?: Clause,
): Row {
  const { workspace } = writing;
  refuseDuringImport(family, workspace);
  const row = findRow(workspace, family, guid, only);
  if (family.writer) {
    family.writer.update(writing, row);
    return findRow(workspace, family, guid, only);
  }
  const stored = family.read(row);
  const draft = { ...stored } as StoredRecord as Draft;
  const record = checkRecord(family, writing, applyStamps(family, writing, draft, 'changed'), stored);
  updateRecord(workspace.settings, family, record, stored);
  storeParts(family, record, writing);
  return findRow(workspace, family, guid, only);
}

function storeParts<R extends StoredRecord>(family: Family<R>, record: R, writing: WriteRequest): void {
  for (const field of family.having.given) field.store?.(writing.body[field.name] ?? undefined, record, writing);
  family.after?.(record, writing);
}

/** Deletes a record that meets the condition, with everything that belongs to it. */
export function removeRecord(family: Family, writing: WriteRequest, guid: string, only?: Clause): void {
  const { workspace } = writing;
  refuseDuringImport(family, workspace);
  if (family.writer) {
    family.writer.remove(writing, guid, only);
    return;
  }
  const record = family.read(findRow(workspace, family, guid, only));
  family.refuseDelete?.(record, workspace);
  deleteRecord(workspace.settings, family, guid);
}

function refuseDuringImport({ imported }: Pick<Family, 'imported'>, { settings }: Workspace): void {
  if (imported) refuseDuringRun(settings);
}

/** A record that is being filled. */
type Draft = Record<string, unknown> & { readonly guid: string };

/** Checks each value by itself, then changed unique values, then references, then the rules of the family. */
function checkRecord<R extends StoredRecord>(family: Family<R>, writing: WriteRequest, draft: Draft, stored?: R): R {
  const { workspace, body } = writing;
  const { given, taken, resolve } = family.having;
  for (const field of given) {
    if (!isWritten(family, writing, field.name, stored)) continue;
    const value = field.given?.parse(body[field.name], workspace);
    if (field.put) field.put(value, draft);
    else draft[field.name] = value;
  }
  for (const field of taken) {
    if (!stored || draft[field.name] !== valueIn(stored, field.name)) refuseTaken(family, workspace, field, draft);
  }
  for (const field of resolve) field.resolve?.(draft[field.name], workspace);
  const record = draft as StoredRecord as R;
  const complete = stored === undefined ? (family.begin?.(record, writing) ?? record) : record;
  return family.check?.(complete, writing) ?? complete;
}

/** Whether a request gives a field: a partial update leaves out the others, and removes only what it may. */
function isWritten(
  { clearable }: Pick<Family, 'clearable'>,
  { body, setsNull }: WriteRequest,
  name: string,
  stored: StoredRecord | undefined,
): boolean {
  if (clearable === undefined || stored === undefined) return true;
  if (body[name] === null) return setsNull === true && clearable.includes(name);
  return body[name] !== undefined;
}

function refuseTaken(family: Pick<Family, 'table'>, { settings }: Workspace, field: Field, draft: Draft): void {
  const value = draft[field.name];
  const holder = findHolder(settings, family, field, value);
  if (field.taken && holder !== undefined && holder !== draft.guid) throw field.taken(value);
}

/** Sets the stamps that the service writes; a record that was never changed has null for those of changes. */
function applyStamps(
  { having }: Pick<Family, 'having'>,
  { workspace, caller }: WriteRequest,
  draft: Draft,
  event: 'made' | 'changed',
): Draft {
  const values: Stamp = { by: caller.guid, at: zulu(workspace.clock()) };
  for (const { name, stamp } of having.stamp) {
    const part = stamp?.[event];
    if (part) draft[name] = values[part];
    else if (event === 'made') draft[name] = null;
  }
  return draft;
}
