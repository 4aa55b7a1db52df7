import { family } from '../family/family.js';
import { embedded, reference } from '../family/reference-fields.js';
import type { Relation } from '../family/relation.js';
import { fieldValues, keptFlag } from '../family/value-fields.js';
import { files } from './files.js';
import { items } from './items.js';

/** The associations of files with items (interface 2.4 "File"; endpoints.md). */
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

/** A stored association of one item with one file, both by GUID. */
export type ItemFileRecord = ReturnType<typeof itemFiles.read>;

/** The associations as read from a file, which they do not show again. */
export const itemsOfFiles: Relation = {
  family: itemFiles,
  owner: files,
  by: 'file',
  segment: 'items',
  without: ['file'],
  list: 'List the items of a file',
  get: 'Get an item of a file',
};

/** The associations as read from an item, which they do not show again. */
export const filesOfItems: Relation = {
  family: itemFiles,
  owner: items,
  by: 'item',
  segment: 'files',
  without: ['item'],
  list: 'List the files of an item',
  get: 'Get a file of an item',
};
