import Type from 'typebox';
import { createAttribute, createCategory, removeAttribute } from '../rules/item-settings.js';
import { createUser } from '../rules/users.js';
import { writeWhenFree } from '../store/database.js';
import { FIELD_TYPES, type FieldType, type World } from '../store/item-settings.js';
import { requireAdministrator } from './admission.js';
import type { App, Services } from './app.js';
import { attributeAnswer, categoryAnswer, showAttribute, showCategory } from './item-settings.js';
import { byGuid, user } from './schemas.js';

const attributeBody = Type.Object(
  {
    world: Type.Unsafe<World>({ type: 'string', enum: ['ITEMS', 'BOM'] }),
    name: Type.String(),
    fieldType: Type.Unsafe<FieldType>({ type: 'string', enum: FIELD_TYPES }),
    required: Type.Optional(Type.Boolean()),
    multiSelect: Type.Optional(Type.Boolean()),
    maxLength: Type.Optional(Type.Integer({ minimum: 1 })),
    possibleValues: Type.Optional(Type.Array(Type.String())),
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

const categoryBody = Type.Object({ path: Type.String() }, { additionalProperties: false });

const common = {
  tags: ['embedded only'],
  description:
    'Not part of the published interface: a service has it in its own pages. For administrators; not counted.',
};

/**
 * What the published interface has no endpoint for and an administrator does in a service's own pages: attributes, users
 * and categories of the embedded workspace.
 */
export function embeddedRoutes(app: App, services: Services): void {
  attributeAdministration(app, services);
  const { workspace } = services;
  app.post(
    '/embedded/users',
    {
      config: { uncounted: true },
      schema: { ...common, summary: 'Add a user', body: userBody, response: { 201: user } },
    },
    async (request, reply) => {
      requireAdministrator(request);
      const create = () => createUser(workspace, request.body);
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
      const create = () => createCategory(workspace, request.body.path);
      return reply.status(201).send(showCategory(await writeWhenFree(workspace.settings, create)));
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
    { config: { uncounted: true }, schema: { ...common, summary: 'Delete a custom attribute', params: byGuid } },
    async (request, reply) => {
      requireAdministrator(request);
      await writeWhenFree(workspace.settings, () => removeAttribute(workspace, request.params.guid));
      return reply.status(204).send();
    },
  );
}
