import { isCategoryWorld } from '../store/item-settings.js';
import { selectOne, selectPage } from '../store/select.js';
import {
  type Condition,
  deleteTrigger,
  insertTrigger,
  TRIGGER_ACTIONS,
  TRIGGER_RESOURCES,
  type Trigger,
  type TriggerFields,
  triggerList,
  triggerNamed,
  updateTrigger,
} from '../store/triggers.js';
import { isGuid } from './chance.js';
import { choose } from './choice.js';
import { compileCondition } from './criteria/criteria.js';
import type { FieldsByName } from './criteria/item-fields.js';
import { zulu } from './date-times.js';
import { BOM_ATTRIBUTE, TRIGGER_WORLDS, triggerFields } from './events/trigger-fields.js';
import { findCategory } from './item-settings.js';
import { parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Caller, Workspace } from './workspace.js';

/** A trigger as a request describes it; a field that is missing has its default, in an update too. */
interface TriggerBody {
  readonly name: string;
  readonly description?: string | null;
  readonly resource: string;
  readonly action: string;
  readonly category?: { readonly guid: string } | null;
  readonly attributes?: readonly { readonly apiName: string }[];
  readonly conditions?: readonly Condition[];
}

export const TRIGGER_SEARCH = { name: 'text', resource: 'choice', action: 'choice' } as const;

export function listTriggers(workspace: Workspace, query: Query): Trigger[] {
  return selectPage(workspace.settings, triggerList, parseSearch(query, TRIGGER_SEARCH));
}

export function findTrigger(workspace: Workspace, guid: string): Trigger {
  const found = isGuid(guid) && selectOne(workspace.settings, triggerList, { sql: 't.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return found;
}

export function createTrigger(workspace: Workspace, caller: Caller, body: TriggerBody): Trigger {
  const fields = checkedFields(workspace, body);
  const guid = workspace.chance.guid();
  insertTrigger(workspace.settings, guid, fields, caller.guid, zulu(workspace.clock()));
  return findTrigger(workspace, guid);
}

/** A full update: what the body leaves out gets its default. */
export function replaceTrigger(workspace: Workspace, caller: Caller, guid: string, body: TriggerBody): Trigger {
  findTrigger(workspace, guid);
  updateTrigger(workspace.settings, guid, checkedFields(workspace, body, guid), caller.guid, zulu(workspace.clock()));
  return findTrigger(workspace, guid);
}

/** Integrations that use the trigger lose it. */
export function removeTrigger(workspace: Workspace, guid: string): void {
  findTrigger(workspace, guid);
  deleteTrigger(workspace.settings, guid);
}

function checkedFields(workspace: Workspace, body: TriggerBody, self?: string): TriggerFields {
  const { name, description, category, attributes = [], conditions = [] } = body;
  if (name.trim() === '') throw refuse.empty('name');
  const resource = choose(body.resource, TRIGGER_RESOURCES, 'resource');
  const action = choose(body.action, TRIGGER_ACTIONS, 'action');
  const holder = triggerNamed(workspace.settings, name);
  if (holder !== undefined && holder !== self)
    throw refuse.invalid('name', `a trigger named "${name}" exists already.`);
  const fields = triggerFields(workspace.settings, resource, workspace.dialect);
  return {
    name,
    description: description ?? '',
    resource,
    action,
    category: category ? categoryOf(workspace, category.guid, resource) : null,
    attributes: [...new Set(attributes.map(({ apiName }) => editableName(apiName, resource, fields.edits)))],
    conditions: conditions.map((condition) => checkedCondition(condition, fields.conditions)),
  };
}

/** Quality processes have no categories. */
function categoryOf(workspace: Workspace, guid: string, resource: Trigger['resource']): string {
  const world = TRIGGER_WORLDS[resource];
  if (!isCategoryWorld(world)) throw refuse.guid(guid);
  return findCategory(workspace, guid, world).guid;
}

function editableName(apiName: string, resource: Trigger['resource'], fields: FieldsByName): string {
  if (resource === 'ITEM' && apiName.toLowerCase() === BOM_ATTRIBUTE) return BOM_ATTRIBUTE;
  const field = fields.get(apiName.toLowerCase());
  if (!field) throw refuse.unrecognized(apiName);
  if (!field.editable) throw refuse.uneditable(apiName);
  return field.apiName;
}

function checkedCondition({ attribute, operator, value }: Condition, fields: FieldsByName): Condition {
  compileCondition({ attribute, operator, value }, fields);
  return { attribute: fields.get(attribute.toLowerCase())?.apiName ?? attribute, operator, value };
}
