import type { Database } from './database.js';
import { flag, text } from './select.js';

/** Whether the runs after the first one contain the changes besides the whole (interface 2.4). */
export type ExtractType = 'FULL' | 'FULL_AND_DELTA';

/** Whether the changes since the last completed run of an extract are known. */
export function isTracked(database: Database, extract: string): boolean {
  const row = database.get('SELECT tracking FROM extracts WHERE guid = ?', extract);
  return row !== undefined && flag(row, 'tracking');
}

/** Starts to collect changes for the next run; the run that ends now contains those so far. */
export function trackFromNow(database: Database, extract: string): void {
  database.run("UPDATE extracts SET tracking = 1 WHERE guid = ? AND type = 'FULL_AND_DELTA'", extract);
  database.run('DELETE FROM extract_changes WHERE extract = ?', extract);
}

/** Stops collecting changes, and forgets those so far. */
export function stopTracking(database: Database, extract: string): void {
  database.run('UPDATE extracts SET tracking = 0 WHERE guid = ?', extract);
  database.run('DELETE FROM extract_changes WHERE extract = ?', extract);
}

/**
 * Records for the next runs which items the drafts of an import create or change, directly or in their BOM. Call it in
 * the transaction that stores the drafts.
 */
export function trackDrafts(database: Database): void {
  if (!database.get('SELECT 1 FROM extracts WHERE tracking = 1')) return;
  database.exec(`
    INSERT OR IGNORE INTO extract_changes (extract, item)
      SELECT e.guid, d.guid FROM extracts e JOIN temp.draft_items d WHERE e.tracking = 1
      UNION SELECT e.guid, l.parent FROM extracts e JOIN temp.draft_lines l WHERE e.tracking = 1;
  `);
}

/** Lists the items that changed since the last completed run. */
export function changedItems(database: Database, extract: string): string[] {
  const sql = 'SELECT c.item FROM extract_changes c JOIN items i ON i.guid = c.item WHERE c.extract = ? ORDER BY i.seq';
  return database.all(sql, extract).map((row) => text(row, 'item'));
}
