import type { Dialect } from './dialects/dialect.js';
import { extracts } from './families/extracts.js';
import {
  integrationAdministrators,
  integrationTriggers,
  outboundIntegrations,
} from './families/outbound-integrations.js';
import { type Trigger, triggers } from './families/triggers.js';
import { addEntry } from './family/list-table.js';
import { insertRecord } from './family/records.js';
import { zulu } from './rules/date-times.js';
import type { Chance, Clock } from './rules/guid-source.js';
import type { Database } from './store/database.js';

const TRIGGERS: readonly Pick<Trigger, 'name' | 'description' | 'action'>[] = [
  { name: 'Item created', description: 'A new item', action: 'CREATE' },
  { name: 'Item edited', description: 'Any edit of an item', action: 'EDIT' },
];

/**
 * Seeds the objects that people create in the service's own pages, if no request of the dialect can create them: an
 * extract, two triggers, and an integration with both triggers and the administrator.
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
    const fields = { name: 'Nightly extract', enabled: true, type: 'FULL', tracking: 0 } as const;
    const stamps = { creationDateTime: at, creator: administrator, lastModifiedDateTime: null };
    insertRecord(settings, extracts, { guid: chance.guid(), ...fields, ...stamps });
  }
  if (!capabilities.triggers.create && !capabilities.outboundIntegrations.create) {
    seedIntegration(settings, administrator, chance, at);
  }
}

function seedIntegration(settings: Database, creator: string, chance: Chance, at: string): void {
  const guid = chance.guid();
  const modified = { lastModifiedDateTime: null, modifyUser: null };
  const integration = { guid, name: 'ERP', enabled: true, creationDateTime: at, creator, ...modified };
  insertRecord(settings, outboundIntegrations, integration);
  addEntry(settings, integrationAdministrators.table, guid, creator);
  for (const fields of TRIGGERS) {
    const any = { resource: 'ITEM', category: null, attributes: [], conditions: [] } as const;
    const trigger = { guid: chance.guid(), ...fields, ...any, creationDatetime: at, creator, ...modified };
    insertRecord(settings, triggers, trigger);
    addEntry(settings, integrationTriggers.table, guid, trigger.guid);
  }
}
