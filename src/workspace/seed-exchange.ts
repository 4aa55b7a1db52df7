import type { Dialect } from './dialects/dialect.js';
import type { Chance, Clock } from './rules/chance.js';
import { zulu } from './rules/date-times.js';
import type { Database } from './store/database.js';
import { insertExtract } from './store/extracts.js';
import { addToIntegration, insertIntegration } from './store/outbound-integrations.js';
import { insertTrigger, type TriggerFields } from './store/triggers.js';

const TRIGGERS: readonly Pick<TriggerFields, 'name' | 'description' | 'action'>[] = [
  { name: 'Item created', description: 'A new item', action: 'CREATE' },
  { name: 'Item edited', description: 'Any edit of an item', action: 'EDIT' },
];

/**
 * What people make in a service's own pages where the dialect lets no request make it: an extract, two triggers, and an
 * integration that has both and the administrator.
 */
export function seedExchange(
  settings: Database,
  administrator: string,
  { capabilities }: Dialect,
  chance: Chance,
  clock: Clock,
): void {
  const at = zulu(clock());
  if (!capabilities.extractDefinitions.create) {
    const fields = { name: 'Nightly extract', enabled: true, type: 'FULL' } as const;
    insertExtract(settings, chance.guid(), fields, administrator, at);
  }
  if (capabilities.triggers.create || capabilities.outboundIntegrations.create) return;
  const integration = chance.guid();
  insertIntegration(settings, integration, { name: 'ERP', enabled: true }, administrator, at);
  addToIntegration(settings, 'integration_administrators', integration, administrator);
  for (const fields of TRIGGERS) {
    const guid = chance.guid();
    const any = { resource: 'ITEM', category: null, attributes: [], conditions: [] } as const;
    insertTrigger(settings, guid, { ...fields, ...any }, administrator, at);
    addToIntegration(settings, 'integration_triggers', integration, guid);
  }
}
