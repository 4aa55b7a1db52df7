import {
  findItem,
  ITEM_SEARCH,
  type ItemDetails,
  type LineDetails,
  listBom,
  listItems,
  listWhereUsed,
} from '../rules/items.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, listOf, nullable, page, pagedQuery, person, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

export const named = Type.Object({ guid: Type.String(), name: Type.String() });

export const additionalAttribute = Type.Object({
  guid: Type.String(),
  apiName: Type.String(),
  name: Type.String(),
  fieldType: Type.String(),
  value: Type.Unknown(),
});

export const links = Type.Object({ api: Type.String() });

export const itemAnswer = Type.Object({
  guid: Type.String(),
  number: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  category: named,
  lifecyclePhase: named,
  owner: Type.Object({ fullName: Type.String() }),
  uom: nullable(Type.String()),
  procurementType: nullable(Type.String()),
  standardCost: nullable(Type.Number()),
  targetCost: nullable(Type.Number()),
  prototypeCost: nullable(Type.Number()),
  productionCost: nullable(Type.Number()),
  targetPrice: nullable(Type.Number()),
  shared: Type.Boolean(),
  isLocked: Type.Boolean(),
  isAssembly: Type.Boolean(),
  inAssembly: Type.Boolean(),
  assemblyType: Type.String(),
  revisionNumber: Type.Null(),
  revisionStatus: Type.String(),
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
  additionalAttributes: Type.Array(additionalAttribute),
  url: links,
});

const line = Type.Object({
  guid: Type.String(),
  item: Type.Object({ guid: Type.String(), number: Type.String(), name: Type.String(), url: links }),
  lineNumber: nullable(Type.Integer()),
  quantity: Type.Number(),
  refDes: nullable(Type.String()),
  notes: nullable(Type.String()),
  additionalAttributes: Type.Optional(Type.Array(additionalAttribute)),
});

const ITEM_VIEW = ['includeChildCategories', 'responseview', 'includeEmptyAdditionalAttributes'];

/** Items and BOMs, for reading (interface 2.4, 4.6; wire-facts 3). */
export function itemRoutes(app: App, { workspace }: Services): void {
  app.get(
    '/items',
    {
      schema: {
        summary: 'Search items',
        querystring: pagedQuery(ITEM_SEARCH, ...ITEM_VIEW),
        response: { 200: listOf(itemAnswer) },
      },
    },
    async ({ query }) => page(listItems(workspace, query).map(showItem)),
  );
  app.get(
    '/items/:guid',
    {
      schema: {
        summary: 'Get an item',
        params: byGuid,
        querystring: searchQuery({}, 'includeEmptyAdditionalAttributes'),
        response: { 200: itemAnswer },
      },
    },
    async ({ params, query }) => showItem(findItem(workspace, params.guid, query)),
  );
  const lines = {
    params: byGuid,
    querystring: searchQuery({}, 'includeAdditionalAttributes'),
    response: { 200: listOf(line) },
  };
  app.get('/items/:guid/bom', { schema: { summary: 'Get the BOM of an item', ...lines } }, async ({ params, query }) =>
    page(listBom(workspace, params.guid, query).map(showLine)),
  );
  app.get(
    '/items/:guid/whereused',
    { schema: { summary: 'List the assemblies that use an item; `item` is the assembly', ...lines } },
    async ({ params, query }) => page(listWhereUsed(workspace, params.guid, query).map(showLine)),
  );
}

export function showItem(details: ItemDetails): Immutable<Static<typeof itemAnswer>> {
  const { guid, number, name, description, fields } = details;
  const cost = (field: string): number | null => (typeof fields[field] === 'number' ? fields[field] : null);
  const word = (field: string): string | null => (typeof fields[field] === 'string' ? fields[field] : null);
  return {
    guid,
    number,
    name,
    description,
    category: { guid: details.category, name: details.categoryName },
    lifecyclePhase: { guid: details.phase, name: details.phaseName },
    owner: { fullName: details.ownerName },
    uom: word('uom'),
    procurementType: word('procurementType'),
    standardCost: cost('standardCost'),
    targetCost: cost('targetCost'),
    prototypeCost: cost('prototypeCost'),
    productionCost: cost('productionCost'),
    targetPrice: cost('targetPrice'),
    shared: fields.shared === true,
    isLocked: details.isLocked,
    isAssembly: details.isAssembly,
    inAssembly: details.inAssembly,
    assemblyType: assemblyTypeOf(details),
    revisionNumber: null,
    revisionStatus: 'WORKING',
    creationDateTime: details.created,
    creator: { guid: details.creator, email: details.creatorEmail, fullName: details.creatorName },
    lastModifiedDateTime: details.modified,
    additionalAttributes: details.additionalAttributes,
    url: { api: `/items/${guid}` },
  };
}

function assemblyTypeOf({ isAssembly, inAssembly }: ItemDetails): string {
  if (!isAssembly) return 'NOT_AN_ASSEMBLY';
  return inAssembly ? 'ASSEMBLY' : 'TOP_LEVEL_ASSEMBLY';
}

function showLine(details: LineDetails): Immutable<Static<typeof line>> {
  const { guid, lineNumber, quantity, refDes, notes, additionalAttributes } = details;
  return {
    guid,
    item: { ...details.item, url: { api: `/items/${details.item.guid}` } },
    lineNumber,
    quantity,
    refDes,
    notes,
    ...(additionalAttributes ? { additionalAttributes } : {}),
  };
}
