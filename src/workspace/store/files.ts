import type { Row } from './driver.js';
import type { FieldValues } from './items.js';
import type { RecordTable } from './record-draft.js';
import { type List, number, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** A file as it is stored: its description; the content is a file of its own beside the database. */
export interface FileRecord {
  readonly guid: string;
  readonly number: string;
  readonly title: string;
  /** What the file is called on a disk. */
  readonly name: string | null;
  readonly category: string;
  /** The further standard fields, by apiName. */
  readonly fields: FieldValues;
  /** The custom attributes, by GUID. */
  readonly additional: FieldValues;
  /** What the content is kept under; null: there is none. */
  readonly content: string | null;
  readonly size: number | null;
  readonly created: string;
  readonly creator: string;
  readonly modified: string | null;
}

/** That a file belongs to an item. */
export interface ItemFileRecord {
  readonly guid: string;
  readonly item: string;
  readonly file: string;
  readonly fields: FieldValues;
}

export const fileTable: RecordTable<FileRecord> = {
  name: 'files',
  columns: [
    ...['guid', 'number', 'title', 'name', 'category', 'fields', 'additional', 'content', 'size'],
    ...['created', 'creator', 'modified'],
  ],
  indexes: ['number'],
  values: ({ fields, additional, ...file }) => [
    file.guid,
    file.number,
    file.title,
    file.name,
    file.category,
    JSON.stringify(fields),
    JSON.stringify(additional),
    file.content,
    file.size,
    file.created,
    file.creator,
    file.modified,
  ],
  read: readFile,
};

export const itemFileTable: RecordTable<ItemFileRecord> = {
  name: 'item_files',
  columns: ['guid', 'item', 'file', 'fields'],
  indexes: ['item, file', 'file'],
  values: ({ guid, item, file, fields }) => [guid, item, file, JSON.stringify(fields)],
  read: readItemFile,
};

function readFile(row: Row): FileRecord {
  return {
    guid: text(row, 'guid'),
    number: text(row, 'number'),
    title: text(row, 'title'),
    name: textOrNull(row, 'name'),
    category: text(row, 'category'),
    fields: JSON.parse(text(row, 'fields')) as FieldValues,
    additional: JSON.parse(text(row, 'additional')) as FieldValues,
    content: textOrNull(row, 'content'),
    size: row.size === null ? null : number(row, 'size'),
    created: text(row, 'created'),
    creator: text(row, 'creator'),
    modified: textOrNull(row, 'modified'),
  };
}

function readItemFile(row: Row): ItemFileRecord {
  return {
    guid: text(row, 'guid'),
    item: text(row, 'item'),
    file: text(row, 'file'),
    fields: JSON.parse(text(row, 'fields')) as FieldValues,
  };
}

/** A file with the names of what it refers to. */
export interface ListedFile extends FileRecord {
  readonly categoryName: string;
  readonly creatorPerson: Person;
}

export const fileList: List<ListedFile> = {
  select: `SELECT f.*, k.name AS category_name, ${personColumns('c')} FROM files f
    LEFT JOIN categories k ON k.guid = f.category JOIN users c ON c.guid = f.creator`,
  columns: {
    number: 'f.number',
    title: 'f.title',
    name: 'f.name',
    'category.guid': 'f.category',
    edition: "f.fields ->> '$.edition'",
    format: "f.fields ->> '$.format'",
    author: "f.fields ->> '$.author'",
    'creator.guid': 'f.creator',
    'creator.fullName': 'c.full_name',
  },
  order: 'f.seq',
  read: (row) => ({
    ...readFile(row),
    categoryName: text(row, 'category_name'),
    creatorPerson: readPerson(row, 'c'),
  }),
};

/** An association with the file at its one end and the item at the other. */
export interface ListedItemFile extends ItemFileRecord {
  readonly of: FileRecord;
  readonly on: { readonly guid: string; readonly number: string; readonly name: string };
}

export const itemFileList: List<ListedItemFile> = {
  select: `SELECT f.*, a.guid AS own_guid, a.item AS own_item, a.file AS own_file, a.fields AS own_fields,
    i.number AS item_number, i.name AS item_name
    FROM item_files a JOIN files f ON f.guid = a.file JOIN items i ON i.guid = a.item`,
  columns: {},
  order: 'a.seq',
  read: (row) => ({
    guid: text(row, 'own_guid'),
    item: text(row, 'own_item'),
    file: text(row, 'own_file'),
    fields: JSON.parse(text(row, 'own_fields')) as FieldValues,
    of: readFile(row),
    on: { guid: text(row, 'own_item'), number: text(row, 'item_number'), name: text(row, 'item_name') },
  }),
};
