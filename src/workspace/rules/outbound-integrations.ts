import {
  addToIntegration,
  deleteIntegration,
  type IntegrationFields,
  insertIntegration,
  integrationAdministratorList,
  integrationList,
  type OutboundIntegration,
  takeFromIntegration,
  updateIntegration,
} from '../store/outbound-integrations.js';
import { selectOne, selectPage } from '../store/select.js';
import { memberTriggerList, type Trigger } from '../store/triggers.js';
import type { User } from '../store/users.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import { findTrigger, TRIGGER_SEARCH } from './triggers.js';
import { findUser, USER_SEARCH } from './users.js';
import type { Caller, Workspace } from './workspace.js';

/** An integration as a request describes it; a field that is missing has its default, in an update too. */
interface IntegrationBody {
  readonly name: string;
  readonly enabled?: boolean;
}

export const INTEGRATION_SEARCH = { enabled: 'flag', name: 'text' } as const;

export function listIntegrations(workspace: Workspace, query: Query): OutboundIntegration[] {
  return selectPage(workspace.settings, integrationList, parseWholeSearch(query, INTEGRATION_SEARCH));
}

export function findIntegration(workspace: Workspace, guid: string): OutboundIntegration {
  const found = isGuid(guid) && selectOne(workspace.settings, integrationList, { sql: 'o.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return found;
}

/** An integration starts without triggers and administrators. Names need not be unique. */
export function createIntegration(workspace: Workspace, caller: Caller, body: IntegrationBody): OutboundIntegration {
  const guid = workspace.chance.guid();
  insertIntegration(workspace.settings, guid, checkedFields(body), caller.guid, zulu(workspace.clock()));
  return findIntegration(workspace, guid);
}

/** A full update: what the body leaves out gets its default. */
export function replaceIntegration(
  workspace: Workspace,
  caller: Caller,
  guid: string,
  body: IntegrationBody,
): OutboundIntegration {
  findIntegration(workspace, guid);
  updateIntegration(workspace.settings, guid, checkedFields(body), caller.guid, zulu(workspace.clock()));
  return findIntegration(workspace, guid);
}

/** Its events go with it. */
export function removeIntegration(workspace: Workspace, guid: string): void {
  findIntegration(workspace, guid);
  deleteIntegration(workspace.settings, guid);
}

export function listIntegrationTriggers(workspace: Workspace, integration: string, query: Query): Trigger[] {
  findIntegration(workspace, integration);
  const fixed = { sql: 'n.owner = ?', values: [integration] };
  return selectPage(workspace.settings, memberTriggerList, parseWholeSearch(query, TRIGGER_SEARCH), fixed);
}

export function findIntegrationTrigger(workspace: Workspace, integration: string, guid: string): Trigger {
  findIntegration(workspace, integration);
  findTrigger(workspace, guid);
  const condition = { sql: 'n.owner = ? AND n.member = ?', values: [integration, guid] };
  const member = selectOne(workspace.settings, memberTriggerList, condition);
  if (!member) throw refuse.absent(guid);
  return member;
}

/** Adding a trigger twice changes nothing. */
export function addIntegrationTrigger(workspace: Workspace, integration: string, guid: string): Trigger {
  findIntegration(workspace, integration);
  const trigger = findTrigger(workspace, guid);
  addToIntegration(workspace.settings, 'integration_triggers', integration, guid);
  return trigger;
}

export function removeIntegrationTrigger(workspace: Workspace, integration: string, guid: string): void {
  findIntegrationTrigger(workspace, integration, guid);
  takeFromIntegration(workspace.settings, 'integration_triggers', integration, guid);
}

export function listAdministrators(workspace: Workspace, integration: string, query: Query): User[] {
  findIntegration(workspace, integration);
  const fixed = { sql: 'n.owner = ?', values: [integration] };
  return selectPage(workspace.settings, integrationAdministratorList, parseWholeSearch(query, USER_SEARCH), fixed);
}

export function findAdministrator(workspace: Workspace, integration: string, guid: string): User {
  findIntegration(workspace, integration);
  findUser(workspace, guid);
  const condition = { sql: 'n.owner = ? AND n.member = ?', values: [integration, guid] };
  const member = selectOne(workspace.settings, integrationAdministratorList, condition);
  if (!member) throw refuse.absent(guid);
  return member;
}

/** Adding an administrator twice changes nothing. */
export function addAdministrator(workspace: Workspace, integration: string, guid: string): User {
  findIntegration(workspace, integration);
  const user = findUser(workspace, guid);
  addToIntegration(workspace.settings, 'integration_administrators', integration, guid);
  return user;
}

export function removeAdministrator(workspace: Workspace, integration: string, guid: string): void {
  findAdministrator(workspace, integration, guid);
  takeFromIntegration(workspace.settings, 'integration_administrators', integration, guid);
}

function checkedFields({ name, enabled = true }: IntegrationBody): IntegrationFields {
  if (name.trim() === '') throw refuse.empty('name');
  return { name, enabled };
}
