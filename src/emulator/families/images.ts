import { type Asked, type Described, described } from '../documented/described.js';
import { ownerField } from '../documented/owner-field.js';
import { type Family, family } from '../family/family.js';
import type { StoredRecord } from '../family/field.js';
import { deleteRecord, entryGuid, findRow, insertRecord, ownerColumn, readRecord } from '../family/records.js';
import { nullableText } from '../family/text-fields.js';
import { streamContent } from '../routes/file-contents.js';
import { refusal } from '../rules/service-error.js';
import { withoutContent } from './file-writes.js';
import { files } from './files.js';
import { itemFiles, supplierItemFiles } from './item-files.js';
import { items } from './items.js';
import { supplierItems } from './supplier-items.js';

/** The image of an object: one of its files, or a content of its own. */
interface Image extends StoredRecord {
  readonly ownerGuid: string;
  readonly file: string | null;
  readonly content: string | null;
}

/** Objects with their images, and with the files that those may be. */
interface Gallery {
  readonly owner: Family;
  readonly images: Family<Image>;
  readonly associations: Family;
}

const MOST_BYTES = 10 * 1024 * 1024;

const galleryOf = (owner: Family, associations: Family): Gallery => ({
  ...{ owner, associations },
  images: family({
    ...{ one: 'an image', many: 'images', table: `${owner.table}_images`, search: {} },
    fields: { ownerGuid: ownerField(owner), file: nullableText(), content: nullableText() },
    indexes: { [`${owner.table}_images_of_owner`]: 'owner' },
  }),
});

/** The operations that set, read and remove the image of an object (wire-facts 8.1). */
function imageOperations(gallery: Gallery): Described[] {
  const { path: collection, one } = gallery.owner;
  const path = `${collection}/{guid}/image`;
  return [
    described(`POST ${path}`, `Set the image of ${one}`, (asked) => setImage(asked, gallery)),
    described(`DELETE ${path}`, `Remove the image of ${one}`, (asked) => {
      if (!removeImage(asked, gallery)) throw withoutImage(gallery);
    }),
    described(`GET ${path}/content`, `The image of ${one}`, (asked) => {
      const image = findImage(asked, gallery);
      const content = image?.file ? readRecord(asked.workspace.settings, files, image.file) : image;
      if (content === undefined) throw withoutImage(gallery);
      return streamContent(asked.runFiles, content);
    }),
  ];
}

const withoutImage = ({ owner }: Gallery) => refusal(3531, `There is no image of ${owner.one} with this GUID.`);

const findOwner = ({ workspace, params }: Asked, { owner }: Gallery): string =>
  entryGuid(owner, findRow(workspace, owner, params.guid));

function findImage(asked: Asked, gallery: Gallery): Image | undefined {
  const { rows, read } = gallery.images;
  const row = asked.workspace.settings.get(`${rows.select} WHERE t.owner = ?`, findOwner(asked, gallery));
  return row && read(row);
}

function setImage(asked: Asked, gallery: Gallery): StoredRecord {
  const { workspace, body, upload } = asked;
  const ownerGuid = findOwner(asked, gallery);
  if (ownerGuid !== asked.params.guid) throw refusal(3501, 'Only the working revision of an item takes an image.');
  const image = { guid: workspace.chance.guid(), ownerGuid };
  if (upload !== undefined && upload.size > MOST_BYTES) throw refusal(3530, 'An image has 10 MB at most.');
  const file = upload === undefined ? associatedFile(asked, body.guid, gallery) : null;
  removeImage(asked, gallery);
  insertRecord(workspace.settings, gallery.images, { ...image, file, content: upload?.content ?? null });
  return { guid: file ?? image.guid };
}

/** The GUID of a file of the object; refuses another one with 3532. */
function associatedFile(asked: Asked, guid: unknown, gallery: Gallery): string {
  if (typeof guid !== 'string') throw withoutContent();
  const { table, rows } = gallery.associations;
  const file = rows.columns['file.guid'] ?? rows.columns.file;
  const sql = `SELECT 1 FROM ${table} t WHERE ${ownerColumn(gallery.associations)} = ? AND ${file} = ?`;
  if (asked.workspace.settings.get(sql, findOwner(asked, gallery), guid) !== undefined) return guid;
  throw refusal(3532, `"${guid}" is not the GUID of one of its files.`);
}

/** Removes the image, if there is one. */
function removeImage(asked: Asked, gallery: Gallery): boolean {
  const image = findImage(asked, gallery);
  if (image === undefined) return false;
  deleteRecord(asked.workspace.settings, gallery.images, image.guid);
  if (image.content !== null) asked.runFiles.discard(image.content, 'content');
  return true;
}

const galleries = [galleryOf(items, itemFiles), galleryOf(supplierItems, supplierItemFiles)];

/** The images of items and supplier items. */
export const images: readonly Family[] = galleries.map((gallery) => gallery.images);

/** What requests do with them. */
export const imagesOperations: readonly Described[] = galleries.flatMap(imageOperations);
