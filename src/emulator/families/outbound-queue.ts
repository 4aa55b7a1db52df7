import type { Asked, Described } from '../documented/described.js';
import { createAnswerer } from '../family/answer.js';
import { listRecords } from '../family/list-records.js';
import { listMembers } from '../family/members.js';
import { findRow } from '../family/records.js';
import { Type } from '../routes/type.js';
import { findEvent, findEventItem, reconcileEvent, reconcileItem, withoutAny } from '../rules/outbound-events.js';
import { parseSearch, parseWholeSearch, type Searchable } from '../rules/search.js';
import { type EventItem, eventItemList, eventList, type OutboundEvent } from '../store/outbound-events.js';
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

const pathOf = ({ guid = '', member = '' }: Asked['params']) => ({ guid, event: member });

const ofEvent = (guid: string) => ({ sql: 'i.event = ?', values: [guid] });

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

function showItem({ workspace }: Asked, found: EventItem): object {
  const { guid, item, postEvents, reconciled, reconciledDatetime, reconciledUser } = found;
  return {
    ...{ guid, reconciled, effectiveItemRevision: showRevision(workspace, item, postEvents) },
    ...(reconciledDatetime === null ? {} : { reconciledDateTime: reconciledDatetime, reconciledUser }),
  };
}

/** The item of an event, whose GUID stays even when the item is gone. */
function showRevision(workspace: Asked['workspace'], guid: string, after: EventItem['postEvents']): object {
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
  {
    ...{ method: 'GET', path: QUEUE, summary: 'Search outbound integrations' },
    answer: ({ workspace, query }) => listRecords(workspace, outboundIntegrations, query).map(showIntegration),
  },
  {
    ...{ method: 'GET', path: `${QUEUE}/{guid}`, summary: 'Get an outbound integration' },
    answer: ({ workspace, params: { guid = '' } }) => {
      const row = findRow(workspace, outboundIntegrations, guid);
      return showIntegration(createAnswerer(outboundIntegrations, { workspace, query: {} })(row));
    },
  },
  {
    ...{ method: 'GET', path: `${QUEUE}/{guid}/administrators`, summary: 'List the administrators of an integration' },
    answer: ({ workspace, params: { guid = '' }, query }) =>
      listMembers(workspace, integrationAdministrators, guid, query),
  },
  {
    ...{ method: 'GET', path: EVENTS, summary: 'List the events of an integration, the oldest first' },
    answer: ({ workspace, params: { guid = '' }, query }) => {
      findRow(workspace, outboundIntegrations, guid);
      const search = parseSearch(withoutAny(query, 'itemsReconciled'), EVENT_SEARCH);
      const fixed = { sql: 'e.integration = ?', values: [guid] };
      return selectPage(workspace.settings, eventList, search, fixed).map(showEvent);
    },
  },
  {
    ...{ method: 'GET', path: EVENT, summary: 'Get an event' },
    answer: ({ workspace, params }) => showEvent(findEvent(workspace, pathOf(params))),
  },
  {
    ...{ method: 'PUT', path: EVENT, summary: 'Reconcile all items of an event', body: bodyOf('itemsReconciled') },
    answer: ({ workspace, caller, params, body }) =>
      showEvent(reconcileEvent(workspace, caller, pathOf(params), body.itemsReconciled)),
  },
  {
    ...{ method: 'GET', path: `${EVENT}/itemguids`, summary: 'List the GUIDs of the items of an event' },
    answer: ({ workspace, params, query }) => {
      const { guid } = findEvent(workspace, pathOf(params));
      const search = parseWholeSearch(withoutAny({ reconciled: 'false', ...query }, 'reconciled'), ITEM_SEARCH);
      return selectPage(workspace.settings, eventItemList, search, ofEvent(guid)).map(({ item }) => item);
    },
  },
  {
    ...{ method: 'GET', path: ITEMS, summary: 'Search the items of an event' },
    answer: (asked) => {
      const { workspace, params, query } = asked;
      const { guid } = findEvent(workspace, pathOf(params));
      const search = parseSearch(withoutAny(query, 'reconciled'), ITEM_SEARCH);
      return selectPage(workspace.settings, eventItemList, search, ofEvent(guid)).map((item) => showItem(asked, item));
    },
  },
  {
    ...{ method: 'GET', path: `${ITEMS}/{guid}`, summary: 'Get an item of an event' },
    answer: (asked) => {
      const { workspace, params } = asked;
      return showItem(asked, findEventItem(workspace, pathOf(params), params.entry ?? ''));
    },
  },
  {
    ...{ method: 'PUT', path: `${ITEMS}/{guid}`, summary: 'Reconcile an item of an event', body: bodyOf('reconciled') },
    answer: (asked) => {
      const { workspace, caller, params, body } = asked;
      const path = pathOf(params);
      return showItem(asked, reconcileItem(workspace, caller, path, params.entry ?? '', body.reconciled));
    },
  },
];
