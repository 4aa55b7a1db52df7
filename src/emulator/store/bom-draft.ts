import { updates } from './item-draft.js';
import { BOM_LINE_COLUMNS, type BomLineRecord, bomLineValues, readBomLine } from './items.js';
import type { Statements } from './row-scope.js';

const COLUMNS = BOM_LINE_COLUMNS.split(', ');
const UNTOUCHED = 'NOT EXISTS (SELECT 1 FROM temp.draft_lines d WHERE d.guid = b.guid)';

const LINES = `SELECT ${BOM_LINE_COLUMNS} FROM main.bom_lines b WHERE parent = ? AND ${UNTOUCHED}
  UNION ALL SELECT ${BOM_LINE_COLUMNS} FROM temp.draft_lines WHERE parent = ? AND deleted = 0`;
const LINES_OF = `SELECT ${BOM_LINE_COLUMNS} FROM main.bom_lines b WHERE parent = ? AND child = ? AND ${UNTOUCHED}
  UNION ALL SELECT ${BOM_LINE_COLUMNS} FROM temp.draft_lines WHERE parent = ? AND child = ? AND deleted = 0`;
const REACHES = `WITH RECURSIVE below (guid) AS (
  VALUES (?)
  UNION SELECT b.child FROM below JOIN main.bom_lines b ON b.parent = below.guid WHERE ${UNTOUCHED}
  UNION SELECT d.child FROM below JOIN temp.draft_lines d ON d.parent = below.guid WHERE d.deleted = 0
) SELECT 1 FROM below WHERE guid = ? LIMIT 1`;
const WRITE = `INSERT INTO temp.draft_lines (${BOM_LINE_COLUMNS}, deleted) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)
  ON CONFLICT (guid) DO UPDATE SET ${updates([...COLUMNS, 'deleted'])}`;

/** BOM lines as they would be after the rows so far; see `ItemDraft`. */
export class BomDraft {
  readonly #data: Statements;

  constructor(data: Statements) {
    this.#data = data;
    data.exec(`
      DROP TABLE IF EXISTS temp.draft_lines;
      CREATE TEMP TABLE draft_lines (
        seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, child TEXT NOT NULL,
        line_number INTEGER, quantity REAL NOT NULL, ref_des TEXT, notes TEXT, additional TEXT NOT NULL,
        deleted INTEGER NOT NULL
      );
      CREATE INDEX temp.draft_lines_by_parent ON draft_lines (parent, child);
    `);
  }

  lines(parent: string): BomLineRecord[] {
    return this.#data.all(LINES, parent, parent).map(readBomLine);
  }

  /** The lines of a parent with a child. */
  linesOf(parent: string, child: string): BomLineRecord[] {
    return this.#data.all(LINES_OF, parent, child, parent, child).map(readBomLine);
  }

  /** Whether `to` is `from` itself or somewhere below it. */
  reaches(from: string, to: string): boolean {
    return this.#data.get(REACHES, from, to) !== undefined;
  }

  put(line: BomLineRecord): void {
    this.#write(line, 0);
  }

  remove(line: BomLineRecord): void {
    this.#write(line, 1);
  }

  /** Stores the draft. Call it in a write transaction. */
  merge(): void {
    this.#data.exec(`
      DELETE FROM main.bom_lines WHERE guid IN (SELECT guid FROM temp.draft_lines WHERE deleted = 1);
      INSERT INTO main.bom_lines (${BOM_LINE_COLUMNS})
        SELECT ${BOM_LINE_COLUMNS} FROM temp.draft_lines WHERE deleted = 0 ORDER BY seq
        ON CONFLICT (guid) DO UPDATE SET ${updates(COLUMNS)};
    `);
  }

  #write(line: BomLineRecord, deleted: number): void {
    this.#data.run(WRITE, ...bomLineValues(line), deleted);
  }
}
