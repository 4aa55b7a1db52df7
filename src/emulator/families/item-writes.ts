import { bodySchemas, endpointsAt } from '../documented/documented.js';
import { givenAttributesSchema } from '../family/attribute-values.js';
import type { Family, Writer } from '../family/family.js';
import { createItem, editItem, removeItem } from '../rules/import/import-item.js';
import { formattedNumber, numberFor } from '../rules/item-number.js';
import { refusal } from '../rules/service-error.js';
import { effectiveRevision } from '../store/item-revisions.js';
import { items } from './items.js';
import { itemCategory } from './number-reservations.js';
import { absent, type GivenAttribute, refuseEdit, toImportRow, writeAsRow } from './write-as-row.js';

/** What `setnull` may remove (wire-facts 8). */
const CLEARABLE = ['description', 'revisionNumber', 'standardCost', 'targetCost', 'targetPrice'];

/** Requests that write items (wire-facts 8.1). */
const itemWriter: Writer = {
  create: (writing) => {
    const { workspace, body } = writing;
    const { number: _, numberFormat: __, ...rest } = body;
    const category = itemCategory(workspace, (body.category as GivenAttribute).guid);
    const number = numberFor(workspace, category, body);
    const numbered = { ...writing, body: { ...rest, number } };
    return writeAsRow(writing, 'ITEM_SPECS', { mode: 'CREATE' }, (drafts) => {
      return createItem(toImportRow(numbered, drafts, []), number, drafts).guid;
    });
  },
  update: (writing, row) => {
    refuseEdit(row);
    const { workspace } = writing;
    const { numberFormat, category, ...rest } = writing.body;
    if (category) itemCategory(workspace, (category as GivenAttribute).guid);
    const number = numberFormat ? { number: formattedNumber(workspace, numberFormat) } : {};
    const body = { ...rest, ...(category ? { category } : {}), ...number };
    writeAsRow(writing, 'ITEM_SPECS', { mode: 'EDIT' }, (drafts) => {
      const item = drafts.items.byGuid(String(row.guid));
      if (item) editItem(item, toImportRow({ ...writing, body }, drafts, CLEARABLE), drafts);
    });
  },
  remove: (writing, guid) => {
    const { settings } = writing.workspace;
    const row = settings.get(items.byGuid, guid);
    if (row === undefined) throw absent(guid, 404);
    refuseEdit(row);
    if (effectiveRevision(settings, guid)) throw refusal(3016, 'An item that was released cannot be deleted.');
    writeAsRow(writing, 'ITEM_SPECS', { mode: 'DELETE' }, (drafts) => {
      const item = drafts.items.byGuid(guid);
      if (item) removeItem(item, drafts);
    });
  },
};

const { create: creation, ...others } = endpointsAt('/items');

/** The operations of items; a number may be a free text, which samples do not show (wire-facts 8.1). */
const ofItems = {
  ...others,
  ...(creation && { create: { ...creation, body: [...creation.body, { path: 'number', required: false }] } }),
};

/** Items with the requests that write them. */
export const writtenItems: Family = {
  ...items,
  endpoints: ofItems,
  clearable: CLEARABLE,
  given: { ...bodySchemas(ofItems), additionalAttributes: givenAttributesSchema },
  writer: itemWriter,
};
