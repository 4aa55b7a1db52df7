import { type COLUMNS, documented, inverse, owned } from '../documented/documented.js';
import { givenKeys, givenSchema } from '../documented/kept-value.js';
import { findReferred } from '../documented/linked-field.js';
import { familyAt } from '../documented/registry.js';
import { constant } from '../family/derived-fields.js';
import type { Family } from '../family/family.js';
import type { FieldFactory, RecordOf, WriteRequest } from '../family/field.js';
import { findRecord } from '../family/records.js';
import { embedded, reference } from '../family/reference-fields.js';
import type { Relation } from '../family/relation.js';
import { documentedOnly, fixed } from '../family/traits.js';
import { createRecord } from '../family/write-record.js';
import { endpointAt } from '../interface/endpoints.js';
import { completeShape, readShape } from '../interface/shape.js';
import { Type } from '../routes/type.js';
import { refusal, refuse } from '../rules/service-error.js';
import { files, isLatest } from './files.js';
import { items } from './items.js';
import { supplierItems } from './supplier-items.js';

/** The rules of associations (wire-facts 8.3). */
const ASSOCIATION = { ...{ one: 'a file', many: 'files' }, once: ['file', 3097], absent: 3029 } as const;

/** The schema of the file that a body names, or describes if it is a new one. */
function fileGiven(path: string) {
  const { keys, shape } = givenKeys(endpointAt('POST', path), 'file');
  return {
    file: givenSchema('file', { keys, shape: completeShape(shape, endpointAt('GET', '/files/{guid}')?.answer) }),
  };
}

/** The file that a body names, or a new one that it describes. */
function fileIn(writing: WriteRequest): string {
  const body = (writing.body.file ?? {}) as Readonly<Record<string, unknown>>;
  if (body.guid !== undefined) return findReferred(writing.workspace, '/files', String(body.guid));
  if (!body.edition) throw refuse.required('file.edition');
  return String(createRecord(familyAt('/files'), { ...writing, body }).guid);
}

/** The item in a list, as the published interface reads it from a file. */
const itemListed: FieldFactory<undefined> = (name) => ({
  ...{ name, documentedOnly: true, answer: Type.Array(Type.Unknown()) },
  show: (row, viewing, record, shape) => [embedded(items)('item').show?.(row, viewing, record, shape?.items)],
});

const fields = {
  items: itemListed,
  item: fixed(reference({ table: 'items', shows: ['number', 'name'], path: '/items' })),
  file: embedded(files),
  creationDateTime: documentedOnly(constant(null, Type.Null())),
};

/** A stored association of one item with one file, both by GUID. */
export type ItemFileRecord = RecordOf<typeof fields & typeof COLUMNS>;

/** The associations of files with items (interface 2.4 "File"; endpoints.md). */
export const itemFiles: Family<ItemFileRecord> = documented<typeof fields>('/items/{guid}/files', {
  fields,
  ...ASSOCIATION,
  ...{ one: 'a file of an item', many: 'files of items', table: 'item_files', imported: true },
  ...{ owner: items, ownedBy: 'item' },
  further: { latestEditionAssociation: 'boolean' },
  given: fileGiven('/items/{guid}/files'),
  indexes: { item_files_by_item: 'item, file', item_files_by_file: 'file' },
  check: (association, writing) => {
    const file = association.file ?? fileIn(writing);
    const latest = isLatest(findRecord(writing.workspace, files, file));
    if (!latest && writing.body.latestEditionAssociation === true) {
      throw refusal(3400, 'A later edition of the file exists.');
    }
    const latestEditionAssociation = association.fields.latestEditionAssociation ?? latest;
    return { ...association, file, fields: { ...association.fields, latestEditionAssociation } };
  },
});

/** The associations as read from a file, which they do not show again. */
export const itemsOfFiles: Relation = {
  family: itemFiles,
  owner: files,
  by: 'file',
  segment: 'items',
  shape: readShape({
    ...{ guid: 'string', primary: 'boolean', latestEditionAssociation: 'boolean' },
    item: { guid: 'string', number: 'string', name: 'string', url: { api: 'string' } },
    items: [{ guid: 'string', number: 'string', revisionNumber: 'string', status: 'number' }],
  }),
  list: 'List the items of a file',
  get: 'Get an item of a file',
};

/** The files of supplier items, and the supplier items of files. */
export const supplierItemFiles = owned(supplierItems, 'files', {
  ...ASSOCIATION,
  given: fileGiven('/supplieritems/{guid}/files'),
  begin: (_, writing) => ({ file: fileIn(writing) }),
});
export const supplierItemsOfFiles = inverse('/files/{guid}/supplieritems', supplierItemFiles);
