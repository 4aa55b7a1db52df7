import {
  deletePolicy,
  insertPolicy,
  type Policy,
  type PolicyFields,
  type PolicyRule,
  policyList,
  policyNamed,
  updatePolicy,
} from '../store/policies.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import { findUserGroup } from './user-groups.js';
import type { Caller, Workspace } from './workspace.js';

/** A policy as a request describes it; a field that is missing has its default, in an update too. */
interface PolicyBody {
  readonly name: string;
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly userGroups?: readonly { readonly guid: string }[];
  readonly rules?: readonly PolicyRule[];
}

export const POLICY_SEARCH = { name: 'text', enabled: 'flag' } as const;

/** ASSUMED: no source lists the resources and actions of policies, so any word in upper case is taken. */
const WORD = /^[A-Z][A-Z0-9_]*$/;

export function listPolicies(workspace: Workspace, query: Query): Policy[] {
  return selectPage(workspace.settings, policyList, parseWholeSearch(query, POLICY_SEARCH));
}

export function findPolicy(workspace: Workspace, guid: string): Policy {
  const policy = isGuid(guid) && selectOne(workspace.settings, policyList, { sql: 'p.guid = ?', values: [guid] });
  if (!policy) throw refuse.guid(guid);
  return policy;
}

export function createPolicy(workspace: Workspace, caller: Caller, body: PolicyBody): Policy {
  const fields = checkedFields(workspace, body);
  const guid = workspace.chance.guid();
  insertPolicy(workspace.settings, guid, fields, caller.guid, zulu(workspace.clock()));
  return findPolicy(workspace, guid);
}

/** A full update: what the body leaves out gets its default, as with user groups. */
export function replacePolicy(workspace: Workspace, caller: Caller, guid: string, body: PolicyBody): Policy {
  findPolicy(workspace, guid);
  updatePolicy(workspace.settings, guid, checkedFields(workspace, body, guid), caller.guid, zulu(workspace.clock()));
  return findPolicy(workspace, guid);
}

export function removePolicy(workspace: Workspace, guid: string): void {
  findPolicy(workspace, guid);
  deletePolicy(workspace.settings, guid);
}

function checkedFields(workspace: Workspace, body: PolicyBody, self?: string): PolicyFields {
  const { name, description, enabled = true, userGroups = [], rules = [] } = body;
  if (name.trim() === '') throw refuse.empty('name');
  const holder = policyNamed(workspace.settings, name);
  if (holder !== undefined && holder !== self) {
    throw refuse.invalid('name', `a policy named "${name}" exists already.`);
  }
  const groups = userGroups.map(({ guid }) => findUserGroup(workspace, guid).guid);
  return {
    name,
    description: description ?? '',
    enabled,
    userGroups: [...new Set(groups)],
    rules: rules.map(checkedRule),
  };
}

function checkedRule({ resource, actions }: PolicyRule, index: number): PolicyRule {
  const at = `rules[${index}]`;
  checkWord(resource, `${at}.resource`);
  if (actions.length === 0) throw refuse.empty(`${at}.actions`);
  for (const action of actions) checkWord(action, `${at}.actions`);
  return { resource, actions: [...new Set(actions)] };
}

function checkWord(word: string, attribute: string): void {
  if (word.trim() === '') throw refuse.empty(attribute);
  if (!WORD.test(word)) throw refuse.option(word, attribute);
}
