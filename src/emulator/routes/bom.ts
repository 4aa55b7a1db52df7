import { type LineDetails, listBom, listWhereUsed } from '../rules/bom.js';
import type { App, Immutable, Services } from './app.js';
import { additionalAttribute, byGuid, links, listEnvelope, nullable, page, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const line = Type.Object({
  guid: Type.String(),
  item: Type.Object({ guid: Type.String(), number: Type.String(), name: Type.String(), url: links }),
  lineNumber: nullable(Type.Integer()),
  quantity: Type.Number(),
  refDes: nullable(Type.String()),
  notes: nullable(Type.String()),
  additionalAttributes: Type.Optional(Type.Array(additionalAttribute)),
});

/** Adds the endpoints that read BOM lines from either end (interface 2.4, 4.6; wire-facts 3). */
export function bomRoutes(app: App, { workspace }: Services): void {
  const lines = {
    params: byGuid,
    querystring: searchQuery({}, 'includeAdditionalAttributes'),
    response: { 200: listEnvelope(line) },
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
