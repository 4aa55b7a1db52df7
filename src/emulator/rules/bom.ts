import { items } from '../families/items.js';
import { findRecord } from '../family/records.js';
import { readAttributes } from '../store/item-settings.js';
import { bomList, type ListedLine, whereUsedList } from '../store/items.js';
import { type List, selectPage } from '../store/select.js';
import { type AdditionalAttribute, listAdditionalAttributes } from './additional-attributes.js';
import { parseFlag, parseWholeSearch, type Query } from './search.js';
import type { Workspace } from './workspace.js';

/** A BOM line as lists show it. */
export interface LineDetails extends ListedLine {
  /** Present only if requested (interface 4.6, includeAdditionalAttributes). */
  readonly additionalAttributes?: readonly AdditionalAttribute[];
}

/**
 * Lists all lines of an item in the order of their creation, never paged (wire-facts 3, "Not paginated"). Refuses an
 * unknown item with 3011 and every search with 3019.
 */
export function listBom(workspace: Workspace, parent: string, query: Query): LineDetails[] {
  return listLines(
    workspace,
    bomList,
    { sql: 'b.parent = ?', values: [findRecord(workspace, items, parent).guid] },
    query,
  );
}

/** Lists all lines in which an item is the child, each with its parent; refuses as {@link listBom} does. */
export function listWhereUsed(workspace: Workspace, child: string, query: Query): LineDetails[] {
  return listLines(
    workspace,
    whereUsedList,
    { sql: 'b.child = ?', values: [findRecord(workspace, items, child).guid] },
    query,
  );
}

function listLines(
  workspace: Workspace,
  list: List<ListedLine>,
  of: { sql: string; values: string[] },
  query: Query,
): LineDetails[] {
  const { includeAdditionalAttributes, ...rest } = query;
  const lines = selectPage(workspace.settings, list, parseWholeSearch(rest, {}), of);
  if (!parseFlag({ includeAdditionalAttributes }, 'includeAdditionalAttributes', false)) return lines;
  const attributes = readAttributes(workspace.settings, 'BOM');
  return lines.map((line) => {
    return { ...line, additionalAttributes: listAdditionalAttributes(line.additional, attributes, true) };
  });
}
