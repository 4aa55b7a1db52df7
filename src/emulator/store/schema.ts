import { EXCHANGE_TABLES } from './exchange-tables.js';

/** Marks a database file as a workspace (the letters DXWS), so that no other SQLite file is taken for one. */
export const APPLICATION_ID = 0x44585753;

/**
 * The tables of a workspace besides those of families. The drafts of imports repeat the columns of `bom_lines` and of
 * the family of items, except for the lock of an item, which an import does not change.
 */
export const WORKSPACE_TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE categories (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, world TEXT NOT NULL, name TEXT NOT NULL,
  path TEXT NOT NULL COLLATE NOCASE, parent TEXT, level INTEGER NOT NULL, structural INTEGER NOT NULL,
  system_defined INTEGER NOT NULL, number_format TEXT, created TEXT NOT NULL, UNIQUE (world, path)
);
CREATE TABLE attributes (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, world TEXT NOT NULL, api_name TEXT NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE, field_type TEXT NOT NULL, custom INTEGER NOT NULL, required INTEGER NOT NULL,
  multi_select INTEGER NOT NULL, max_length INTEGER, possible_values TEXT NOT NULL,
  category TEXT REFERENCES categories (guid), UNIQUE (world, name)
);
CREATE TABLE bom_lines (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, child TEXT NOT NULL, line_number INTEGER,
  quantity REAL NOT NULL, ref_des TEXT, notes TEXT, additional TEXT NOT NULL
);
CREATE INDEX bom_lines_by_parent ON bom_lines (parent, child);
CREATE INDEX bom_lines_by_child ON bom_lines (child);
${EXCHANGE_TABLES}`;

/** The tables that only the HTTP thread writes, in a file of their own so that a request never waits for an import. */
export const USAGE_TABLES = `
CREATE TABLE IF NOT EXISTS sessions (
  user_guid TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, last_used INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS login_failures (
  user_guid TEXT PRIMARY KEY, count INTEGER NOT NULL, locked_until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS last_workspaces (
  email TEXT PRIMARY KEY COLLATE NOCASE, workspace INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS api_usages (
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL,
  email TEXT NOT NULL, reason TEXT
);
CREATE INDEX IF NOT EXISTS api_usages_by_time ON api_usages (at);
`;
