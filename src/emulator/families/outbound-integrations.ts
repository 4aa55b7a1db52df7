import { computed } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import { members } from '../family/members.js';
import { flag } from '../family/plain-fields.js';
import { creationTime, creator, modificationTime, modifier } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { Type } from '../routes/type.js';
import { text } from '../store/select.js';
import { triggers } from './triggers.js';
import { users } from './users.js';

/** Whether any event waits to be reconciled. */
const OPEN = `EXISTS (SELECT 1 FROM outbound_events e JOIN event_items i ON i.event = e.guid AND i.reconciled = 0
  WHERE e.integration = t.guid)`;

const STATUS = `CASE WHEN NOT t.enabled THEN 'DISABLED' WHEN ${OPEN} THEN 'NEEDS_UPDATE' ELSE 'UP_TO_DATE' END`;

/** Outbound-event integrations; names need not be unique; deleting one deletes its events (wire-facts 0 and 6.1). */
export const outboundIntegrations = family({
  path: '/outboundevents',
  one: 'an integration',
  many: 'outbound-event integrations',
  table: 'outbound_integrations',
  capability: 'outboundIntegrations',
  fields: {
    name: name(),
    enabled: flag(true),
    status: computed(STATUS, Type.String(), text),
    creationDateTime: creationTime(),
    creator: creator(),
    lastModifiedDateTime: modificationTime(),
    modifyUser: modifier(),
  },
  search: { enabled: 'flag', name: 'text' },
  summaries: { delete: 'Delete an integration with its events' },
});

/** The triggers of integrations, shown compact (wire-facts 6.1); deleting a trigger removes it from all of them. */
export const integrationTriggers = members({
  owner: outboundIntegrations,
  segment: 'triggers',
  table: 'integration_triggers',
  of: triggers,
  deletable: true,
  capability: 'integrationTriggers',
  noun: 'trigger',
  view: 'compact',
});

/** The only users who may reconcile the events of an integration; others are refused with 4303 (wire-facts 6.1). */
export const integrationAdministrators = members({
  owner: outboundIntegrations,
  segment: 'administrators',
  table: 'integration_administrators',
  of: users,
  deletable: false,
  capability: 'integrationAdministrators',
  noun: 'administrator',
  view: 'full',
});
