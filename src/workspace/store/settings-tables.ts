/** Number formats and reservations, policies and the settings of suppliers (wire-facts 0 and 7, interface 4.6). */
export const SETTINGS_TABLES = `
CREATE TABLE number_formats (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  is_default INTEGER NOT NULL, fields TEXT NOT NULL, taken INTEGER NOT NULL, created TEXT NOT NULL
);
CREATE TABLE number_reservations (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  category TEXT NOT NULL REFERENCES categories (guid), created TEXT NOT NULL,
  creator TEXT NOT NULL REFERENCES users (guid)
);
CREATE TABLE reserved_numbers (
  seq INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL REFERENCES number_reservations (guid) ON DELETE CASCADE
);
CREATE INDEX reserved_numbers_by_owner ON reserved_numbers (owner, seq);
CREATE TABLE policies (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL, enabled INTEGER NOT NULL, rules TEXT NOT NULL, created TEXT NOT NULL,
  creator TEXT NOT NULL REFERENCES users (guid), modified TEXT, modifier TEXT
);
CREATE TABLE policy_groups (
  seq INTEGER PRIMARY KEY, owner TEXT NOT NULL REFERENCES policies (guid) ON DELETE CASCADE,
  member TEXT NOT NULL REFERENCES user_groups (guid) ON DELETE CASCADE, UNIQUE (owner, member)
);
CREATE INDEX policy_groups_by_member ON policy_groups (member);
CREATE TABLE approval_statuses (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT, active INTEGER NOT NULL
);
`;
