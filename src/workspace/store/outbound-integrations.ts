import type { Database } from './database.js';
import { flag, type List, text, textOrNull } from './select.js';
import { type Trigger, triggerList } from './triggers.js';
import { type Person, personColumns, readPerson, type User, userList } from './users.js';

/** An outbound-event integration; its status follows from its events (wire-facts 6.1). */
export interface OutboundIntegration {
  readonly guid: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly status: 'DISABLED' | 'NEEDS_UPDATE' | 'UP_TO_DATE';
  readonly creationDateTime: string;
  readonly creator: Person;
  readonly lastModifiedDateTime: string | null;
  readonly modifyUser: Person | null;
}

export type IntegrationFields = Pick<OutboundIntegration, 'name' | 'enabled'>;

const OPEN = `EXISTS (SELECT 1 FROM outbound_events e JOIN event_items i ON i.event = e.guid AND i.reconciled = 0
  WHERE e.integration = o.guid)`;

export const integrationList: List<OutboundIntegration> = {
  select: `SELECT o.*, ${personColumns('c')}, ${personColumns('m')},
    CASE WHEN NOT o.enabled THEN 'DISABLED' WHEN ${OPEN} THEN 'NEEDS_UPDATE' ELSE 'UP_TO_DATE' END AS status
    FROM outbound_integrations o JOIN users c ON c.guid = o.creator LEFT JOIN users m ON m.guid = o.modifier`,
  columns: { name: 'o.name', enabled: 'o.enabled' },
  order: 'o.seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    enabled: flag(row, 'enabled'),
    status: text(row, 'status') as OutboundIntegration['status'],
    creationDateTime: text(row, 'created'),
    creator: readPerson(row, 'c'),
    lastModifiedDateTime: textOrNull(row, 'modified'),
    modifyUser: row.m_guid === null ? null : readPerson(row, 'm'),
  }),
};

export function insertIntegration(
  database: Database,
  guid: string,
  { name, enabled }: IntegrationFields,
  by: string,
  at: string,
): void {
  const sql = 'INSERT INTO outbound_integrations (guid, name, enabled, created, creator) VALUES (?, ?, ?, ?, ?)';
  database.run(sql, guid, name, Number(enabled), at, by);
}

export function updateIntegration(
  database: Database,
  guid: string,
  { name, enabled }: IntegrationFields,
  by: string,
  at: string,
): void {
  const sql = 'UPDATE outbound_integrations SET name = ?, enabled = ?, modified = ?, modifier = ? WHERE guid = ?';
  database.run(sql, name, Number(enabled), at, by, guid);
}

export function deleteIntegration(database: Database, guid: string): void {
  database.run('DELETE FROM outbound_integrations WHERE guid = ?', guid);
}

/** What an integration has members of. */
export type MemberTable = 'integration_triggers' | 'integration_administrators';

export function addToIntegration(database: Database, table: MemberTable, integration: string, member: string): void {
  database.run(`INSERT OR IGNORE INTO ${table} (owner, member) VALUES (?, ?)`, integration, member);
}

/** Whether it was there. */
export function takeFromIntegration(
  database: Database,
  table: MemberTable,
  integration: string,
  member: string,
): boolean {
  return database.run(`DELETE FROM ${table} WHERE owner = ? AND member = ?`, integration, member) > 0;
}

/** The administrators of an integration, in the order in which they were added. */
export const integrationAdministratorList: List<User> = {
  ...userList,
  select: 'SELECT u.* FROM integration_administrators n JOIN users u ON u.guid = n.member',
  order: 'n.seq',
};

export function isIntegrationAdministrator(database: Database, integration: string, user: string): boolean {
  const sql = 'SELECT 1 FROM integration_administrators WHERE owner = ? AND member = ?';
  return database.get(sql, integration, user) !== undefined;
}

/** A trigger that an enabled integration listens to. */
interface Subscription {
  readonly integration: string;
  readonly trigger: Trigger;
}

/** Who wants to hear of items. */
export function itemSubscriptions(database: Database): Subscription[] {
  const rows = database.all(`SELECT n.owner, n.member FROM integration_triggers n
    JOIN outbound_integrations o ON o.guid = n.owner JOIN triggers t ON t.guid = n.member
    WHERE o.enabled = 1 AND t.resource = 'ITEM' ORDER BY n.seq`);
  if (rows.length === 0) return [];
  const triggers = new Map(
    database.all(triggerList.select).map((row) => [text(row, 'guid'), triggerList.read(row)] as const),
  );
  return rows.flatMap((row) => {
    const trigger = triggers.get(text(row, 'member'));
    return trigger ? [{ integration: text(row, 'owner'), trigger }] : [];
  });
}
