import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { text, textOrNull } from './select.js';

/** The state of a revision, as the interface counts it (wire-facts 8.1). */
export const WORKING = 0;
export const EFFECTIVE = 1;
export const SUPERSEDED = 2;

/** The columns of items that revisions repeat, with the values of the time when they became effective. */
const SPECS = 'number, name, description, category, phase, owner, fields, additional, created, creator, modified';

/**
 * The tables of the settings of BOMs, and of the revisions that became effective. The row of an item is its working revision, so imports go on
 * writing that; the lists of a revision are kept as JSON, so that nobody takes its BOM lines for those of an item.
 */
export const ITEM_TABLES = `
CREATE TABLE IF NOT EXISTS item_revisions (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, item TEXT NOT NULL REFERENCES items (guid) ON DELETE CASCADE,
  status INTEGER NOT NULL, revision TEXT NOT NULL, notes TEXT, change TEXT NOT NULL, effective TEXT NOT NULL,
  superseded TEXT, deviated INTEGER NOT NULL DEFAULT 0, number TEXT NOT NULL, name TEXT NOT NULL, description TEXT, category TEXT NOT NULL,
  phase TEXT NOT NULL, owner TEXT NOT NULL, fields TEXT NOT NULL, additional TEXT NOT NULL, created TEXT NOT NULL,
  creator TEXT NOT NULL, modified TEXT, bom TEXT NOT NULL, files TEXT NOT NULL, sourcing TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS item_revisions_of_item ON item_revisions (item, status);
CREATE TABLE IF NOT EXISTS bom_settings (
  item TEXT PRIMARY KEY REFERENCES items (guid) ON DELETE CASCADE, automatic INTEGER NOT NULL, checked INTEGER NOT NULL
) WITHOUT ROWID;
`;

/** The items and their revisions, with the columns of items. */
export const ALL_REVISIONS = `(
  SELECT seq, guid, guid AS item, locked, ${SPECS} FROM items
  UNION ALL SELECT seq, guid, item, 0, ${SPECS} FROM item_revisions)`;

/** Selects the GUIDs of the revisions of an item that became effective. */
export const GUIDS_OF_REVISIONS = 'SELECT guid FROM item_revisions WHERE item = ?';

const LINE = 'seq, guid, child, line_number, quantity, ref_des, notes, additional';

/** The BOM lines of items and of their revisions; `owner` is the item or the revision. */
export const ALL_LINES = `(
  SELECT parent AS owner, ${LINE} FROM bom_lines
  UNION ALL SELECT r.guid, ${LINE.split(', ')
    .map((column) => `l.value ->> '${column}'`)
    .join(', ')} FROM item_revisions r, json_each(r.bom) l)`;

const jsonOf = (values: string, table: string, where: string): string =>
  `(SELECT json_group_array(${values}) FROM (SELECT * FROM ${table} WHERE ${where} ORDER BY seq))`;

/** What revisions keep of the lists of an item, by column. */
const listsOf = (item: string): Readonly<Record<'bom' | 'files' | 'sourcing', string>> => ({
  bom: jsonOf(
    `json_object(${LINE.split(', ')
      .map((column) => `'${column}', ${column}`)
      .join(', ')})`,
    'bom_lines',
    `parent = ${item}`,
  ),
  files: jsonOf('json_array(file, fields)', 'item_files', `item = ${item}`),
  sourcing: jsonOf('json_array(supplier_item, approval_status, fields)', 'item_sourcing', `item = ${item}`),
});

const specsOf = (row: string): string =>
  `json_array(${['number', 'name', 'description', 'category', 'owner', 'additional']
    .map((column) => `${row}.${column}`)
    .join(', ')}, json_remove(${row}.fields, '$.revisionNumber'))`;

/** SQL that says whether a part of the working revision differs from the effective one of the item or revision `t`. */
export function modifiedSql(part: 'specs' | 'bom' | 'files' | 'sourcing'): string {
  const now =
    part === 'specs' ? `(SELECT ${specsOf('i')} FROM items i WHERE i.guid = r.item)` : listsOf('r.item')[part];
  const then = part === 'specs' ? specsOf('r') : `r.${part}`;
  const item = '(SELECT item FROM item_revisions WHERE guid = t.guid)';
  return `coalesce((SELECT ${then} <> ${now} FROM item_revisions r
    WHERE r.item = coalesce(${item}, t.guid) AND r.status = ${EFFECTIVE}), 0)`;
}

/** A revision that becomes effective. */
export interface NewRevision {
  readonly guid: string;
  readonly item: string;
  /** The GUID of the item or revision whose specs and lists it takes. */
  readonly from: string;
  readonly phase: string;
  readonly revision: string;
  readonly notes: string | null;
  /** The change as lists of revisions show it. */
  readonly change: object;
  readonly at: string;
}

/** Makes a revision effective, which supersedes the one before. Call it in a transaction. */
export function insertRevision(database: Database, revision: NewRevision): void {
  const { guid, item, from, phase, at } = revision;
  database.run(
    `UPDATE item_revisions SET status = ${SUPERSEDED}, superseded = ? WHERE item = ? AND status = ${EFFECTIVE}`,
    ...[at, item],
  );
  const specs = SPECS.split(', ').filter((column) => column !== 'phase');
  const lists = from === item ? listsOf('t.guid') : { bom: 'v.bom', files: 'v.files', sourcing: 'v.sourcing' };
  database.run(
    `INSERT INTO item_revisions (guid, item, status, revision, notes, change, effective, phase, ${specs.join(', ')},
      bom, files, sourcing)
    SELECT ?, ?, ${EFFECTIVE}, ?, ?, ?, ?, ?, ${specs.map((column) => `t.${column}`).join(', ')},
      ${lists.bom}, ${lists.files}, ${lists.sourcing}
    FROM ${ALL_REVISIONS} t LEFT JOIN item_revisions v ON v.guid = t.guid WHERE t.guid = ?`,
    ...[guid, item, revision.revision, revision.notes, JSON.stringify(revision.change), at, phase, from],
  );
}

/** Marks the effective revision of an item as one from which a temporary change deviates, or as such no more. */
export function setDeviated(database: Database, item: string, deviated: boolean): void {
  const sql = `UPDATE item_revisions SET deviated = ? WHERE item = ? AND status = ${EFFECTIVE}`;
  database.run(sql, Number(deviated), item);
}

/** A revision by its GUID, its item and its state. */
export interface RevisionName {
  readonly guid: string;
  readonly item: string;
  readonly status: number;
  readonly phase: string;
}

/** The revision with a GUID; undefined if that is of an item itself, its working revision, or of nothing. */
export const findRevision = (database: Database, guid: string): RevisionName | undefined =>
  readName(database.get('SELECT * FROM item_revisions WHERE guid = ?', guid));

/** The effective revision of an item; undefined while it is unreleased. */
export const effectiveRevision = (database: Database, item: string): RevisionName | undefined =>
  readName(database.get(`SELECT * FROM item_revisions WHERE item = ? AND status = ${EFFECTIVE}`, item));

function readName(row: Row | undefined): RevisionName | undefined {
  if (row === undefined) return undefined;
  return { guid: text(row, 'guid'), item: text(row, 'item'), status: Number(row.status), phase: text(row, 'phase') };
}

/** The numbers of the revisions that an item has had, the oldest first. */
export function revisionNumbers(database: Database, item: string): string[] {
  const rows = database.all('SELECT revision FROM item_revisions WHERE item = ? ORDER BY seq', item);
  return rows.map((row) => textOrNull(row, 'revision') ?? '');
}

/** How the BOM of an item is kept (wire-facts 8.2). */
export interface BomSettings {
  readonly automaticallyGenerateLineNumbers: boolean;
  readonly checkReferenceDesignators: boolean;
}

/** The settings of the BOM of an item; line numbers are entered, and designators checked, unless it says otherwise. */
export function readBomSettings(database: Database, item: string): BomSettings {
  const row = database.get('SELECT automatic, checked FROM bom_settings WHERE item = ?', item) ?? { checked: 1 };
  return { automaticallyGenerateLineNumbers: row.automatic === 1, checkReferenceDesignators: row.checked === 1 };
}

/** Replaces the settings of a BOM. Line numbers that are generated are not kept, so that lines show none. */
export function writeBomSettings(database: Database, item: string, settings: BomSettings): void {
  const { automaticallyGenerateLineNumbers, checkReferenceDesignators } = settings;
  const values = [item, Number(automaticallyGenerateLineNumbers), Number(checkReferenceDesignators)];
  database.run('INSERT OR REPLACE INTO bom_settings (item, automatic, checked) VALUES (?, ?, ?)', ...values);
  if (automaticallyGenerateLineNumbers) database.run('UPDATE bom_lines SET line_number = NULL WHERE parent = ?', item);
}
