import type { Database } from '../store/database.js';

/** A table with several values for each record of a family, in order: other objects by GUID, or texts. */
export interface ListTable {
  readonly name: string;
  /** The column of the values: `member` for GUIDs, `value` for texts. */
  readonly column: 'member' | 'value';
  /** The table whose objects are the members, and whether those can be deleted. */
  readonly of?: { readonly table: string; readonly deletable: boolean };
}

/** Defines the table: a text is unique in it, a member per owner. Rows are deleted with their owner or member. */
export function listTableSql({ name, column, of }: ListTable, owners: string): string {
  const target = of ? ` REFERENCES ${of.table} (guid)${of.deletable ? ' ON DELETE CASCADE' : ''}` : ' UNIQUE';
  const once = of ? ', UNIQUE (owner, member)' : '';
  const index = of ? `${name}_by_member ON ${name} (member)` : `${name}_by_owner ON ${name} (owner, seq)`;
  return `CREATE TABLE IF NOT EXISTS ${name} (
    seq INTEGER PRIMARY KEY, owner TEXT NOT NULL REFERENCES ${owners} (guid) ON DELETE CASCADE,
    ${column} TEXT NOT NULL${target}${once}
  );
  CREATE INDEX IF NOT EXISTS ${index};`;
}

/** Adds a value; adding an existing one changes nothing. */
export function addEntry(database: Database, { name, column }: ListTable, owner: string, value: string): void {
  database.run(`INSERT OR IGNORE INTO ${name} (owner, ${column}) VALUES (?, ?)`, owner, value);
}

/** Removes a value; removing a missing one changes nothing. */
export function removeEntry(database: Database, { name, column }: ListTable, owner: string, value: string): void {
  database.run(`DELETE FROM ${name} WHERE owner = ? AND ${column} = ?`, owner, value);
}

/** Whether the owner has exactly this value. */
export function hasEntry(database: Database, { name, column }: ListTable, owner: string, value: string): boolean {
  return database.get(`SELECT 1 FROM ${name} WHERE owner = ? AND ${column} = ?`, owner, value) !== undefined;
}

/**
 * Replaces all values of the owner with these, in this order; skips a text that another owner has. Call it in a
 * transaction, since it deletes before it adds.
 */
export function replaceEntries(database: Database, table: ListTable, owner: string, values: readonly string[]): void {
  database.run(`DELETE FROM ${table.name} WHERE owner = ?`, owner);
  for (const value of values) addEntry(database, table, owner, value);
}
