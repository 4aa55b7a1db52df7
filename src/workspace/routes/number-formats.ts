import { FORMAT_SEARCH, findNumberFormat, listNumberFormats, numberFrom } from '../rules/number-formats.js';
import type { NumberFormat } from '../store/number-formats.js';
import type { App, Immutable, Services } from './app.js';
import { byGuid, listOf, nullable, page, searchQuery } from './schemas.js';
import { type Static, Type } from './type.js';

const FORMATS = '/settings/items/numberformats';

const compactFormat = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  default: Type.Boolean(),
  exampleNumber: Type.String(),
  creationDateTime: Type.String(),
});

const numberField = Type.Object({
  apiName: Type.String(),
  guid: Type.String(),
  maxLength: Type.Integer(),
  name: Type.String(),
  possibleValues: Type.Array(Type.Object({ value: Type.String(), description: Type.String() })),
  type: Type.String(),
  value: nullable(Type.String()),
});

export const numberFormatAnswer = Type.Object({ ...compactFormat.properties, fields: Type.Array(numberField) });

/** The formats of item numbers: compact in the list, with their fields one by one (wire-facts 7). */
export function numberFormatRoutes(app: App, { workspace }: Services): void {
  app.get(
    FORMATS,
    {
      schema: {
        summary: 'List number formats',
        querystring: searchQuery(FORMAT_SEARCH),
        response: { 200: listOf(compactFormat) },
      },
    },
    async ({ query }) => page(listNumberFormats(workspace, query).map(compact)),
  );
  app.get(
    `${FORMATS}/:guid`,
    { schema: { summary: 'Get a number format', params: byGuid, response: { 200: numberFormatAnswer } } },
    async ({ params }) => showNumberFormat(findNumberFormat(workspace, params.guid)),
  );
}

export function showNumberFormat(format: NumberFormat): Immutable<Static<typeof numberFormatAnswer>> {
  return { ...compact(format), fields: format.fields };
}

function compact(format: NumberFormat): Immutable<Static<typeof compactFormat>> {
  const { guid, name, isDefault, created } = format;
  return { guid, name, default: isDefault, exampleNumber: numberFrom(format, 1), creationDateTime: created };
}
