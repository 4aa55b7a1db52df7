import {
  createReservation,
  findReservation,
  listReservations,
  RESERVATION_FLAGS,
  RESERVATION_SEARCH,
  releaseReservation,
} from '../rules/number-reservations.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, page, person, searchQuery } from './schemas.js';
import { Type } from './type.js';

const RESERVATIONS = '/settings/items/numberreservations';
const RESERVATION = `${RESERVATIONS}/:guid`;

/** Most numbers that one request takes from a sequence; no source shows a limit. */
const MOST = 10_000;

const fields = {
  guid: Type.String(),
  name: Type.String(),
  category: Type.Object({ guid: Type.String(), name: Type.String() }),
  creationDateTime: Type.String(),
  creator: person,
};

const reservation = Type.Object({ ...fields, itemNumbers: Type.Array(Type.String()) });
const listed = Type.Object({ ...fields, itemNumbers: Type.Optional(Type.Array(Type.String())) });

const reservationBody = Type.Object(
  {
    name: Type.String(),
    category: Type.Object({ guid: Type.String() }, { additionalProperties: false }),
    itemNumbers: Type.Optional(Type.Array(Type.String())),
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })),
  },
  { additionalProperties: false },
);

/** Number reservations, which are never updated (wire-facts 0 and 7). */
export function numberReservationRoutes(app: App, services: Services): void {
  const { list, create, delete: release } = services.workspace.dialect.capabilities.numberReservations;
  if (list) reservationReads(app, services);
  if (create) reservationCreation(app, services);
  if (release) reservationRelease(app, services);
}

function reservationReads(app: App, { workspace }: Services): void {
  app.get(
    RESERVATIONS,
    {
      schema: {
        summary: 'Search number reservations',
        querystring: searchQuery(RESERVATION_SEARCH, ...RESERVATION_FLAGS),
        response: { 200: listOf(listed) },
      },
    },
    async ({ query }) => page(listReservations(workspace, query)),
  );
  app.get(
    RESERVATION,
    { schema: { summary: 'Get a number reservation', params: byGuid, response: { 200: reservation } } },
    async ({ params }) => findReservation(workspace, params.guid),
  );
}

function reservationCreation(app: App, { workspace }: Services): void {
  app.post(
    RESERVATIONS,
    { schema: { summary: 'Reserve numbers', body: reservationBody, response: { 201: reservation } } },
    async (request, reply) => {
      const create = () => createReservation(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function reservationRelease(app: App, { workspace }: Services): void {
  app.delete(
    RESERVATION,
    { schema: { summary: 'Release the numbers of a reservation', params: byGuid } },
    async ({ params }, reply) => {
      await writeWhenFree(workspace.settings, () => releaseReservation(workspace, params.guid));
      return reply.status(204).send();
    },
  );
}
