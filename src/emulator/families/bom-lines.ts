import { endpointsAt } from '../documented/documented.js';
import { familyAt } from '../documented/registry.js';
import { createAnswerer } from '../family/answer.js';
import { type Family, family } from '../family/family.js';
import type { FieldFactory, StoredRecord } from '../family/field.js';
import type { Relation } from '../family/relation.js';
import { onDemand } from '../family/traits.js';
import { fieldValues } from '../family/value-fields.js';
import { linksTo, nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { listAdditionalAttributes } from '../rules/additional-attributes.js';
import { parseFlag } from '../rules/search.js';
import { ALL_LINES, EFFECTIVE } from '../store/item-revisions.js';
import { readAttributes } from '../store/item-settings.js';
import type { FieldValues } from '../store/items.js';
import { selectAll } from '../store/select.js';
import { items, revisionsOfItems } from './items.js';

const value = (column: string, answer: TSchema): FieldFactory<undefined> => {
  return (name) => ({ name, answer, show: (row) => row[column] ?? null });
};

interface Shown {
  readonly guid: string;
  readonly number: string;
  readonly name: string;
  readonly revisionNumber: string | null;
  readonly revisionStatus: 'WORKING' | 'EFFECTIVE';
}

const itemJson = (row: string, revision: string, status: Shown['revisionStatus']): string =>
  `json_object('guid', ${row}.guid, 'number', ${row}.number, 'name', ${row}.name, 'revisionNumber', ${revision},
    'revisionStatus', '${status}')`;

/** The item at an end of a line: its effective revision, if it has one that meets the condition. */
const itemAt = (column: string, condition = ''): FieldFactory<undefined> => {
  const effective = `(SELECT ${itemJson('e', 'e.revision', 'EFFECTIVE')} FROM item_revisions e
    WHERE e.item = t.${column} AND e.status = ${EFFECTIVE} ${condition})`;
  const working = `(SELECT ${itemJson('i', "i.fields ->> '$.revisionNumber'", 'WORKING')} FROM items i
    WHERE i.guid = t.${column})`;
  return (name) => ({
    name,
    selects: [`coalesce(${effective}, ${working}) AS item_shown`],
    searched: { [name]: `t.${column}` },
    answer: Type.Unknown(),
    show: ({ item_shown: json }, { workspace }) => {
      const shown = JSON.parse(String(json)) as Shown;
      return { ...shown, url: linksTo(workspace, `/items/${shown.guid}`) };
    },
  });
};

interface Line {
  readonly additional: FieldValues;
}

const WITH_EMPTY = ['includeAdditionalAttributes', 'includeEmptyAdditionalAttributes'];

/** The custom attributes of a line; a list that shows them shows those without a value too. */
const additionalAttributes: FieldFactory<undefined> = (name) => ({
  name,
  answer: Type.Array(Type.Unknown()),
  viewParameters: ['includeEmptyAdditionalAttributes'],
  show: (_, { workspace, query }, record) => {
    const { additional } = record() as StoredRecord & Line;
    const withEmpty = WITH_EMPTY.some((parameter) => parseFlag(query, parameter, false));
    const shown = listAdditionalAttributes(additional, readAttributes(workspace.settings, 'BOM'), withEmpty);
    return shown.map((attribute) => ({ ...attribute, type: attribute.fieldType }));
  },
});

/** The substitutes of a line, which a single read shows if asked for. */
const substitutes: FieldFactory<undefined> = (name) => ({
  name,
  documentedOnly: true,
  answer: Type.Array(Type.Unknown()),
  viewParameters: ['includeBomSubstitutes'],
  show: ({ guid }, viewing, _, shape) => {
    if (!parseFlag(viewing.query, 'includeBomSubstitutes', false)) return undefined;
    const of = familyAt('/items/:guid/bom/:member/substitutes');
    const rows = selectAll(viewing.workspace.settings, of.rows, { sql: 't.owner = ?', values: [String(guid)] });
    return rows.map(createAnswerer(of, viewing, shape?.items));
  },
});

const values = {
  lineNumber: value('line_number', nullable(Type.Integer())),
  quantity: value('quantity', Type.Number()),
  refDes: value('ref_des', nullable(Type.String())),
  notes: value('notes', nullable(Type.String())),
  additionalAttributes: onDemand('includeAdditionalAttributes', additionalAttributes, false),
  additional: fieldValues(),
};

/**
 * BOM lines in the order of their creation (wire-facts 8.2): those of items, which imports and requests write, and those
 * that effective revisions keep. `item` is the child.
 */
export const bomLines: Family = family({
  path: '/items/:guid/bom',
  one: 'a BOM line',
  many: 'BOM lines',
  table: 'bom_lines',
  owner: revisionsOfItems,
  sources: { list: ALL_LINES, get: ALL_LINES },
  fields: { item: itemAt('child'), ...values, substitutes },
  search: {},
  endpoints: endpointsAt('/items/{guid}/bom'),
  summaries: { list: 'Get the BOM of an item' },
});

/** The lists of lines, which clients read most; the other operations are found when a request asks for one. */
export const boms: Family = {
  ...bomLines,
  ...(bomLines.endpoints?.list && { endpoints: { list: bomLines.endpoints.list } }),
  listOnly: true,
};

const child: FieldFactory<undefined> = (name) => ({ name, searched: { [name]: `t.${name}` } });

const IN_EFFECTIVE = "AND EXISTS (SELECT 1 FROM json_each(e.bom) WHERE value ->> 'guid' = t.guid)";

/** BOM lines as read from the child: `item` is the assembly, as its effective revision if that has the line. */
const assemblies: Family = family({
  one: 'an assembly',
  many: 'assemblies',
  table: 'bom_lines',
  fields: { item: itemAt('parent', IN_EFFECTIVE), ...values, child },
  search: {},
});

/** The assemblies that use an item. */
export const whereUsed: Relation = {
  family: assemblies,
  owner: items,
  by: 'child',
  segment: 'whereused',
  list: 'List the assemblies that use an item; `item` is the assembly',
};
