import type { Database } from './database.js';
import type { Row } from './driver.js';
import { flag, type List, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

/** What the groups of a policy may do with one kind of object. */
export interface PolicyRule {
  readonly resource: string;
  readonly actions: readonly string[];
}

/** A policy as the interface shows one (wire-facts 0, "policies"). */
export interface Policy {
  readonly guid: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly userGroups: readonly { readonly guid: string; readonly name: string }[];
  readonly rules: readonly PolicyRule[];
  readonly creationDateTime: string;
  readonly creator: Person;
  readonly lastModifiedDateTime: string | null;
  readonly modifiedBy: Person | null;
}

/** What a request says of a policy; the groups by GUID. */
export interface PolicyFields extends Pick<Policy, 'name' | 'description' | 'enabled' | 'rules'> {
  readonly userGroups: readonly string[];
}

export const policyList: List<Policy> = {
  select: `SELECT p.*, ${personColumns('c')}, ${personColumns('m')},
    (SELECT json_group_array(json_object('guid', u.guid, 'name', u.name)) FROM
      (SELECT g.guid, g.name FROM policy_groups x JOIN user_groups g ON g.guid = x.member
       WHERE x.owner = p.guid ORDER BY x.seq) u) AS groups
    FROM policies p JOIN users c ON c.guid = p.creator LEFT JOIN users m ON m.guid = p.modifier`,
  columns: { name: 'p.name', enabled: 'p.enabled' },
  order: 'p.seq',
  read: readPolicy,
};

function readPolicy(row: Row): Policy {
  return {
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    description: text(row, 'description'),
    enabled: flag(row, 'enabled'),
    userGroups: JSON.parse(text(row, 'groups')) as Policy['userGroups'],
    rules: JSON.parse(text(row, 'rules')) as PolicyRule[],
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
    lastModifiedDateTime: textOrNull(row, 'modified'),
    modifiedBy: row.m_guid === null ? null : readPerson(row, 'm'),
  };
}

/** The GUID of the policy that has a name, letter case aside. */
export function policyNamed(database: Database, name: string): string | undefined {
  const row = database.get('SELECT guid FROM policies WHERE name = ?', name);
  return row && text(row, 'guid');
}

export function insertPolicy(database: Database, guid: string, policy: PolicyFields, by: string, at: string): void {
  database.run(
    'INSERT INTO policies (guid, name, description, enabled, rules, created, creator) VALUES (?, ?, ?, ?, ?, ?, ?)',
    guid,
    policy.name,
    policy.description,
    Number(policy.enabled),
    JSON.stringify(policy.rules),
    at,
    by,
  );
  assignGroups(database, guid, policy.userGroups);
}

export function updatePolicy(database: Database, guid: string, policy: PolicyFields, by: string, at: string): void {
  database.run(
    'UPDATE policies SET name = ?, description = ?, enabled = ?, rules = ?, modified = ?, modifier = ? WHERE guid = ?',
    policy.name,
    policy.description,
    Number(policy.enabled),
    JSON.stringify(policy.rules),
    at,
    by,
    guid,
  );
  database.run('DELETE FROM policy_groups WHERE owner = ?', guid);
  assignGroups(database, guid, policy.userGroups);
}

export function deletePolicy(database: Database, guid: string): void {
  database.run('DELETE FROM policies WHERE guid = ?', guid);
}

function assignGroups(database: Database, policy: string, groups: readonly string[]): void {
  for (const group of groups) {
    database.run('INSERT INTO policy_groups (owner, member) VALUES (?, ?)', policy, group);
  }
}
