import { type FileRecord, fileList, itemFileList, type ListedFile, type ListedItemFile } from '../store/files.js';
import { attributesOf } from '../store/item-settings.js';
import { selectOne, selectPage } from '../store/select.js';
import { byCategory } from './by-category.js';
import { isGuid } from './chance.js';
import { type AdditionalAttribute, findItem, withAdditional } from './items.js';
import { parseFlag, parseSearch, parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Workspace } from './workspace.js';

export interface FileDetails extends ListedFile {
  readonly additionalAttributes: readonly AdditionalAttribute[];
}

/** INFERRED from the searches of items (wire-facts 3); includeChildCategories: interface 4.6. */
export const FILE_SEARCH = {
  number: 'text',
  title: 'text',
  name: 'text',
  'category.guid': 'text',
  edition: 'text',
  format: 'text',
  author: 'text',
  'creator.guid': 'text',
  'creator.fullName': 'text',
} as const;

const NOT_DOWNLOADABLE = 3017;

export function listFiles(workspace: Workspace, query: Query): FileDetails[] {
  const { includeChildCategories, ...rest } = query;
  const withChildren = parseFlag({ includeChildCategories }, 'includeChildCategories', true);
  const search = byCategory(workspace, 'FILES', parseSearch(rest, FILE_SEARCH), withChildren);
  const attributes = attributesOf(workspace.settings, 'FILES');
  return selectPage(workspace.settings, fileList, search).map((file) => withAdditional(file, attributes, false));
}

export function findFile(workspace: Workspace, guid: string): FileDetails {
  const file = isGuid(guid) && selectOne(workspace.settings, fileList, { sql: 'f.guid = ?', values: [guid] });
  if (!file) throw refuse.guid(guid);
  return withAdditional(file, attributesOf(workspace.settings, 'FILES'), false);
}

/** The associations of an item with files, or of a file with items. */
export function listItemFiles(
  workspace: Workspace,
  end: 'item' | 'file',
  guid: string,
  query: Query,
): ListedItemFile[] {
  existing(workspace, end, guid);
  const fixed = { sql: `a.${end} = ?`, values: [guid] };
  return selectPage(workspace.settings, itemFileList, parseWholeSearch(query, {}), fixed);
}

export function findItemFile(
  workspace: Workspace,
  end: 'item' | 'file',
  guid: string,
  association: string,
): ListedItemFile {
  existing(workspace, end, guid);
  const condition = { sql: `a.${end} = ? AND a.guid = ?`, values: [guid, association] };
  const found = isGuid(association) && selectOne(workspace.settings, itemFileList, condition);
  if (!found) throw refuse.guid(association);
  return found;
}

/** What the content of a file is kept under; code 3017 for a file without one. */
export function contentOf({ guid, content }: FileRecord): string {
  if (content !== null) return content;
  throw new ServiceError({ code: NOT_DOWNLOADABLE, message: `The file with the GUID "${guid}" has no content.` });
}

function existing(workspace: Workspace, end: 'item' | 'file', guid: string): void {
  if (end === 'item') findItem(workspace, guid);
  else findFile(workspace, guid);
}
