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
  seq INTEGER PRIMARY KEY, number TEXT NOT NULL UNIQUE,
  reservation TEXT NOT NULL REFERENCES number_reservations (guid) ON DELETE CASCADE
);
CREATE INDEX reserved_numbers_of_reservation ON reserved_numbers (reservation, seq);
CREATE TABLE policies (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL, enabled INTEGER NOT NULL, rules TEXT NOT NULL, created TEXT NOT NULL,
  creator TEXT NOT NULL REFERENCES users (guid), modified TEXT, modifier TEXT
);
CREATE TABLE policy_groups (
  seq INTEGER PRIMARY KEY, policy TEXT NOT NULL REFERENCES policies (guid) ON DELETE CASCADE,
  group_guid TEXT NOT NULL REFERENCES user_groups (guid) ON DELETE CASCADE, UNIQUE (policy, group_guid)
);
CREATE INDEX policy_groups_by_group ON policy_groups (group_guid);
CREATE TABLE approval_statuses (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT, active INTEGER NOT NULL
);
`;
