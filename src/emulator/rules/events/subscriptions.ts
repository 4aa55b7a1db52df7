import { type Trigger, triggers } from '../../families/triggers.js';
import { selectRecords } from '../../family/records.js';
import type { Database } from '../../store/database.js';
import { text } from '../../store/select.js';

/** A trigger that an enabled integration listens to. */
interface Subscription {
  readonly integration: string;
  readonly trigger: Trigger;
}

/** Finds the subscriptions to events of items. */
export function itemSubscriptions(database: Database): Subscription[] {
  const rows = database.all(`SELECT n.owner, n.member FROM integration_triggers n
    JOIN outbound_integrations o ON o.guid = n.owner JOIN triggers t ON t.guid = n.member
    WHERE o.enabled = 1 AND t.resource = 'ITEM' ORDER BY n.seq`);
  if (rows.length === 0) return [];
  const known = new Map(selectRecords(database, triggers).map((trigger) => [trigger.guid, trigger] as const));
  return rows.flatMap((row) => {
    const trigger = known.get(text(row, 'member'));
    return trigger ? [{ integration: text(row, 'owner'), trigger }] : [];
  });
}
