import { type Asked, type Described, described } from '../documented/described.js';
import type { Family } from '../family/family.js';
import { findRecord } from '../family/records.js';
import { findEntry } from '../family/routes.js';
import { streamContent } from '../routes/file-contents.js';
import { replaceContent } from './file-writes.js';
import { files } from './files.js';
import { type ItemFileRecord, itemFiles, supplierItemFiles } from './item-files.js';

/** The operations that read and replace the content of an associated file. */
function contentOperations(path: string, family: Family): Described[] {
  const fileOf = ({ workspace, params }: Asked): string => {
    const { fields, file = fields.file } = family.read(findEntry(workspace, family, params)) as ItemFileRecord;
    return String(file);
  };
  return [
    described(`GET ${path}`, 'The content of a file', (asked) =>
      streamContent(asked.runFiles, findRecord(asked.workspace, files, fileOf(asked))),
    ),
    described(`POST ${path}`, 'Replace the content of a file', (asked) => {
      replaceContent({ ...asked, params: { ...asked.params, guid: fileOf(asked) } });
    }),
  ];
}

/** The contents of associated files. */
export const associatedContents: readonly Described[] = [
  ...contentOperations('/items/{guid}/files/{guid}/content', itemFiles),
  ...contentOperations('/supplieritems/{guid}/files/{guid}/content', supplierItemFiles),
];
