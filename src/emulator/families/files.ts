import { additionalAttributes } from '../family/attribute-values.js';
import { categoryField } from '../family/category-field.js';
import { computed, link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { FieldFactory, RecordOf } from '../family/field.js';
import { nullableNumber } from '../family/plain-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { documentedOnly, fullOnly, hidden } from '../family/traits.js';
import { fieldValues, keptFlag, keptText } from '../family/value-fields.js';
import { Type } from '../routes/type.js';
import { flag, number } from '../store/select.js';

/** Whether an item that has the file is locked. */
const LOCKED = `EXISTS (SELECT 1 FROM item_files a JOIN items i ON i.guid = a.item
  WHERE a.file = t.guid AND i.locked = 1)`;

/** The number of the storage method, which is deprecated (wire-facts 8.3). */
const STORAGE_METHOD = `CASE t.fields ->> '$.storageMethodName'
  WHEN 'PLACE_HOLDER' THEN 1 WHEN 'FTP' THEN 2 WHEN 'WEB' THEN 3 ELSE 0 END`;

/** The name of the author, whom documented answers show as a person. */
const author: FieldFactory<undefined> = (name) => {
  const own = keptText()(name);
  return {
    ...own,
    show: (row, viewing, record, shape) => {
      const fullName = own.show?.(row, viewing, record);
      return shape === undefined || fullName === null ? fullName : { fullName };
    },
  };
};

/** The fields of a file in the order of answers. */
export const fileFields = {
  number: plainText(),
  title: plainText(),
  /** The file name on disk. */
  name: nullableText(),
  edition: keptText(),
  format: keptText(),
  storageMethodName: keptText(),
  size: nullableNumber(),
  url: link('/files'),
  description: fullOnly(keptText()),
  author: fullOnly(author),
  location: fullOnly(keptText()),
  private: fullOnly(keptFlag()),
  category: fullOnly(categoryField('FILES')),
  creationDateTime: fullOnly(creationTime()),
  creator: fullOnly(creator()),
  lastModifiedDateTime: fullOnly(modificationTime()),
  additionalAttributes: fullOnly(additionalAttributes('FILES')),
  checkedOut: fullOnly(keptFlag()),
  corrected: fullOnly(keptFlag()),
  hasMarkup: fullOnly(keptFlag()),
  locked: fullOnly(computed(LOCKED, Type.Boolean(), flag)),
  latest: fullOnly(keptFlag(true)),
  mimeType: fullOnly(keptText()),
  storageMethod: documentedOnly(computed(STORAGE_METHOD, Type.Integer(), number)),
  fields: fieldValues(),
  additional: fieldValues(),
  /** The key of the content, which is in a file of its own beside the database; null if there is none. */
  content: hidden(nullableText()),
};

/** A stored file. Its size is in bytes; size and content are null until content is uploaded. */
export type FileRecord = RecordOf<typeof fileFields>;

/** Whether a file is the latest edition; the others are stored beside it under GUIDs of their own. */
export const isLatest = ({ fields }: FileRecord): boolean => fields.latest !== false;

/** The GUID of the first edition of a file, by which all of them are known. */
export const firstEdition = ({ guid, fields }: FileRecord): string => String(fields.editionOf ?? guid);

/**
 * Files as requests read and imports write them (endpoints.md; interface 2.4 "File"). Searches, and that lists have the
 * latest editions only, are INFERRED.
 */
export const files = family({
  path: '/files',
  one: 'a file',
  many: 'files',
  table: 'files',
  paged: true,
  listed: { sql: "t.fields ->> '$.latest' IS NOT 0", values: [] },
  fields: fileFields,
  indexes: { files_by_number: 'number' },
  search: {
    number: 'text',
    title: 'text',
    name: 'text',
    'category.guid': 'text',
    edition: 'text',
    format: 'text',
    author: 'text',
    'creator.guid': 'text',
    'creator.fullName': 'text',
  },
});
