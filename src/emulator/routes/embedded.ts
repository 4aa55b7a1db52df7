import { items } from '../families/items.js';
import { numberFormats } from '../families/number-formats.js';
import { users } from '../families/users.js';
import { answerFor, answerSchema, createAnswerer } from '../family/answer.js';
import type { WriteRequest } from '../family/field.js';
import { bodySchema } from '../family/routes.js';
import { createRecord } from '../family/write-record.js';
import { refusal } from '../rules/service-error.js';
import { createAttribute, createCategory, lockItem, removeAttribute } from '../rules/settings-administration.js';
import { createUser } from '../rules/users.js';
import { writeWhenFree } from '../store/database.js';
import {
  CATEGORY_ROOTS,
  type CategoryWorld,
  FIELD_TYPES,
  type FieldType,
  WORLDS,
  type World,
} from '../store/item-settings.js';
import { requireAdministrator } from './admission.js';
import type { App, Services } from './app.js';
import { attributeAnswer, categoryAnswer, showAttribute, showCategory } from './item-settings.js';
import { byGuid, NO_CONTENT, nullable } from './schemas.js';
import { Type } from './type.js';

const attributeBody = Type.Object(
  {
    world: Type.Unsafe<World>({ type: 'string', enum: WORLDS }),
    name: Type.String(),
    fieldType: Type.Unsafe<FieldType>({ type: 'string', enum: FIELD_TYPES }),
    required: Type.Optional(Type.Boolean()),
    multiSelect: Type.Optional(Type.Boolean()),
    maxLength: Type.Optional(Type.Integer({ minimum: 1 })),
    possibleValues: Type.Optional(Type.Array(Type.String())),
    category: Type.Optional(Type.String({ description: 'The GUID of the category that alone has it' })),
  },
  { additionalProperties: false },
);

const userBody = Type.Object(
  {
    email: Type.String(),
    fullName: Type.String(),
    password: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const categoryBody = Type.Object(
  {
    path: Type.String(),
    world: Type.Optional(Type.Unsafe<CategoryWorld>({ type: 'string', enum: Object.keys(CATEGORY_ROOTS) })),
    numberFormat: Type.Optional(nullable(Type.String())),
  },
  { additionalProperties: false },
);

const lockBody = Type.Object({ isLocked: Type.Boolean() }, { additionalProperties: false });

const common = {
  tags: ['embedded only'],
  description:
    'Not part of the published interface: a service has it in its own pages. For administrators; not counted.',
};

/**
 * Adds endpoints for tasks that an administrator does in a service's own pages, since the published interface has none:
 * attributes, users, categories, number formats and locks of items of the embedded workspace.
 */
export function embeddedRoutes(app: App, services: Services): void {
  attributeAdministration(app, services);
  const { workspace } = services;
  app.post(
    '/embedded/users',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Add a user', body: userBody, response: { 201: answerSchema(users) } },
    },
    async (request, reply) => {
      requireAdministrator(request);
      const create = () => answerFor(workspace, users, createUser(workspace, request.body).guid);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
  app.post(
    '/embedded/categories',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Add a category', body: categoryBody, response: { 201: categoryAnswer } },
    },
    async (request, reply) => {
      requireAdministrator(request);
      const create = () => createCategory(workspace, request.body);
      return reply.status(201).send(showCategory(await writeWhenFree(workspace.settings, create)));
    },
  );
  numberFormatAdministration(app, services);
  itemLocks(app, services);
  resets(app, services);
}

function resets(app: App, { reset }: Services): void {
  app.post(
    '/embedded/reset',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Return the workspace to the file of `--from`', response: NO_CONTENT },
    },
    async (request, reply) => {
      requireAdministrator(request);
      await reset().catch((error: Error) => {
        if (error.name !== 'OpenError') throw error;
        throw refusal(409, error.message, 409);
      });
      return reply.status(204).send();
    },
  );
}

function itemLocks(app: App, { workspace }: Services): void {
  app.put(
    '/embedded/items/:guid',
    {
      config: { uncounted: true },
      schema: {
        ...common,
        summary: 'Lock or unlock an item',
        params: byGuid,
        body: lockBody,
        response: { 200: answerSchema(items) },
      },
    },
    async (request) => {
      requireAdministrator(request);
      const { params, body } = request;
      await writeWhenFree(workspace.settings, () => lockItem(workspace, params.guid, body.isLocked));
      return answerFor(workspace, items, params.guid);
    },
  );
}

function numberFormatAdministration(app: App, { workspace }: Services): void {
  app.post(
    '/embedded/numberformats',
    {
      config: { uncounted: true },
      schema: {
        ...common,
        summary: 'Add a number format',
        body: bodySchema(numberFormats),
        response: { 201: answerSchema(numberFormats) },
      },
    },
    async (request, reply) => {
      const caller = requireAdministrator(request);
      const writing: WriteRequest = { workspace, caller, body: request.body as WriteRequest['body'] };
      const row = await writeWhenFree(workspace.settings, () => createRecord(numberFormats, writing));
      return reply.status(201).send(createAnswerer(numberFormats, { workspace, query: {} })(row));
    },
  );
}

function attributeAdministration(app: App, { workspace }: Services): void {
  app.post(
    '/embedded/attributes',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Add a custom attribute', body: attributeBody, response: { 201: attributeAnswer } },
    },
    async (request, reply) => {
      requireAdministrator(request);
      const create = () => createAttribute(workspace, request.body);
      return reply.status(201).send(showAttribute(await writeWhenFree(workspace.settings, create)));
    },
  );
  app.delete(
    '/embedded/attributes/:guid',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Delete a custom attribute', params: byGuid, response: NO_CONTENT },
    },
    async (request, reply) => {
      requireAdministrator(request);
      await writeWhenFree(workspace.settings, () => removeAttribute(workspace, request.params.guid));
      return reply.status(204).send();
    },
  );
}
