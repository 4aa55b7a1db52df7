import type { Database } from './database.js';
import type { Row } from './driver.js';
import { flag, type List, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson, readUser, type User, userList } from './users.js';

/** A user group as the interface shows one (wire-facts 7). */
export interface UserGroup {
  readonly guid: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly assignability: readonly string[];
  readonly creationDateTime: string;
  readonly creator: Person;
  readonly lastModifiedDateTime: string | null;
  readonly modifiedBy: Person | null;
}

/** What a request says of a group. */
export type UserGroupFields = Pick<UserGroup, 'name' | 'description' | 'enabled' | 'assignability'>;

export const userGroupList: List<UserGroup> = {
  select: `SELECT g.*, ${personColumns('c')}, ${personColumns('m')}
    FROM user_groups g JOIN users c ON c.guid = g.creator LEFT JOIN users m ON m.guid = g.modifier`,
  columns: { name: 'g.name', enabled: 'g.enabled', guid: 'g.guid' },
  order: 'g.seq',
  read: readGroup,
};

function readGroup(row: Row): UserGroup {
  return {
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    description: text(row, 'description'),
    enabled: flag(row, 'enabled'),
    assignability: JSON.parse(text(row, 'assignability')) as string[],
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
    lastModifiedDateTime: textOrNull(row, 'modified'),
    modifiedBy: row.m_guid === null ? null : readPerson(row, 'm'),
  };
}

/** The members of a group, in the order in which they were added. */
export const memberList: List<User> = {
  ...userList,
  select: 'SELECT u.* FROM user_group_members m JOIN users u ON u.guid = m.member',
  order: 'm.seq',
  read: readUser,
};

/** The GUID of the group that has a name, letter case aside. */
export function groupNamed(database: Database, name: string): string | undefined {
  const row = database.get('SELECT guid FROM user_groups WHERE name = ?', name);
  return row && text(row, 'guid');
}

export function insertGroup(database: Database, guid: string, group: UserGroupFields, by: string, at: string): void {
  database.run(
    `INSERT INTO user_groups (guid, name, description, enabled, assignability, created, creator)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    guid,
    group.name,
    group.description,
    Number(group.enabled),
    JSON.stringify(group.assignability),
    at,
    by,
  );
}

export function updateGroup(database: Database, guid: string, group: UserGroupFields, by: string, at: string): void {
  database.run(
    `UPDATE user_groups SET name = ?, description = ?, enabled = ?, assignability = ?, modified = ?, modifier = ?
     WHERE guid = ?`,
    group.name,
    group.description,
    Number(group.enabled),
    JSON.stringify(group.assignability),
    at,
    by,
    guid,
  );
}

export function deleteGroup(database: Database, guid: string): void {
  database.run('DELETE FROM user_groups WHERE guid = ?', guid);
}

export function addMember(database: Database, group: string, user: string): void {
  database.run('INSERT OR IGNORE INTO user_group_members (owner, member) VALUES (?, ?)', group, user);
}

/** Whether the user was a member. */
export function removeMember(database: Database, group: string, user: string): boolean {
  return database.run('DELETE FROM user_group_members WHERE owner = ? AND member = ?', group, user) > 0;
}
