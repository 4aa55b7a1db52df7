import {
  definitionList,
  type ImportDefinition,
  insertDefinition,
  type MappingEntry,
  type Mode,
  REPORT_COLUMNS,
  REPORT_RESOURCE,
  RESOURCES,
  type Resource,
  renameDefinition,
} from '../store/imports.js';
import { readAttributes } from '../store/item-settings.js';
import { selectOne, selectPage } from '../store/select.js';
import { zulu } from './date-times.js';
import { isGuid } from './guid-source.js';
import { listImportFields, worldOf } from './import-fields.js';
import { completeOptions, type OptionsBody } from './import-options.js';
import { parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

interface MappingBody {
  readonly resource: string;
  readonly apiName: string;
  readonly sourceName: string;
  readonly inResponse?: boolean;
  readonly notes?: string;
}

interface DefinitionBody {
  readonly name: string;
  readonly description?: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly options: OptionsBody & { readonly mapping?: readonly MappingBody[] };
}

/** The body of an update (wire-facts 0: name and description only). */
type DefinitionUpdate = Readonly<Record<string, unknown>>;

const MODES: readonly Mode[] = ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE', 'DELETE'];

/** The resources that belong to an item as a whole view of it (wire-facts 4, "mode" and "ITEM_FILES semantics"). */
const REPLACEABLE: readonly Resource[] = ['ITEM_BOM', 'ITEM_FILES'];

/** The searches of lists of import definitions; any other is refused with 3019. */
export const DEFINITION_SEARCH = {
  name: 'text',
  number: 'number',
  description: 'text',
  mode: 'choice',
  resource: 'choice',
  'creator.guid': 'text',
  'creator.email': 'text',
  'creator.fullName': 'text',
} as const;

/** Lists one page of the definitions by number; refuses unknown searches with 3019, a wrong page with 3220. */
export function listDefinitions(workspace: Workspace, query: Query): ImportDefinition[] {
  return selectPage(workspace.settings, definitionList, parseSearch(query, DEFINITION_SEARCH));
}

/** Finds the definition with a GUID; refuses an unknown GUID with 3011. */
export function findDefinition(workspace: Workspace, guid: string): ImportDefinition {
  const found = isGuid(guid) && selectOne(workspace.settings, definitionList, { sql: 'd.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return found;
}

/** Stores a definition with the options that its mode knows, defaults filled in. Names need not be unique. */
export function createDefinition(workspace: Workspace, caller: Caller, body: DefinitionBody): ImportDefinition {
  if (body.name.trim() === '') throw refuse.empty('name');
  const resource = choose(body.resource, RESOURCES, 'resource');
  const mode = choose(body.mode, MODES, 'mode');
  if (mode === 'REPLACE' && !REPLACEABLE.includes(resource)) throw refuse.option(body.mode, 'mode');
  const { mapping, ...options } = body.options;
  const complete = completeOptions(options, mode);
  const guid = workspace.chance.guid();
  insertDefinition(
    workspace.settings,
    {
      guid,
      name: body.name,
      description: body.description ?? null,
      resource,
      mode,
      options: mapping ? { ...complete, mapping: checkedMapping(workspace, mapping, resource) } : complete,
    },
    caller.guid,
    zulu(workspace.clock()),
  );
  return findDefinition(workspace, guid);
}

/** Changes name and description; the rest of a definition is fixed once it exists (wire-facts 0). */
export function updateDefinition(workspace: Workspace, guid: string, body: DefinitionUpdate): ImportDefinition {
  const definition = findDefinition(workspace, guid);
  const { update: editable } = workspace.dialect.capabilities.importDefinitions;
  const fixed = Object.keys(body).find((field) => !editable.includes(field));
  if (fixed !== undefined) throw refuse.uneditable(fixed);
  const { name, description = definition.description } = body;
  if (name === undefined) throw refuse.required('name');
  if (typeof name !== 'string') throw refuse.invalid('name', 'it is not a text.');
  if (name.trim() === '') throw refuse.empty('name');
  if (description !== null && typeof description !== 'string') throw refuse.invalid('description', 'it is not a text.');
  renameDefinition(workspace.settings, guid, name, description);
  return findDefinition(workspace, guid);
}

function choose<T extends string>(value: string, known: readonly T[], attribute: string): T {
  const found = known.find((candidate) => candidate === value.toUpperCase());
  if (found === undefined) throw refuse.option(value, attribute);
  return found;
}

/** Checks a mapping, ignoring letter case; the result has the spelling of the fields (wire-facts 4). */
function checkedMapping(workspace: Workspace, mapping: readonly MappingBody[], resource: Resource): MappingEntry[] {
  const targets = targetNames(workspace, resource);
  const taken = new Set<string>();
  return mapping.map(({ resource: entryResource, apiName, sourceName, inResponse = true, notes }, index) => {
    const at = `options.mapping[${index}]`;
    const owner = choose(entryResource, [resource, REPORT_RESOURCE], `${at}.resource`);
    const target = owner === REPORT_RESOURCE ? reportColumn(apiName) : targets.get(apiName.toLowerCase());
    if (target === undefined) throw refuse.unrecognized(apiName);
    if (taken.has(`${owner} ${target}`)) throw refuse.invalid(`${at}.apiName`, `"${apiName}" is mapped twice.`);
    taken.add(`${owner} ${target}`);
    if (sourceName.trim() === '') throw refuse.empty(`${at}.sourceName`);
    return { resource: owner, apiName: target, sourceName, inResponse, ...(notes === undefined ? {} : { notes }) };
  });
}

function reportColumn(apiName: string): string | undefined {
  return REPORT_COLUMNS.find((column) => column.toLowerCase() === apiName.toLowerCase());
}

/** All names that a mapping may use, by lower case. */
function targetNames(workspace: Workspace, resource: Resource): Map<string, string> {
  const byName = workspace.dialect.customAttributes === 'name';
  const custom = readAttributes(workspace.settings, worldOf(resource)).filter((attribute) => attribute.custom);
  const names = [
    ...listImportFields(resource).map((field) => field.apiName),
    ...custom.map((attribute) => (byName ? attribute.name : attribute.guid)),
  ];
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}
