import { zulu } from '../rules/date-times.js';
import type { Workspace } from '../rules/workspace.js';
import type { Row } from '../store/driver.js';
import type { Family, Writing } from './family.js';
import { type Field, type Stamp, type StoredRecord, valueIn } from './field.js';
import { deleteRecord, findRow, holderOf, insertRecord, updateRecord } from './records.js';

/** Makes a record of a request and gives its row. To be called in a transaction. */
export function createRecord<R extends StoredRecord>(family: Family<R>, writing: Writing): Row {
  const { workspace } = writing;
  const guid = workspace.chance.guid();
  const record = checked(family, writing, { ...initialValues(family), ...stamps(family, writing, 'made'), guid } as R);
  insertRecord(workspace.settings, family, record);
  family.after?.(record, writing);
  return findRow(workspace, family, guid);
}

/**
 * A full update: what the body leaves out gets its default (the harsh reading of wire-facts 0, "user groups"). What no
 * request says stays as it is.
 */
export function replaceRecord<R extends StoredRecord>(family: Family<R>, writing: Writing, guid: string): Row {
  const { workspace } = writing;
  const known = family.read(findRow(workspace, family, guid));
  const record = checked(family, writing, { ...known, ...stamps(family, writing, 'changed') });
  updateRecord(workspace.settings, family, record);
  family.after?.(record, writing);
  return findRow(workspace, family, guid);
}

/** What belongs to the record goes with it. */
export function removeRecord(family: Family, workspace: Workspace, guid: string): void {
  findRow(workspace, family, guid);
  deleteRecord(workspace.settings, family, guid);
}

/** Each value by itself, then what must be unique, then references, then the rules of the family. */
function checked<R extends StoredRecord>(family: Family<R>, writing: Writing, base: R): R {
  const { workspace } = writing;
  const record = { ...base, ...givenValues(family, writing) };
  for (const field of family.fields) refuseTaken(family, workspace, field, record);
  for (const field of family.fields) field.resolve?.(valueIn(record, field.name), workspace);
  return family.check?.(record, writing) ?? record;
}

function givenValues(
  { fields }: Pick<Family, 'fields'>,
  { body, workspace }: Writing,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, given } of fields) {
    if (given) values[name] = given.parse(body[name], workspace);
  }
  return values;
}

function refuseTaken(family: Pick<Family, 'table'>, { settings }: Workspace, field: Field, record: StoredRecord): void {
  if (!field.taken) return;
  const value = valueIn(record, field.name);
  const holder = holderOf(settings, family, field, value);
  if (holder !== undefined && holder !== record.guid) throw field.taken(value);
}

function initialValues({ fields }: Pick<Family, 'fields'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));
}

/** What the service writes itself; a record that was never changed has null for it. */
function stamps(
  { fields }: Pick<Family, 'fields'>,
  { workspace, caller }: Writing,
  event: 'made' | 'changed',
): Readonly<Record<string, unknown>> {
  const stamp: Stamp = { by: caller.guid, at: zulu(workspace.clock()) };
  const values: Record<string, unknown> = {};
  for (const { name, stamp: own } of fields) {
    const part = own?.[event];
    if (part) values[name] = stamp[part];
    else if (own && event === 'made') values[name] = null;
  }
  return values;
}
