import type { Database } from '../store/database.js';
import type { Family } from './family.js';
import { listTableSql } from './list-table.js';
import type { Members } from './members.js';

/**
 * Creates the tables of families that a file lacks. Call it whenever a file is opened: the table of a new family needs
 * no migration; only changes of existing tables do.
 */
export function createTables(database: Database, families: readonly Family[], memberships: readonly Members[]): void {
  const lists = memberships.map(({ table, owner }) => listTableSql(table, owner.table));
  database.exec([...families.map(tableSql), ...lists].join('\n'));
}

function tableSql({ table, fields, numbered, indexes = {} }: Family): string {
  const declared = fields.flatMap(({ column }) => (column ? [`"${column.name}" ${column.declaration}`] : []));
  const key = `${numbered ? 'number' : 'seq'} INTEGER PRIMARY KEY`;
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (${[key, 'guid TEXT NOT NULL UNIQUE', ...declared].join(', ')});`,
    ...Object.entries(indexes).map(([name, of]) => {
      const [columns, where = ''] = of.split(/(?= WHERE )/);
      return `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${columns})${where};`;
    }),
    ...fields.flatMap((field) => (field.table ? [listTableSql(field.table, table)] : [])),
  ].join('\n');
}
