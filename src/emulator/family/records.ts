import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import { isGuid } from '../rules/guid-source.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Database } from '../store/database.js';
import type { Clause } from '../store/search.js';
import type { Family } from './family.js';
import { type Field, type StoredRecord, valueIn } from './field.js';
import { replaceEntries } from './list-table.js';

/** Finds the row with a GUID; refuses with 3011 an invalid or unknown GUID, or a row that fails the condition. */
export function findRow(
  workspace: Workspace,
  { byGuid, one, absent }: Pick<Family, 'byGuid' | 'one' | 'absent'>,
  guid: string,
  only?: Clause,
): Row {
  const sql = only ? `${byGuid} AND ${only.sql}` : byGuid;
  if (!isGuid(guid)) throw refuse.guid(guid);
  const row = workspace.settings.get(sql, guid, ...(only?.values ?? []));
  if (row) return row;
  throw absent === undefined ? refuse.guid(guid) : refusal(absent, `"${guid}" is not the GUID of ${one}.`);
}

/** The column with the GUIDs of owners. */
export function ownerColumn({ fields, ownedBy = 'ownerGuid' }: Pick<Family, 'fields' | 'ownedBy'>): string {
  return fields.find(({ name }) => name === ownedBy)?.column?.name ?? 'owner';
}

/** The GUID under which others keep the entry of a row; those of its versions name it as well. */
export const entryGuid = ({ versions }: Pick<Family, 'versions'>, row: Row): string =>
  String(row[versions?.column ?? 'guid']);

/** The condition that a column refers to the entry of a row, by its GUID or by that of one of its versions. */
export function refersTo(column: string, family: Pick<Family, 'versions'>, row: Row): Clause {
  const guid = entryGuid(family, row);
  if (family.versions === undefined) return { sql: `${column} = ?`, values: [guid] };
  return { sql: `${column} IN (${family.versions.select} UNION ALL SELECT ?)`, values: [guid, guid] };
}

/** Finds the record with a GUID; refuses with 3011 as {@link findRow} does. */
export function findRecord<R extends StoredRecord>(workspace: Workspace, family: Family<R>, guid: string): R {
  return family.read(findRow(workspace, family, guid));
}

/** The record with a GUID, if there is one. */
export function readRecord<R extends StoredRecord>(database: Database, family: Family<R>, guid: string): R | undefined {
  const row = database.get(family.byGuid, guid);
  return row && family.read(row);
}

/** All records, in the order of the list. */
export function selectRecords<R extends StoredRecord>(database: Database, family: Family<R>): R[] {
  const { select, order } = family.rows;
  return database.all(`${select} ORDER BY ${order}`).map(family.read);
}

/** Finds the GUID of a record with this value in a field; the declaration of the column defines the comparison. */
export function findHolder(
  database: Database,
  { table }: Pick<Family, 'table'>,
  field: Field,
  value: unknown,
): string | undefined {
  const row = database.get(`SELECT guid FROM ${table} WHERE ${quotedName(field)} = ?`, written(field, value));
  return row && String(row.guid);
}

/** Stores a new record with its lists, without checks, which are the caller's. Call it in a transaction. */
export function insertRecord<R extends StoredRecord>(database: Database, family: Family<R>, record: R): void {
  database.run(statementsOf(family).insert.sql, ...recordValues(family, record));
  replaceLists(database, family, record);
}

/** The columns of a record, in the order of {@link recordValues}; lists are in tables of their own. */
export function recordColumns<R extends StoredRecord>(family: Family<R>): readonly string[] {
  return ['guid', ...statementsOf(family).insert.fields.map(columnName)];
}

/** The values of a record as SQLite takes them, in the order of {@link recordColumns}. */
export function recordValues<R extends StoredRecord>(family: Family<R>, record: R): SqlValue[] {
  return [record.guid, ...statementsOf(family).insert.fields.map((field) => writtenOf(field, record))];
}

/**
 * Updates the fields that requests, rules and stamps set. Unique values are written only if one of them changed: SQLite
 * removes an index entry and adds it again whenever its column is written.
 */
export function updateRecord<R extends StoredRecord>(
  database: Database,
  family: Family<R>,
  record: R,
  stored: R,
): void {
  const { update, updateUnindexed } = statementsOf(family);
  const same = family.having.taken.every(({ name }) => valueIn(record, name) === valueIn(stored, name));
  const { sql, fields } = same ? updateUnindexed : update;
  database.run(sql, ...fields.map((field) => writtenOf(field, record)), record.guid);
  replaceLists(database, family, record);
}

/** Sets some fields of a record that have columns, without checks. */
export function setFields<R extends StoredRecord>(
  database: Database,
  { table, fields }: Family<R>,
  guid: string,
  values: Partial<R>,
): void {
  const set = fields.filter(({ name, column }) => column !== undefined && Object.hasOwn(values, name));
  const { sql } = updateOf(table, set);
  database.run(sql, ...set.map((field) => writtenOf(field, { guid, ...values })), guid);
}

/** Deletes a record and the rows that refer to it by `ON DELETE CASCADE`; a missing record is not an error. */
export function deleteRecord(database: Database, { table }: Pick<Family, 'table'>, guid: string): void {
  database.run(`DELETE FROM ${table} WHERE guid = ?`, guid);
}

function replaceLists(database: Database, { having }: Family, record: StoredRecord): void {
  for (const { table, name } of having.table) {
    if (table) replaceEntries(database, table, record.guid, valueIn(record, name) as readonly string[]);
  }
}

interface Prepared {
  readonly sql: string;
  /** The fields whose values it takes, in this order. */
  readonly fields: readonly Field[];
}

interface Statements {
  readonly insert: Prepared;
  readonly update: Prepared;
  /** Leaves out the unique columns. */
  readonly updateUnindexed: Prepared;
}

const prepared = new WeakMap<Family, Statements>();

function statementsOf(family: Family): Statements {
  const known = prepared.get(family) ?? statementsFor(family);
  prepared.set(family, known);
  return known;
}

function statementsFor({ table, fields }: Family): Statements {
  const all = fields.filter((field) => field.column !== undefined);
  const changing = all.filter((field) => field.given || field.ruled || field.stamp?.changed);
  const columns = ['guid', ...all.map(quotedName)];
  const marks = columns.map(() => '?').join(', ');
  const unindexed = changing.filter((field) => !field.taken);
  return {
    insert: { sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, fields: all },
    update: updateOf(table, changing),
    updateUnindexed: updateOf(table, unindexed.length === 0 ? changing : unindexed),
  };
}

function updateOf(table: string, fields: readonly Field[]): Prepared {
  const changes = fields.map((field) => `${quotedName(field)} = ?`).join(', ');
  return { sql: `UPDATE ${table} SET ${changes} WHERE guid = ?`, fields };
}

/** Quotes a column, since its name may be an SQL keyword such as `group`. */
const quotedName = (field: Field): string => `"${columnName(field)}"`;

const columnName = (field: Field): string => field.column?.name ?? field.name;

const writtenOf = (field: Field, record: StoredRecord): SqlValue => written(field, valueIn(record, field.name));

const written = (field: Field, value: unknown): SqlValue => (field.write ? field.write(value) : (value as SqlValue));
