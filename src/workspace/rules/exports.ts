import { type ExportDefinition, exportDefinitionList, insertExportDefinition } from '../store/exports.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { choose } from './choice.js';
import { compileCriteria } from './criteria/criteria.js';
import { loadNames } from './criteria/item-fields.js';
import { zulu } from './date-times.js';
import { completeExportOptions, type ExportOptionsBody } from './export-options.js';
import { parseSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

interface ExportDefinitionBody {
  readonly name: string;
  readonly description?: string | null;
  readonly world?: string;
  readonly options?: ExportOptionsBody;
  readonly criteria?: unknown;
}

export const EXPORT_SEARCH = {
  name: 'text',
  number: 'number',
  description: 'text',
  'creator.guid': 'text',
  'creator.email': 'text',
  'creator.fullName': 'text',
} as const;

const TOO_LONG = 3101;
/** Wire-facts 5.1, "settings". */
const LONGEST = { name: 100, description: 4000 };

export function listExports(workspace: Workspace, query: Query): ExportDefinition[] {
  return selectPage(workspace.settings, exportDefinitionList, parseSearch(query, EXPORT_SEARCH));
}

export function findExport(workspace: Workspace, guid: string): ExportDefinition {
  const condition = { sql: 'd.guid = ?', values: [guid] };
  const found = isGuid(guid) && selectOne(workspace.settings, exportDefinitionList, condition);
  if (!found) throw refuse.guid(guid);
  return found;
}

/** Stores a definition, which stays as it is for ever (wire-facts 5.1). Names need not be unique. */
export function createExport(workspace: Workspace, caller: Caller, body: ExportDefinitionBody): ExportDefinition {
  const { name, description = null, world = 'ITEMS', options = {}, criteria = null } = body;
  if (name.trim() === '') throw refuse.empty('name');
  for (const [field, value] of Object.entries({ name, description: description ?? '' })) checkLength(field, value);
  if (criteria !== null && !Array.isArray(criteria))
    throw refuse.invalid('criteria', 'it is neither null nor an array.');
  if (criteria !== null) compileCriteria(criteria, loadNames(workspace.settings));
  const guid = workspace.chance.guid();
  insertExportDefinition(
    workspace.settings,
    {
      guid,
      name,
      description,
      world: choose(world, ['ITEMS'], 'world'),
      options: completeExportOptions(options),
      criteria,
    },
    caller.guid,
    zulu(workspace.clock()),
  );
  return findExport(workspace, guid);
}

function checkLength(field: string, value: string): void {
  const most = field === 'name' ? LONGEST.name : LONGEST.description;
  if (value.length <= most) return;
  const message = `"${field}" takes ${most} characters at most, not ${value.length}.`;
  throw new ServiceError({ code: TOO_LONG, message });
}
