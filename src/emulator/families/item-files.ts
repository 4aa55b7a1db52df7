import { family } from '../family/family.js';
import { embedded, reference } from '../family/reference-fields.js';
import type { Relation } from '../family/relation.js';
import { fieldValues, keptFlag } from '../family/value-fields.js';
import { files } from './files.js';
import { items } from './items.js';

/** That files belong to items (interface 2.4 "File"; endpoints.md). */
export const itemFiles = family({
  one: 'a file of an item',
  many: 'files of items',
  table: 'item_files',
  fields: {
    primary: keptFlag(),
    latestEditionAssociation: keptFlag(),
    file: embedded(files),
    item: reference({ table: 'items', shows: ['number', 'name'], path: '/items' }),
    fields: fieldValues(),
  },
  indexes: { item_files_by_item: 'item, file', item_files_by_file: 'file' },
  search: {},
});

/** The association of one item with one file, both by GUID, as it is stored. */
export type ItemFileRecord = ReturnType<typeof itemFiles.read>;

/** The same associations from the end of the file, which is not shown again in them. */
export const itemsOfFiles: Relation = {
  family: itemFiles,
  owner: files,
  by: 'file',
  segment: 'items',
  without: ['file'],
  list: 'List the items of a file',
  get: 'Get an item of a file',
};

/** The same associations from the end of the item, which is not shown again in them. */
export const filesOfItems: Relation = {
  family: itemFiles,
  owner: items,
  by: 'item',
  segment: 'files',
  without: ['item'],
  list: 'List the files of an item',
  get: 'Get a file of an item',
};
