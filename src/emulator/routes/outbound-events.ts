import { triggers } from '../families/triggers.js';
import { answerSchema } from '../family/answer.js';
import {
  EVENT_ITEM_SEARCH,
  EVENT_SEARCH,
  findEvent,
  findEventItem,
  listEventItems,
  listEvents,
  listOtherResources,
  reconcileEvent,
  reconcileItem,
  refuseOtherResource,
} from '../rules/outbound-events.js';
import { writeWhenFree } from '../store/database.js';
import type { CompactTrigger, EventItem, OutboundEvent } from '../store/outbound-events.js';
import { callerOf } from './admission.js';
import type { App, Immutable, Services } from './app.js';
import { byEvent, byEventEntry, byGuid, listEnvelope, page, pagedQuery, person, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const EVENTS = '/outboundevents/:guid/events';
const EVENT = `${EVENTS}/:event`;
const ITEMS = `${EVENT}/items`;
const ITEM = `${ITEMS}/:entry`;

/** The resources besides items that an event may contain; nothing in this workspace creates events of them. */
const OTHERS = ['changes', 'requests', 'qualityprocesses'];

const compactTriggers = Type.Unsafe<readonly CompactTrigger[]>(Type.Array(answerSchema(triggers, 'compact')));

const event = Type.Object({
  guid: Type.String(),
  eventType: Type.Literal('OUTBOUND_EVENT'),
  status: Type.String(),
  resourcesReconciled: Type.Boolean(),
  creationDateTime: Type.String(),
  creator: person,
  triggers: compactTriggers,
});

const states = Type.Array(Type.Object({}, { additionalProperties: true }));

const reconciliation = {
  reconciled: Type.Boolean(),
  reconciledDatetime: Type.Optional(Type.String()),
  reconciledUser: Type.Optional(person),
};

const item = Type.Object({
  guid: Type.String(),
  item: Type.Object({ guid: Type.String() }),
  preEvents: states,
  postEvents: states,
  ...reconciliation,
});

const other = Type.Object({ guid: Type.String(), ...reconciliation });

/** Any value, since the rules refuse all but booleans with a code of their own. */
const truth = Type.Optional(Type.Unsafe<unknown>({ description: 'true or false' }));
const eventBody = Type.Object({ resourcesReconciled: truth }, { additionalProperties: false });
const entryBody = Type.Object({ reconciled: truth }, { additionalProperties: false });

/** Adds the endpoints of the event queue of an integration (wire-facts 6.1). */
export function outboundEventRoutes(app: App, services: Services): void {
  if (!services.workspace.dialect.capabilities.outboundIntegrations.list) return;
  eventReads(app, services);
  itemReads(app, services);
  reconciliations(app, services);
  for (const resource of OTHERS) otherResources(app, services, resource);
}

function eventReads(app: App, { workspace }: Services): void {
  app.get(
    EVENTS,
    {
      schema: {
        summary: 'List events, the oldest first',
        params: byGuid,
        querystring: pagedQuery(EVENT_SEARCH),
        response: { 200: listEnvelope(event) },
      },
    },
    async ({ params, query }) => page(listEvents(workspace, params.guid, query).map(showEvent)),
  );
  app.get(
    EVENT,
    { schema: { summary: 'Get an event', params: byEvent, response: { 200: event } } },
    async ({ params }) => showEvent(findEvent(workspace, params)),
  );
}

function itemReads(app: App, { workspace }: Services): void {
  app.get(
    ITEMS,
    {
      schema: {
        summary: 'List the items of an event',
        params: byEvent,
        querystring: searchQuery(EVENT_ITEM_SEARCH),
        response: { 200: listEnvelope(item) },
      },
    },
    async ({ params, query }) => page(listEventItems(workspace, params, query).map(showItem)),
  );
  app.get(
    ITEM,
    { schema: { summary: 'Get an item of an event', params: byEventEntry, response: { 200: item } } },
    async ({ params }) => showItem(findEventItem(workspace, params, params.entry)),
  );
}

function reconciliations(app: App, { workspace }: Services): void {
  app.put(
    EVENT,
    { schema: { summary: 'Reconcile all of an event', params: byEvent, body: eventBody, response: { 200: event } } },
    async (request) => {
      const { params, body } = request;
      const set = () => reconcileEvent(workspace, callerOf(request), params, body.resourcesReconciled);
      return showEvent(await writeWhenFree(workspace.settings, set));
    },
  );
  app.put(
    ITEM,
    { schema: { summary: 'Reconcile an item', params: byEventEntry, body: entryBody, response: { 200: item } } },
    async (request) => {
      const { params, body } = request;
      const set = () => reconcileItem(workspace, callerOf(request), params, params.entry, body.reconciled);
      return showItem(await writeWhenFree(workspace.settings, set));
    },
  );
}

function otherResources(app: App, { workspace }: Services, resource: string): void {
  const list = `${EVENT}/${resource}`;
  app.get(
    list,
    {
      schema: {
        summary: `List the ${resource} of an event`,
        params: byEvent,
        querystring: searchQuery(EVENT_ITEM_SEARCH),
        response: { 200: listEnvelope(other) },
      },
    },
    async ({ params, query }) => page(listOtherResources(workspace, params, query)),
  );
  const one = { params: byEventEntry, response: { 200: other } };
  app.get(`${list}/:entry`, { schema: { summary: `Get one of the ${resource}`, ...one } }, async ({ params }) =>
    refuseOtherResource(workspace, params, params.entry),
  );
  app.put(
    `${list}/:entry`,
    { schema: { summary: `Reconcile one of the ${resource}`, ...one, body: entryBody } },
    async ({ params }) => refuseOtherResource(workspace, params, params.entry),
  );
}

function showEvent({ guid, resourcesReconciled, ...rest }: OutboundEvent): Immutable<Static<typeof event>> {
  const status = resourcesReconciled ? 'RECONCILED' : 'NEEDS_UPDATE';
  return { guid, eventType: 'OUTBOUND_EVENT', status, resourcesReconciled, ...rest };
}

/** Shows an item; who reconciled it and when appears only after somebody has. */
function showItem(found: EventItem): Immutable<Static<typeof item>> {
  const { guid, item: of, preEvents, postEvents, reconciled, reconciledDatetime, reconciledUser } = found;
  return {
    ...{ guid, item: { guid: of }, preEvents, postEvents, reconciled },
    ...(reconciledDatetime === null ? {} : { reconciledDatetime }),
    ...(reconciledUser === null ? {} : { reconciledUser }),
  };
}
