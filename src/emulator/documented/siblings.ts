import type { SqlValue } from '#base/sqlite/sqlite.js';
import type { Family } from '../family/family.js';
import { type StoredRecord, valueIn } from '../family/field.js';
import { ownerColumn } from '../family/records.js';
import type { Workspace } from '../rules/workspace.js';

/** Whether another entry of the same owner has this value in a field, or in a part of one such as `affected.guid`. */
export function hasSibling(
  { settings }: Workspace,
  family: Family,
  record: StoredRecord,
  path: string,
  value: SqlValue,
): boolean {
  const { table, ownedBy = 'ownerGuid' } = family;
  const column = family.fields.find(({ name }) => name === path)?.column?.name;
  const field = column === undefined ? `fields ->> '$.${path}'` : `"${column}"`;
  const others = `SELECT 1 FROM ${table} WHERE ${ownerColumn(family)} = ? AND guid <> ? AND ${field} = ?`;
  return settings.get(others, String(valueIn(record, ownedBy)), record.guid, value) !== undefined;
}
