import {
  findSourcing,
  findSupplier,
  findSupplierItem,
  listSourcing,
  listSupplierItems,
  listSuppliers,
  type SourcingEnd,
  SUPPLIER_ITEM_SEARCH,
  SUPPLIER_SEARCH,
  type SupplierDetails,
  type SupplierItemDetails,
} from '../rules/suppliers.js';
import type { FieldValue } from '../store/items.js';
import type { ListedSourcing } from '../store/suppliers.js';
import type { App, Immutable, Services } from './app.js';
import { additionalAttribute, links, named } from './items.js';
import { byGuid, byMemberGuid, listOf, nullable, page, pagedQuery, person } from './schemas.js';
import { type Static, Type } from './type.js';

const text = nullable(Type.String());
const common = {
  creationDateTime: Type.String(),
  creator: person,
  additionalAttributes: Type.Array(additionalAttribute),
  url: links,
};

const supplier = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  webSite: text,
  supplierCode: text,
  description: text,
  ...common,
});

const supplierItem = Type.Object({
  guid: Type.String(),
  number: Type.String(),
  name: text,
  description: text,
  uom: text,
  leadTime: nullable(Type.Number()),
  countryOfOrigin: text,
  supplier: named,
  lastModifiedDateTime: text,
  ...common,
});

const sourcing = Type.Object({
  guid: Type.String(),
  item: Type.Object({ guid: Type.String(), number: Type.String(), name: Type.String(), url: links }),
  supplierItem: Type.Object({ guid: Type.String(), number: Type.String(), name: text, supplier: named, url: links }),
  approvalStatus: nullable(named),
  priority: nullable(Type.Number()),
  notes: text,
});

/**
 * Suppliers, supplier items and the sourcing of items, for reading (endpoints.md; interface 2.4). The fields are INFERRED
 * where none are shown.
 */
export function supplierRoutes(app: App, services: Services): void {
  supplierReads(app, services);
  supplierItemReads(app, services);
  sourcingReads(app, services, '/items', 'item');
  sourcingReads(app, services, '/supplieritems', 'supplierItem');
}

function supplierReads(app: App, { workspace }: Services): void {
  app.get(
    '/suppliers',
    {
      schema: {
        summary: 'Search suppliers',
        querystring: pagedQuery(SUPPLIER_SEARCH),
        response: { 200: listOf(supplier) },
      },
    },
    async ({ query }) => page(listSuppliers(workspace, query).map(showSupplier)),
  );
  app.get(
    '/suppliers/:guid',
    { schema: { summary: 'Get a supplier', params: byGuid, response: { 200: supplier } } },
    async ({ params }) => showSupplier(findSupplier(workspace, params.guid)),
  );
}

function supplierItemReads(app: App, { workspace }: Services): void {
  app.get(
    '/supplieritems',
    {
      schema: {
        summary: 'Search supplier items',
        querystring: pagedQuery(SUPPLIER_ITEM_SEARCH),
        response: { 200: listOf(supplierItem) },
      },
    },
    async ({ query }) => page(listSupplierItems(workspace, query).map(showSupplierItem)),
  );
  app.get(
    '/supplieritems/:guid',
    { schema: { summary: 'Get a supplier item', params: byGuid, response: { 200: supplierItem } } },
    async ({ params }) => showSupplierItem(findSupplierItem(workspace, params.guid)),
  );
}

function sourcingReads(app: App, { workspace }: Services, of: string, end: SourcingEnd): void {
  app.get(
    `${of}/:guid/sourcing`,
    {
      schema: {
        summary: 'List sourcing relationships',
        params: byGuid,
        querystring: pagedQuery({}),
        response: { 200: listOf(sourcing) },
      },
    },
    async ({ params, query }) => page(listSourcing(workspace, end, params.guid, query).map(showSourcing)),
  );
  app.get(
    `${of}/:guid/sourcing/:member`,
    { schema: { summary: 'Get a sourcing relationship', params: byMemberGuid, response: { 200: sourcing } } },
    async ({ params }) => showSourcing(findSourcing(workspace, end, params.guid, params.member)),
  );
}

function showSupplier(details: SupplierDetails): Immutable<Static<typeof supplier>> {
  const { guid, name, fields, created, creatorPerson, additionalAttributes } = details;
  return {
    guid,
    name,
    webSite: word(fields.webSite),
    supplierCode: word(fields.supplierCode),
    description: word(fields.description),
    creationDateTime: created,
    creator: creatorPerson,
    additionalAttributes,
    url: { api: `/suppliers/${guid}` },
  };
}

function showSupplierItem(details: SupplierItemDetails): Immutable<Static<typeof supplierItem>> {
  const { guid, number, fields, created, creatorPerson, modified, additionalAttributes } = details;
  return {
    guid,
    number,
    name: word(fields.name),
    description: word(fields.description),
    uom: word(fields.uom),
    leadTime: count(fields.leadTime),
    countryOfOrigin: word(fields.countryOfOrigin),
    supplier: { guid: details.supplier, name: details.supplierName },
    lastModifiedDateTime: modified,
    creationDateTime: created,
    creator: creatorPerson,
    additionalAttributes,
    url: { api: `/supplieritems/${guid}` },
  };
}

function showSourcing(relation: ListedSourcing): Immutable<Static<typeof sourcing>> {
  const { guid, item, supplierItem: source, supplier: seller, approvalStatus, fields } = relation;
  return {
    guid,
    item: { ...item, url: { api: `/items/${item.guid}` } },
    supplierItem: {
      guid: source.guid,
      number: source.number,
      name: word(source.fields.name),
      supplier: seller,
      url: { api: `/supplieritems/${source.guid}` },
    },
    approvalStatus,
    priority: count(fields.priority),
    notes: word(fields.notes),
  };
}

const word = (value: FieldValue | undefined): string | null => (typeof value === 'string' ? value : null);
const count = (value: FieldValue | undefined): number | null => (typeof value === 'number' ? value : null);
