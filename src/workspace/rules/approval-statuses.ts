import { type ApprovalStatus, approvalStatusList } from '../store/approval-statuses.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

export const STATUS_SEARCH = { guid: 'text', name: 'text' } as const;

export function listApprovalStatuses(workspace: Workspace, query: Query): ApprovalStatus[] {
  return selectPage(workspace.settings, approvalStatusList, parseWholeSearch(query, STATUS_SEARCH));
}

export function findApprovalStatus(workspace: Workspace, guid: string): ApprovalStatus {
  const found = isGuid(guid) && selectOne(workspace.settings, approvalStatusList, { sql: 'guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return found;
}
