import { type Asked, type Described, described } from '../documented/described.js';
import { createAnswerer } from '../family/answer.js';
import { listRecords } from '../family/list-records.js';
import { listMembers } from '../family/members.js';
import { findRow } from '../family/records.js';
import { Type } from '../routes/type.js';
import { findEvent, findEventItem, reconcileEvent, reconcileItem, withoutAny } from '../rules/outbound-events.js';
import { parseSearch, parseWholeSearch, type Searchable } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import { type EventItem, eventItemList, eventList, type OutboundEvent } from '../store/outbound-events.js';
import type { Search } from '../store/search.js';
import { selectPage } from '../store/select.js';
import { items } from './items.js';
import { integrationAdministrators, outboundIntegrations } from './outbound-integrations.js';

/** The older form of the same integrations (wire-facts 6.2): each revision of items makes an event. */
const QUEUE = '/outboundintegrations';
const EVENTS = `${QUEUE}/{guid}/events`;
const EVENT = `${EVENTS}/{guid}`;
const ITEMS = `${EVENT}/items`;

const EVENT_SEARCH: Searchable = {
  ...{ itemsReconciled: 'flag', creationDateTimeFrom: 'dateTimeFrom', creationDateTimeTo: 'dateTimeTo' },
};

const ITEM_SEARCH: Searchable = {
  ...{ reconciled: 'flag', reconciledDateTimeFrom: 'dateTimeFrom', reconciledDateTimeTo: 'dateTimeTo' },
};

/** A body whose value the rules check, with a code of their own. */
const bodyOf = (name: string) =>
  Type.Object({ [name]: Type.Optional(Type.Unknown()) }, { additionalProperties: false });

const pathOf = ({ guid, member }: Asked['params']) => ({ guid, event: member });

/** An integration by the names of this form. */
const showIntegration = (integration: Readonly<Record<string, unknown>>): object => ({
  ...integration,
  modifyDateTime: integration.lastModifiedDateTime,
  ...{ type: 'OUTBOUND_MANAGED', transferType: 'ITEM_REVISION' },
});

function showEvent({ guid, resourcesReconciled, creationDateTime, creator }: OutboundEvent): object {
  return {
    ...{ guid, creationDateTime, creator, itemsReconciled: resourcesReconciled, eventType: 'REVISIONING_EVENT' },
    status: resourcesReconciled ? 'RECONCILED' : 'NEEDS_UPDATE',
    revisioningEvent: { guid, performedOnDateTime: creationDateTime },
  };
}

function showItem(asked: Asked, found: EventItem): object {
  const { guid, item, postEvents, reconciled, reconciledDatetime, reconciledUser } = found;
  return {
    ...{ guid, reconciled, effectiveItemRevision: showRevision(asked, item, postEvents) },
    ...(reconciledDatetime === null ? {} : { reconciledDateTime: reconciledDatetime, reconciledUser }),
  };
}

/** The item of an event, whose GUID stays even when the item is gone. */
function showRevision({ workspace }: Asked, guid: string, after: EventItem['postEvents']): object {
  const row = workspace.settings.get(items.byGuid, guid);
  if (row === undefined) return { guid };
  const changed = Object.keys(after[0] ?? {});
  const phase = 'SELECT guid, name, stage FROM lifecycle_phases WHERE guid = ?';
  return {
    ...createAnswerer(items, { workspace, query: {} })(row),
    lifecyclePhase: workspace.settings.get(phase, String(row.phase)),
    ...{ modifiedBom: changed.includes('bom'), modifiedFiles: false, modifiedSourcing: false },
    modifiedSpecs: changed.some((name) => name !== 'bom' && name !== 'guid'),
  };
}

/** The ten operations of this form. */
export const queueOperations: readonly Described[] = [
  described(`GET ${QUEUE}`, 'Search outbound integrations', ({ workspace, query }) =>
    listRecords(workspace, outboundIntegrations, query).map(showIntegration),
  ),
  described(`GET ${QUEUE}/{guid}`, 'Get an outbound integration', (asked) => {
    const row = findRow(asked.workspace, outboundIntegrations, asked.params.guid);
    return showIntegration(createAnswerer(outboundIntegrations, asked)(row));
  }),
  described(`GET ${QUEUE}/{guid}/administrators`, 'List the administrators', ({ workspace, params, query }) =>
    listMembers(workspace, integrationAdministrators, params.guid, query),
  ),
  described(`GET ${EVENTS}`, 'List the events of an integration, the oldest first', ({ workspace, params, query }) => {
    findRow(workspace, outboundIntegrations, params.guid);
    const search = parseSearch(withoutAny(query, 'itemsReconciled'), EVENT_SEARCH);
    const fixed = { sql: 'e.integration = ?', values: [params.guid] };
    return selectPage(workspace.settings, eventList, search, fixed).map(showEvent);
  }),
  described(`GET ${EVENT}`, 'Get an event', ({ workspace, params }) => showEvent(findEvent(workspace, pathOf(params)))),
  described(
    `PUT ${EVENT}`,
    'Reconcile all items of an event',
    ({ workspace, caller, params, body }) =>
      showEvent(reconcileEvent(workspace, caller, pathOf(params), body.itemsReconciled)),
    bodyOf('itemsReconciled'),
  ),
  described(`GET ${EVENT}/itemguids`, 'List the GUIDs of the items of an event', ({ workspace, params, query }) => {
    const search = parseWholeSearch(withoutAny({ reconciled: 'false', ...query }, 'reconciled'), ITEM_SEARCH);
    return itemsOf(workspace, params, search).map(({ item }) => item);
  }),
  described(`GET ${ITEMS}`, 'Search the items of an event', (asked) => {
    const search = parseSearch(withoutAny(asked.query, 'reconciled'), ITEM_SEARCH);
    return itemsOf(asked.workspace, asked.params, search).map((item) => showItem(asked, item));
  }),
  described(`GET ${ITEMS}/{guid}`, 'Get an item of an event', (asked) =>
    showItem(asked, findEventItem(asked.workspace, pathOf(asked.params), asked.params.entry)),
  ),
  described(
    `PUT ${ITEMS}/{guid}`,
    'Reconcile an item of an event',
    (asked) => {
      const { workspace, caller, params, body } = asked;
      return showItem(asked, reconcileItem(workspace, caller, pathOf(params), params.entry, body.reconciled));
    },
    bodyOf('reconciled'),
  ),
];

function itemsOf(workspace: Workspace, params: Asked['params'], search: Search): readonly EventItem[] {
  const { guid } = findEvent(workspace, pathOf(params));
  return selectPage(workspace.settings, eventItemList, search, { sql: 'i.event = ?', values: [guid] });
}
