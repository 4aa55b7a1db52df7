import type { Stated } from '../../documented/status-changes.js';
import { changeItems, refuseUnlessOpen } from '../../families/changes.js';
import type { StoredRecord } from '../../family/field.js';
import { insertRecord, updateRecord } from '../../family/records.js';
import type { Database } from '../../store/database.js';
import type { Resource } from '../../store/imports.js';
import { effectiveRevision } from '../../store/item-revisions.js';
import { selectAll, text } from '../../store/select.js';
import type { Chance } from '../guid-source.js';

/** Which view of an item the rows of a resource change, and how the items of the drafts are found. */
const TOUCHED: Readonly<Partial<Record<Resource, readonly [view: string, sql: string]>>> = {
  ITEM_SPECS: ['specsView', 'SELECT guid AS item FROM temp.draft_items WHERE deleted = 0 ORDER BY seq'],
  ITEM_BOM: ['bomView', 'SELECT parent AS item FROM temp.draft_lines GROUP BY parent ORDER BY min(seq)'],
  ITEM_FILES: ['filesView', 'SELECT item FROM temp.draft_item_files GROUP BY item ORDER BY min(seq)'],
  ITEM_SOURCING: ['sourcingView', 'SELECT item FROM temp.draft_item_sourcing GROUP BY item ORDER BY min(seq)'],
};

const VIEWS = ['specsView', 'bomView', 'filesView', 'sourcingView'];

/**
 * Adds the items of a run's drafts to its change, with the view that the rows change; a change has all views of an item
 * without an effective revision (wire-facts 8.5). Call it in the transaction that stores the drafts. Refuses with 4013
 * a change that is no longer open.
 */
export function addToChange(data: Database, change: string, resource: Resource, chance: Chance): void {
  const { guid: ownerGuid } = refuseUnlessOpen(data, change);
  const [view, sql] = TOUCHED[resource] ?? [];
  if (view === undefined || sql === undefined) return;
  const own = selectAll(data, changeItems.rows, { sql: 't.owner = ?', values: [ownerGuid] }).map(changeItems.read);
  const known = new Map((own as StoredRecord[] as Stated[]).map((entry) => [entry.fields.newItemRevision, entry]));
  for (const row of data.all(sql)) {
    const item = text(row, 'item');
    const affected = effectiveRevision(data, item)?.guid ?? null;
    const names = affected === null ? VIEWS : [view];
    const views = Object.fromEntries(names.map((name) => [name, { includedInThisChange: true, notes: null }]));
    const before = known.get(item);
    if (before !== undefined) {
      updateRecord<StoredRecord>(
        data,
        changeItems,
        { ...before, fields: { ...before.fields, ...views } } as Stated,
        before,
      );
      continue;
    }
    const fields = { newItemRevision: item, affectedItemRevision: affected, ...views };
    insertRecord<StoredRecord>(data, changeItems, { guid: chance.guid(), ownerGuid, fields } as Stated);
  }
}
