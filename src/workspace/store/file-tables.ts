/** Files, suppliers, and what ties both to items (wire-facts 4; endpoints.md). Keys of imports are compared exactly. */
export const FILE_TABLES = `
CREATE TABLE files (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, number TEXT NOT NULL, title TEXT NOT NULL, name TEXT,
  category TEXT NOT NULL, fields TEXT NOT NULL, additional TEXT NOT NULL, content TEXT, size INTEGER,
  created TEXT NOT NULL, creator TEXT NOT NULL, modified TEXT
);
CREATE INDEX files_by_number ON files (number);
CREATE TABLE item_files (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, item TEXT NOT NULL, file TEXT NOT NULL, fields TEXT NOT NULL
);
CREATE INDEX item_files_by_item ON item_files (item, file);
CREATE INDEX item_files_by_file ON item_files (file);
CREATE TABLE suppliers (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, fields TEXT NOT NULL,
  additional TEXT NOT NULL, created TEXT NOT NULL, creator TEXT NOT NULL
);
CREATE INDEX suppliers_by_name ON suppliers (name);
CREATE TABLE supplier_items (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, supplier TEXT NOT NULL, number TEXT NOT NULL,
  fields TEXT NOT NULL, additional TEXT NOT NULL, created TEXT NOT NULL, creator TEXT NOT NULL, modified TEXT
);
CREATE INDEX supplier_items_by_number ON supplier_items (supplier, number);
CREATE TABLE item_sourcing (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, item TEXT NOT NULL, supplier_item TEXT NOT NULL,
  approval_status TEXT, fields TEXT NOT NULL
);
CREATE INDEX item_sourcing_by_item ON item_sourcing (item, supplier_item);
CREATE INDEX item_sourcing_by_supplier_item ON item_sourcing (supplier_item);
`;
