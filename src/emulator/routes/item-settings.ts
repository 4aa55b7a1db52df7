import {
  ATTRIBUTE_FLAGS,
  CATEGORY_SEARCH,
  findAttribute,
  findCategory,
  type ListedAttribute,
  listAttributes,
  listCategories,
  listCategoryAttributes,
} from '../rules/item-settings.js';
import { isReadOnly } from '../rules/standard-fields.js';
import { type Category, type CategoryWorld, WORLDS, type World } from '../store/item-settings.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, listEnvelope, nullable, page, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

/** The path of the settings of each world (wire-facts 0, endpoints.md). */
const PATHS: Readonly<Record<World, string>> = {
  ITEMS: '/settings/items',
  BOM: '/settings/items/bom',
  CHANGES: '/settings/changes',
  REQUESTS: '/settings/requests',
  SUPPLIERS: '/settings/suppliers',
  SUPPLIER_ITEMS: '/settings/supplieritems',
  QUALITY_PROCESSES: '/settings/qualityprocesses',
  FILES: '/settings/files',
  TICKETS: '/settings/tickets',
};

const NAMES: Readonly<Record<World, string>> = {
  ITEMS: 'items',
  BOM: 'BOM lines',
  CHANGES: 'changes',
  REQUESTS: 'requests',
  SUPPLIERS: 'suppliers',
  SUPPLIER_ITEMS: 'supplier items',
  QUALITY_PROCESSES: 'quality processes',
  FILES: 'files',
  TICKETS: 'tickets',
};

/** An attribute in answers (wire-facts 7), with its possible values only if requested. */
export const attributeAnswer = Type.Object({
  guid: Type.String(),
  apiName: Type.String(),
  name: Type.String(),
  fieldType: Type.String(),
  custom: Type.Boolean(),
  active: Type.Boolean(),
  creatable: Type.Boolean(),
  editable: Type.Boolean(),
  searchable: Type.Boolean(),
  global: Type.Boolean(),
  required: Type.Boolean(),
  multiSelect: Type.Boolean(),
  maxLength: nullable(Type.Integer()),
  origin: nullable(Type.Object({ guid: Type.String(), name: Type.String() })),
  possibleValues: Type.Optional(Type.Array(Type.String())),
});

/** A category in answers (wire-facts 7). Categories here are never deleted, so `deletionDateTime` is null. */
export const categoryAnswer = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  path: Type.String(),
  level: Type.Integer(),
  parentCategory: nullable(Type.Object({ guid: Type.String() })),
  structural: Type.Boolean(),
  assignable: Type.Boolean(),
  activated: Type.Boolean(),
  systemDefined: Type.Boolean(),
  numberFormat: nullable(Type.Object({ guid: Type.String() })),
  creationDateTime: Type.String(),
  deletionDateTime: Type.Null(),
});

const attributes = {
  querystring: searchQuery({}, ...ATTRIBUTE_FLAGS),
  response: { 200: listEnvelope(attributeAnswer) },
};

/** Adds the endpoints of categories and attributes of all worlds (interface 2.4, 4.6; wire-facts 0 and 7). */
export function itemSettingsRoutes(app: App, services: Services): void {
  attributeRoutes(app, services);
  for (const world of ['ITEMS', 'CHANGES', 'REQUESTS', 'FILES'] as const) categoryRoutes(app, services, world);
}

function attributeRoutes(app: App, { workspace }: Services): void {
  for (const world of WORLDS) {
    app.get(
      `${PATHS[world]}/attributes`,
      { schema: { summary: `List attributes of ${NAMES[world]}`, ...attributes } },
      async ({ query }) => page(listAttributes(workspace, world, query).map(showAttribute)),
    );
  }
  app.get(
    `${PATHS.ITEMS}/attributes/:guid`,
    { schema: { summary: 'Get an attribute of items', params: byGuid, response: { 200: attributeAnswer } } },
    async ({ params }) => showAttribute(findAttribute(workspace, params.guid, 'ITEMS')),
  );
}

function categoryRoutes(app: App, { workspace }: Services, world: CategoryWorld): void {
  const categories = `${PATHS[world]}/categories`;
  app.get(
    categories,
    {
      schema: {
        summary: `Search categories of ${NAMES[world]}`,
        querystring: searchQuery(CATEGORY_SEARCH, 'includeDeleted'),
        response: { 200: listEnvelope(categoryAnswer) },
      },
    },
    async ({ query }) => page(listCategories(workspace, query, world).map(showCategory)),
  );
  app.get(
    `${categories}/:guid`,
    { schema: { summary: 'Get a category', params: byGuid, response: { 200: categoryAnswer } } },
    async ({ params }) => showCategory(findCategory(workspace, params.guid, world)),
  );
  app.get(
    `${categories}/:guid/attributes`,
    { schema: { summary: 'List attributes of a category', params: byGuid, ...attributes } },
    async ({ params, query }) => page(listCategoryAttributes(workspace, params.guid, query, world).map(showAttribute)),
  );
}

/** Shows an attribute: custom ones are searchable, and only those that the service itself sets are read-only. */
export function showAttribute(attribute: ListedAttribute): Immutable<Static<typeof attributeAnswer>> {
  const { guid, apiName, name, fieldType, custom, required, multiSelect, maxLength, origin, possibleValues } =
    attribute;
  const readOnly = !custom && isReadOnly(attribute.world, apiName);
  return {
    guid,
    apiName,
    name,
    fieldType,
    custom,
    active: true,
    creatable: !readOnly,
    editable: !readOnly,
    searchable: custom,
    global: attribute.category === null,
    required,
    multiSelect,
    maxLength,
    origin,
    ...(possibleValues === undefined ? {} : { possibleValues }),
  };
}

/** Shows a category with its parent and number format by GUID; only categories that are not structural take objects. */
export function showCategory(category: Category): Immutable<Static<typeof categoryAnswer>> {
  const { guid, name, path, level, parent, structural, systemDefined, numberFormat, created } = category;
  return {
    guid,
    name,
    path,
    level,
    parentCategory: parent === null ? null : { guid: parent },
    structural,
    assignable: !structural,
    activated: true,
    systemDefined,
    numberFormat: numberFormat === null ? null : { guid: numberFormat },
    creationDateTime: created,
    deletionDateTime: null,
  };
}
