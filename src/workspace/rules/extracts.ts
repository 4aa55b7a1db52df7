import { type Extract, type ExtractFields, extractList, insertExtract, updateExtract } from '../store/extracts.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { choose } from './choice.js';
import { zulu } from './date-times.js';
import { parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** An extract as a request describes it; a field that is missing has its default, in an update too. */
interface ExtractBody {
  readonly name: string;
  readonly enabled?: boolean;
  readonly type?: string;
}

export const EXTRACT_SEARCH = { name: 'text', 'creator.fullName': 'text', enabled: 'flag' } as const;

export function listExtracts(workspace: Workspace, query: Query): Extract[] {
  return selectPage(workspace.settings, extractList, parseSearch(query, EXTRACT_SEARCH));
}

export function findExtract(workspace: Workspace, guid: string): Extract {
  const found = isGuid(guid) && selectOne(workspace.settings, extractList, { sql: 'e.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return found;
}

export function createExtract(workspace: Workspace, caller: Caller, body: ExtractBody): Extract {
  const fields = checkedFields(workspace, body);
  const guid = workspace.chance.guid();
  insertExtract(workspace.settings, guid, fields, caller.guid, zulu(workspace.clock()));
  return findExtract(workspace, guid);
}

/** A full update: what the body leaves out gets its default. */
export function replaceExtract(workspace: Workspace, guid: string, body: ExtractBody): Extract {
  findExtract(workspace, guid);
  updateExtract(workspace.settings, guid, checkedFields(workspace, body, guid), zulu(workspace.clock()));
  return findExtract(workspace, guid);
}

function checkedFields(workspace: Workspace, body: ExtractBody, self?: string): ExtractFields {
  const { name, enabled = true, type = 'FULL' } = body;
  if (name.trim() === '') throw refuse.empty('name');
  const holder = selectOne(workspace.settings, extractList, { sql: 'e.name = ?', values: [name] });
  if (holder && holder.guid !== self) throw refuse.invalid('name', `an extract named "${name}" exists already.`);
  return { name, enabled, type: choose(type, ['FULL', 'FULL_AND_DELTA'], 'type') };
}
