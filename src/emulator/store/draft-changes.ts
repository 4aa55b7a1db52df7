import type { Database } from './database.js';
import { PLACED, type PlacedItem, readPages, readPlaced } from './item-pages.js';
import { BOM_LINE_COLUMNS, type BomLineRecord, readBomLine, readItem } from './items.js';
import { text } from './select.js';

/** An item that an import creates or edits: its stored state, and its state in the draft. */
export interface ItemChange {
  readonly before: PlacedItem | undefined;
  readonly after: PlacedItem;
}

/** An item whose BOM an import changes: the lines that differ, as stored and as in the draft. */
export interface BomChange {
  readonly item: PlacedItem;
  readonly before: readonly BomLineRecord[];
  readonly after: readonly BomLineRecord[];
}

const PAGE = 500;

/** Yields the items that the draft changes, without deleted ones. Call it before the draft is merged. */
export function* itemChanges(database: Database): Generator<ItemChange> {
  const drafts = `SELECT * FROM temp.draft_items d WHERE d.seq > ? AND d.deleted = 0 ORDER BY d.seq LIMIT ${PAGE}`;
  const stored = `SELECT ${PLACED} FROM main.items i WHERE i.guid IN
    (SELECT d.guid FROM temp.draft_items d WHERE d.seq >= ? AND d.seq <= ?)`;
  for (const rows of readPages(database, drafts)) {
    const [first, last] = [rows.at(0)?.seq ?? 0, rows.at(-1)?.seq ?? 0];
    const before = new Map(database.all(stored, first, last).map((row) => [text(row, 'guid'), readPlaced(row)]));
    for (const row of rows) {
      const item = readItem(row);
      const { isAssembly = false, inAssembly = false } = before.get(item.guid) ?? {};
      yield { before: before.get(item.guid), after: { ...item, isAssembly, inAssembly } };
    }
  }
}

/** Yields the changes in the draft of BOM lines, by parent. Replacing a line with an equal one does not count. */
export function* bomChanges(database: Database): Generator<BomChange> {
  const parents = database.all('SELECT parent, min(seq) AS first FROM temp.draft_lines GROUP BY parent ORDER BY first');
  const stored = `SELECT ${BOM_LINE_COLUMNS} FROM main.bom_lines b WHERE b.parent = ?
    AND EXISTS (SELECT 1 FROM temp.draft_lines d WHERE d.guid = b.guid) ORDER BY b.seq`;
  const drafted = `SELECT ${BOM_LINE_COLUMNS} FROM temp.draft_lines d WHERE d.parent = ? AND d.deleted = 0 ORDER BY d.seq`;
  for (const { parent = '' } of parents) {
    const row = database.get(`SELECT ${PLACED} FROM main.items i WHERE i.guid = ?`, parent);
    const before = database.all(stored, parent).map(readBomLine);
    const after = database.all(drafted, parent).map(readBomLine);
    const change = { before: unmatchedLines(before, after), after: unmatchedLines(after, before) };
    if (row && change.before.length + change.after.length > 0) yield { item: readPlaced(row), ...change };
  }
}

/** Returns the lines without those that have an equal among the others. */
function unmatchedLines(lines: readonly BomLineRecord[], others: readonly BomLineRecord[]): BomLineRecord[] {
  const left = new Map<string, number>();
  for (const content of others.map(contentOf)) left.set(content, (left.get(content) ?? 0) + 1);
  return lines.filter((line) => {
    const content = contentOf(line);
    const count = left.get(content) ?? 0;
    left.set(content, count - 1);
    return count <= 0;
  });
}

function contentOf({ child, lineNumber, quantity, refDes, notes, additional }: BomLineRecord): string {
  const sorted = Object.entries(additional).sort(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([child, lineNumber, quantity, refDes, notes, sorted]);
}
