import type { SqlValue } from '#base/sqlite/sqlite.js';
import type { StoredRecord } from '../family/field.js';
import type { Workspace } from '../rules/workspace.js';

/** Whether another entry of the same owner has this value at a path of its plain values, such as `affected.guid`. */
export function hasSibling(
  { settings }: Workspace,
  table: string,
  { guid, ownerGuid }: StoredRecord & { readonly ownerGuid: string },
  path: string,
  value: SqlValue,
): boolean {
  const others = `SELECT 1 FROM ${table} WHERE owner = ? AND guid <> ? AND fields ->> ? = ?`;
  return settings.get(others, ownerGuid, guid, `$.${path}`, value) !== undefined;
}
