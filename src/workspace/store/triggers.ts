import type { Database } from './database.js';
import { type List, text, textOrNull } from './select.js';
import { type Person, personColumns, readPerson } from './users.js';

export const TRIGGER_RESOURCES = ['ITEM', 'REQUEST', 'CHANGE', 'QUALITY'] as const;
export const TRIGGER_ACTIONS = ['CREATE', 'EDIT', 'WORKFLOW'] as const;

/** One comparison of an attribute with a value (operators: wire-facts 3). */
export interface Condition {
  readonly attribute: string;
  readonly operator: string;
  readonly value: unknown;
}

export interface TriggerFields {
  readonly name: string;
  readonly description: string;
  readonly resource: (typeof TRIGGER_RESOURCES)[number];
  readonly action: (typeof TRIGGER_ACTIONS)[number];
  /** The GUID of a category; null: any. */
  readonly category: string | null;
  /** The apiNames of the attributes whose edits matter; none: any. */
  readonly attributes: readonly string[];
  readonly conditions: readonly Condition[];
}

export interface Trigger extends TriggerFields {
  readonly guid: string;
  readonly categoryName: string | null;
  readonly creationDateTime: string;
  readonly creator: Person;
  readonly lastModifiedDateTime: string | null;
  readonly modifyUser: Person | null;
}

const JOINED = `JOIN users c ON c.guid = t.creator LEFT JOIN users m ON m.guid = t.modifier
  LEFT JOIN categories k ON k.guid = t.category`;
const SELECTED = `t.*, k.name AS category_name, ${personColumns('c')}, ${personColumns('m')}`;

export const triggerList: List<Trigger> = {
  select: `SELECT ${SELECTED} FROM triggers t ${JOINED}`,
  columns: { name: 't.name', resource: 't.resource', action: 't.action' },
  order: 't.seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    description: text(row, 'description'),
    resource: text(row, 'resource') as Trigger['resource'],
    action: text(row, 'action') as Trigger['action'],
    category: textOrNull(row, 'category'),
    categoryName: textOrNull(row, 'category_name'),
    attributes: JSON.parse(text(row, 'attributes')) as string[],
    conditions: JSON.parse(text(row, 'conditions')) as Condition[],
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
    lastModifiedDateTime: textOrNull(row, 'modified'),
    modifyUser: row.m_guid === null ? null : readPerson(row, 'm'),
  }),
};

/** The triggers of an integration, in the order in which they were added. */
export const memberTriggerList: List<Trigger> = {
  ...triggerList,
  select: `SELECT ${SELECTED} FROM integration_triggers n JOIN triggers t ON t.guid = n.member ${JOINED}`,
  order: 'n.seq',
};

/** The GUID of the trigger that has a name, letter case aside. */
export function triggerNamed(database: Database, name: string): string | undefined {
  const row = database.get('SELECT guid FROM triggers WHERE name = ?', name);
  return row && text(row, 'guid');
}

function values(fields: TriggerFields): (string | null)[] {
  const { name, description, resource, action, category, attributes, conditions } = fields;
  return [name, description, resource, action, category, JSON.stringify(attributes), JSON.stringify(conditions)];
}

export function insertTrigger(database: Database, guid: string, fields: TriggerFields, by: string, at: string): void {
  database.run(
    `INSERT INTO triggers (name, description, resource, action, category, attributes, conditions, guid, created, creator)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...values(fields),
    guid,
    at,
    by,
  );
}

export function updateTrigger(database: Database, guid: string, fields: TriggerFields, by: string, at: string): void {
  database.run(
    `UPDATE triggers SET name = ?, description = ?, resource = ?, action = ?, category = ?, attributes = ?,
     conditions = ?, modified = ?, modifier = ? WHERE guid = ?`,
    ...values(fields),
    at,
    by,
    guid,
  );
}

export function deleteTrigger(database: Database, guid: string): void {
  database.run('DELETE FROM triggers WHERE guid = ?', guid);
}
