import { documented } from '../documented/documented.js';
import { link } from '../family/derived-fields.js';
import type { Family } from '../family/family.js';
import { items } from './items.js';

/** What lists show of a revision; that of the row of an item is its working one. */
const shown = (values: Readonly<Record<string, string>>): string =>
  `json_object(${Object.entries(values)
    .map(([name, sql]) => `'${name}', ${sql}`)
    .join(', ')})`;

const EFFECTIVE_ONES = shown({
  ...{ number: 'revision', status: 'status', notes: 'notes', lifecyclePhase: 'phase' },
  ...{ supersededDateTime: 'superseded', change: 'json(change)' },
});

const WORKING_ONE = shown({ number: "fields ->> '$.revisionNumber'", status: '0', lifecyclePhase: 'phase' });

/** The revisions of items, the working one first (wire-facts 8.1); the phase of that is the one of the item. */
export const revisionsOfItem: Family = documented('/items/{guid}/revisions', {
  one: 'a revision of an item',
  many: 'revisions of an item',
  owner: items,
  listOnly: true,
  table: 'item_revisions',
  links: { lifecyclePhase: '/settings/items/lifecyclephases', change: null },
  fields: { url: link('/items') },
  sources: {
    list: `(SELECT 0 AS seq, guid, guid AS owner, ${WORKING_ONE} AS fields FROM items
      UNION ALL SELECT seq, guid, item, ${EFFECTIVE_ONES} FROM item_revisions)`,
  },
});
