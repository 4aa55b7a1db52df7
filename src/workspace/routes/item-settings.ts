import Type, { type Static } from 'typebox';
import {
  ATTRIBUTE_FLAGS,
  CATEGORY_SEARCH,
  findAttribute,
  findCategory,
  type ListedAttribute,
  listAttributes,
  listCategories,
  listCategoryAttributes,
  listLifecyclePhases,
  PHASE_SEARCH,
} from '../rules/item-settings.js';
import type { Category } from '../store/item-settings.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, listOf, nullable, page, searchQuery } from './schemas.js';

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
  possibleValues: Type.Optional(Type.Array(Type.String())),
});

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
  creationDateTime: Type.String(),
  deletionDateTime: Type.Null(),
});

const lifecyclePhaseAnswer = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  shortName: Type.String(),
  stage: Type.String(),
  type: Type.String(),
  active: Type.Boolean(),
});

const attributes = { querystring: searchQuery({}, ...ATTRIBUTE_FLAGS), response: { 200: listOf(attributeAnswer) } };

/** Categories, attributes and lifecycle phases (interface 2.4, 4.6; wire-facts 7). */
export function itemSettingsRoutes(app: App, services: Services): void {
  attributeRoutes(app, services);
  categoryRoutes(app, services);
  app.get(
    '/settings/items/lifecyclephases',
    {
      schema: {
        summary: 'List lifecycle phases',
        querystring: searchQuery(PHASE_SEARCH),
        response: { 200: listOf(lifecyclePhaseAnswer) },
      },
    },
    async ({ query }) =>
      page(listLifecyclePhases(services.workspace, query).map((phase) => ({ ...phase, active: true }))),
  );
}

function attributeRoutes(app: App, { workspace }: Services): void {
  app.get(
    '/settings/items/attributes',
    { schema: { summary: 'List attributes of items', ...attributes } },
    async ({ query }) => page(listAttributes(workspace, 'ITEMS', query).map(showAttribute)),
  );
  app.get(
    '/settings/items/attributes/:guid',
    { schema: { summary: 'Get an attribute of items', params: byGuid, response: { 200: attributeAnswer } } },
    async ({ params }) => showAttribute(findAttribute(workspace, params.guid, 'ITEMS')),
  );
  app.get(
    '/settings/items/bom/attributes',
    { schema: { summary: 'List attributes of BOM lines', ...attributes } },
    async ({ query }) => page(listAttributes(workspace, 'BOM', query).map(showAttribute)),
  );
}

function categoryRoutes(app: App, { workspace }: Services): void {
  app.get(
    '/settings/items/categories',
    {
      schema: {
        summary: 'Search categories',
        querystring: searchQuery(CATEGORY_SEARCH, 'includeDeleted'),
        response: { 200: listOf(categoryAnswer) },
      },
    },
    async ({ query }) => page(listCategories(workspace, query).map(showCategory)),
  );
  app.get(
    '/settings/items/categories/:guid',
    { schema: { summary: 'Get a category', params: byGuid, response: { 200: categoryAnswer } } },
    async ({ params }) => showCategory(findCategory(workspace, params.guid)),
  );
  app.get(
    '/settings/items/categories/:guid/attributes',
    { schema: { summary: 'List attributes of a category', params: byGuid, ...attributes } },
    async ({ params, query }) => page(listCategoryAttributes(workspace, params.guid, query).map(showAttribute)),
  );
}

export function showAttribute(attribute: ListedAttribute): Immutable<Static<typeof attributeAnswer>> {
  const { guid, apiName, name, fieldType, custom, required, multiSelect, maxLength, possibleValues } = attribute;
  return {
    guid,
    apiName,
    name,
    fieldType,
    custom,
    active: true,
    creatable: true,
    editable: true,
    searchable: custom,
    global: true,
    required,
    multiSelect,
    maxLength,
    ...(possibleValues === undefined ? {} : { possibleValues }),
  };
}

export function showCategory(category: Category): Immutable<Static<typeof categoryAnswer>> {
  const { guid, name, path, level, parent, structural, systemDefined, created } = category;
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
    creationDateTime: created,
    deletionDateTime: null,
  };
}
