import { createHash } from 'node:crypto';
import { type Described, described } from '../documented/described.js';
import { familyAt } from '../documented/registry.js';
import { findRow } from '../family/records.js';
import { bodyNames, endpointAt } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import { parseFlag, parseWholeSearch } from '../rules/search.js';
import { refuse } from '../rules/service-error.js';

/** Where attributes are used that the description alone defines, since no workspace has custom ones there. */
interface Use {
  /** The path of their list, and what it is a list of. */
  readonly path: string;
  readonly of: string;
  /** The endpoints that give them when an object is created, changed and searched. */
  readonly create?: string;
  readonly update?: string;
  readonly list?: string;
  readonly view?: string;
}

const USES: readonly Use[] = [
  {
    ...{ path: '/settings/changes/items/attributes', of: 'items of changes', view: 'CHANGE_ITEMS' },
    ...{ create: 'POST /changes/{guid}/items', update: 'PUT /changes/{guid}/items/{guid}' },
  },
  {
    ...{ path: '/settings/requests/items/attributes', of: 'items of requests', view: 'REQUEST_ITEMS' },
    ...{ create: 'POST /requests/{guid}/items', update: 'PUT /requests/{guid}/items/{guid}' },
  },
  {
    ...{ path: '/settings/requests/statuschangeattributes', of: 'status changes of requests' },
    create: 'POST /requests/statuschanges',
  },
  {
    ...{ path: '/settings/export/attributes', of: 'export definitions', view: 'EXPORT_SUMMARY' },
    ...{ create: 'POST /exports', list: 'GET /exports' },
  },
  {
    ...{ path: '/settings/qualityprocesses/steps/attributes', of: 'steps of quality processes' },
    update: 'PUT /qualityprocesses/{guid}/steps/{guid}',
  },
  {
    ...{ path: '/settings/tickets/templates/{guid}/attributes', of: 'a template of tickets', view: 'VERIFY_SUMMARY' },
    ...{ create: 'POST /tickets', update: 'PUT /tickets/{guid}', list: 'GET /tickets' },
  },
];

const FLAGS = { creatableOnly: 'creatable', editableOnly: 'editable', searchableOnly: 'searchable' } as const;

const endpointOf = (line: string | undefined) => {
  const [method = '', path = ''] = line?.split(' ') ?? [];
  return endpointAt(method, path);
};

/** The lists of these attributes (wire-facts 7 has the parameters). */
export const attributeLists: readonly Described[] = USES.map((use) =>
  described(`GET ${use.path}`, `List attributes of ${use.of}`, ({ workspace, params: { guid }, query }) => {
    const { world = 'items', includePossibleValues, creatableOnly, editableOnly, searchableOnly, ...rest } = query;
    const flags = { includePossibleValues, creatableOnly, editableOnly, searchableOnly };
    parseWholeSearch(rest, {});
    if (String(world).toLowerCase() !== 'items') throw refuse.option(String(world), 'world');
    if (guid !== undefined) findRow(workspace, familyAt('/settings/tickets/templates'), guid);
    const wanted = Object.entries(FLAGS).filter(([name]) => parseFlag(flags, name, false));
    const hasValues = parseFlag(flags, 'includePossibleValues', false);
    return attributesOf(use)
      .filter((attribute) => wanted.every(([, trait]) => attribute[trait]))
      .map(({ possibleValues, ...attribute }) => ({ ...attribute, ...(hasValues && { possibleValues }) }));
  }),
);

function attributesOf({ path, create: made, update: changed, list: searched, view }: Use) {
  const [create, update, list] = [made, changed, searched].map(endpointOf);
  const names = [...new Set([create, update].flatMap(bodyNames))].filter((name) => !/ttributes$/.test(name));
  return names.map((name) => {
    const shape = [create, update].map((one) => one?.request?.keys?.get(name)?.shape).find((one) => one !== undefined);
    const required = create?.body.some((key) => key.required && key.path.split(/[.[]/, 1)[0] === name);
    return {
      ...{ apiName: name, allowsExplicitNullValue: false, active: true, custom: false, fieldType: typeOf(name, shape) },
      ...{ creatable: bodyNames(create).includes(name), editable: bodyNames(update).includes(name) },
      ...(required && { required }),
      ...(shape?.values && { possibleValues: shape.values }),
      ...(view && { inViews: [view] }),
      searchable: list?.parameters.some((parameter) => parameter.split('.', 1)[0] === name) ?? false,
      ...(view === undefined && made === undefined && { guid: stableGuid(path, name), name, required: false }),
    };
  });
}

function typeOf(name: string, shape: Shape | undefined): string {
  if (/Date(Time)?$/.test(name)) return 'DATETIME';
  if (shape?.values !== undefined) return 'FIXED_DROP_DOWN';
  if (shape?.types.includes('boolean')) return 'BOOLEAN';
  if (shape?.types.includes('number')) return 'NUMBER';
  return shape?.keys === undefined && shape?.items === undefined ? 'SINGLE_LINE_TEXT' : 'OBJECT';
}

/** A GUID that is the same in each workspace and after each start. */
const stableGuid = (...of: readonly string[]): string =>
  createHash('sha256').update(of.join(' ')).digest('hex').slice(0, 20).toUpperCase();
