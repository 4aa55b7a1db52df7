import { additionalAttributes } from '../family/attribute-values.js';
import { categoryField } from '../family/category-field.js';
import { constant, link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { RecordOf } from '../family/field.js';
import { nullableNumber } from '../family/plain-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { nullableText, plainText } from '../family/text-fields.js';
import { documentedOnly, fullOnly, hidden } from '../family/traits.js';
import { fieldValues, keptFlag, keptText } from '../family/value-fields.js';
import { Type } from '../routes/type.js';

/** Files are neither checked out nor locked here, and have no markups. */
const no = documentedOnly(constant(false, Type.Boolean()));

const fields = {
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
  author: fullOnly(keptText()),
  location: fullOnly(keptText()),
  private: fullOnly(keptFlag()),
  category: fullOnly(categoryField('FILES')),
  creationDateTime: fullOnly(creationTime()),
  creator: fullOnly(creator()),
  lastModifiedDateTime: fullOnly(modificationTime()),
  additionalAttributes: fullOnly(additionalAttributes('FILES')),
  ...{
    checkedOut: no,
    corrected: no,
    hasMarkup: no,
    locked: no,
    latest: documentedOnly(constant(true, Type.Boolean())),
  },
  mimeType: documentedOnly(keptText()),
  /** The number of the storage method, which is deprecated (wire-facts 8.3); uploaded files have 0. */
  storageMethod: documentedOnly(constant(0, Type.Integer())),
  fields: fieldValues(),
  additional: fieldValues(),
  /** The key of the content, which is in a file of its own beside the database; null if there is none. */
  content: hidden(nullableText()),
};

/** A stored file. Its size is in bytes; size and content are null until content is uploaded. */
export type FileRecord = RecordOf<typeof fields>;

/** Files, read-only (endpoints.md; interface 2.4 "File"). Fields and searches are INFERRED where none are shown. */
export const files = family({
  path: '/files',
  one: 'a file',
  many: 'files',
  table: 'files',
  paged: true,
  fields,
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
