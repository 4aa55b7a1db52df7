import { assignabilityAt } from '../dialects/release.js';
import { selectOne, selectPage } from '../store/select.js';
import {
  addMember,
  deleteGroup,
  groupNamed,
  insertGroup,
  memberList,
  removeMember,
  type UserGroup,
  type UserGroupFields,
  updateGroup,
  userGroupList,
} from '../store/user-groups.js';
import type { User } from '../store/users.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse, ServiceError } from './service-error.js';
import { findUser, USER_SEARCH } from './users.js';
import type { Caller, Workspace } from './workspace.js';

/** A group as a request describes it; a field that is missing has its default, in an update too. */
interface UserGroupBody {
  readonly name: string;
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly assignability?: readonly string[];
}

export const GROUP_SEARCH = { name: 'text', enabled: 'flag' } as const;

export function listUserGroups(workspace: Workspace, query: Query): UserGroup[] {
  return selectPage(workspace.settings, userGroupList, parseWholeSearch(query, GROUP_SEARCH));
}

export function findUserGroup(workspace: Workspace, guid: string): UserGroup {
  const group = isGuid(guid) && selectOne(workspace.settings, userGroupList, { sql: 'g.guid = ?', values: [guid] });
  if (!group) throw refuse.guid(guid);
  return group;
}

export function createUserGroup(workspace: Workspace, caller: Caller, body: UserGroupBody): UserGroup {
  const fields = checkedFields(workspace, body);
  const guid = workspace.chance.guid();
  insertGroup(workspace.settings, guid, fields, caller.guid, zulu(workspace.clock()));
  return findUserGroup(workspace, guid);
}

/** A full update: what the body leaves out gets its default (the harsh reading of wire-facts 0, "user groups"). */
export function replaceUserGroup(workspace: Workspace, caller: Caller, guid: string, body: UserGroupBody): UserGroup {
  findUserGroup(workspace, guid);
  updateGroup(workspace.settings, guid, checkedFields(workspace, body, guid), caller.guid, zulu(workspace.clock()));
  return findUserGroup(workspace, guid);
}

export function removeUserGroup(workspace: Workspace, guid: string): void {
  findUserGroup(workspace, guid);
  deleteGroup(workspace.settings, guid);
}

export function listMembers(workspace: Workspace, group: string, query: Query): User[] {
  findUserGroup(workspace, group);
  const search = parseWholeSearch(query, USER_SEARCH);
  return selectPage(workspace.settings, memberList, search, { sql: 'm.owner = ?', values: [group] });
}

export function findMember(workspace: Workspace, group: string, user: string): User {
  findUserGroup(workspace, group);
  findUser(workspace, user);
  const condition = { sql: 'm.owner = ? AND m.member = ?', values: [group, user] };
  const member = selectOne(workspace.settings, memberList, condition);
  if (!member) throw refuse.absent(user);
  return member;
}

/** Adding a member twice is no error: the second request changes nothing. */
export function joinUserGroup(workspace: Workspace, group: string, user: string): User {
  findUserGroup(workspace, group);
  const member = findUser(workspace, user);
  addMember(workspace.settings, group, user);
  return member;
}

export function leaveUserGroup(workspace: Workspace, group: string, user: string): void {
  findUserGroup(workspace, group);
  findUser(workspace, user);
  if (!removeMember(workspace.settings, group, user)) throw refuse.absent(user);
}

function checkedFields(workspace: Workspace, body: UserGroupBody, self?: string): UserGroupFields {
  const { name, description, enabled = true, assignability = [] } = body;
  if (name.trim() === '') throw refuse.empty('name');
  const known = assignabilityAt(workspace.release);
  const unknown = assignability.find((value) => !known.includes(value));
  if (unknown !== undefined) throw refuse.option(unknown, 'assignability');
  const holder = groupNamed(workspace.settings, name);
  if (holder !== undefined && holder !== self) {
    throw new ServiceError({ code: 4701, message: `A user group named "${name}" exists already.` });
  }
  return { name, description: description ?? '', enabled, assignability: [...new Set(assignability)] };
}
